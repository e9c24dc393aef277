// "Share with Git" and "Keep Private": whether git takes a memory, and what is left for the person to do about it.

import path from 'node:path';
import * as vscode from 'vscode';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { repositoryTop } from '../../base/repositoryTop.ts';
import { keepPrivate, sharedFiles, shareWithGit } from '../../memory/folder/gitSharing.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { secretIn } from '../../memory/secrets/secrets.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { ruleInFile, untrackCommand } from './gitAdvice.ts';
import { plainLine } from '../text/plainText.ts';
import { quotedNames } from '../text/recordNames.ts';

export async function shareMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const { shared, inWorkspace } = await sharing(scopes);
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to share with Git'),
    fits: (record) => inWorkspace.has(record.path) && !shared.has(record.path),
    nothing: vscode.l10n.t('This workspace has no private memory to share.'),
  });
  const groups = byScope(scopes, records);
  // Before anything is shared: all or none.
  for (const [{ store }, some] of groups)
    for (const record of some) refuseSecret(record, await store.read(record));
  const hidden: string[] = [];
  for (const [{ store }, some] of groups) {
    await store.alone(async () => {
      for (const { file } of some) {
        const { ignoredBy } = await shareWithGit(store.folder, file);
        if (ignoredBy !== undefined) hidden.push(ignoredBy);
      }
    });
  }
  const [first] = records;
  const [rule] = hidden;
  if (first && rule !== undefined) void tellOfRule(path.dirname(first.path), rule);
  else if (first)
    void ((await repositoryTop(path.dirname(first.path))) === undefined
      ? tellOfNoRepository(records)
      : tellWhatIsCommitted(records));
}

export async function keepMemoryPrivate(
  scopes: MemoryScopes,
  args: readonly unknown[],
): Promise<void> {
  const { shared } = await sharing(scopes);
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to keep private'),
    fits: (record) => shared.has(record.path),
    nothing: vscode.l10n.t('No memory is shared with Git.'),
  });
  const tracked: MemoryRecord[] = [];
  for (const [{ store }, some] of byScope(scopes, records)) {
    await store.alone(async () => {
      for (const record of some) {
        const { stillTracked } = await keepPrivate(store.folder, record.file);
        if (stillTracked) tracked.push(record);
      }
    });
  }
  if (tracked.length > 0) void tellOfTracked(tracked);
  else if (records.length > 0)
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Git does not take {0} any more.', quotedNames(records)),
    );
}

/** The paths of the memories of the workspace, and of those among them that git takes. */
async function sharing(scopes: MemoryScopes) {
  const shared = new Set<string>();
  const inWorkspace = new Set<string>();
  for (const { store } of scopes.workspace) {
    const { records } = await store.list();
    const files = await sharedFiles(
      store.folder,
      records.map(({ file }) => file),
    );
    for (const record of records) {
      inWorkspace.add(record.path);
      if (files.has(record.file)) shared.add(record.path);
    }
  }
  return { shared, inWorkspace };
}

function byScope(
  scopes: MemoryScopes,
  records: readonly MemoryRecord[],
): readonly (readonly [Scope, readonly MemoryRecord[]])[] {
  return scopes.workspace
    .map((scope) => [scope, records.filter((one) => scopes.scopeOf(one) === scope)] as const)
    .filter(([, some]) => some.length > 0);
}

/** Looks at the whole file: what stands in other fields would be shared too. */
function refuseSecret(record: MemoryRecord, bytes: Uint8Array): void {
  const rule = secretIn(decodeUtf8(bytes, record.path));
  if (rule !== undefined)
    throw new Error(
      vscode.l10n.t(
        '“{0}” holds {1}. Take it out of the file first.',
        plainLine(record.name),
        rule,
      ),
    );
}

async function tellOfNoRepository(records: readonly MemoryRecord[]): Promise<void> {
  await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'This folder is in no Git repository yet. Once it is, Git takes {0}.',
      quotedNames(records),
    ),
  );
}

async function tellWhatIsCommitted(records: readonly MemoryRecord[]): Promise<void> {
  const show = vscode.l10n.t('Open Source Control');
  const message = vscode.l10n.t(
    '{0} can be committed now, together with “.memory/.gitignore”, which keeps the others private.',
    quotedNames(records),
  );
  const choice = await vscode.window.showInformationMessage(message, show);
  if (choice === show) await vscode.commands.executeCommand('workbench.view.scm');
}

async function tellOfRule(folder: string, rule: string): Promise<void> {
  const { where, line, pattern, uri } = await ruleInFile(folder, rule);
  const open = vscode.l10n.t('Open Rule');
  const message = vscode.l10n.t(
    'Git still ignores it: “{0}” in line {1} of {2} hides the memories. Take that rule out to share them.',
    plainLine(pattern),
    line,
    plainLine(where),
  );
  const choice = await vscode.window.showWarningMessage(message, ...(uri ? [open] : []));
  if (choice !== open || !uri) return;
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(start, start) });
}

async function tellOfTracked(records: readonly MemoryRecord[]): Promise<void> {
  const copy = vscode.l10n.t('Copy Command');
  const command = untrackCommand(records.map((record) => record.path));
  const message = vscode.l10n.t(
    'Git still tracks {0}, so changes go on being committed. To stop that: {1}',
    quotedNames(records),
    plainLine(command),
  );
  const choice = await vscode.window.showWarningMessage(message, copy);
  if (choice === copy) await vscode.env.clipboard.writeText(command);
}
