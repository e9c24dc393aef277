// "Share with Git" and "Keep Private": whether git takes a memory, and what is left for the person to do about it.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { repositoryTop } from '../../base/repositoryTop.ts';
import { sharedFiles } from '../../memory/folder/gitSharing.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { secretIn, secretKind } from '../../memory/secrets/secrets.ts';
import { workOneByOne } from '../host/progress.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { ruleInFile, untrackCommand } from './gitAdvice.ts';
import { plainLine } from '../text/plainText.ts';
import { quotedNames } from '../text/recordNames.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { tellDone, type Done } from './tellDone.ts';

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
  const group = randomUUID();
  const done: MemoryRecord[] = [];
  const hidden: string[] = [];
  try {
    await workOneByOne(groups.flatMap(located), {
      title: vscode.l10n.t('Sharing memories with Git…'),
      work: async ({ store, record }) => {
        const { ignoredBy } = await store.shares.share(record.file, group);
        done.push(record);
        if (ignoredBy !== undefined) hidden.push(ignoredBy);
      },
    });
  } finally {
    // Also when a later one failed: what is shared can be made private again.
    if (done.length > 0) void tellDone(scopes, { ...(await sharedMessage(done, hidden)), group });
  }
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
  const group = randomUUID();
  const done: MemoryRecord[] = [];
  const tracked: MemoryRecord[] = [];
  try {
    await workOneByOne(byScope(scopes, records).flatMap(located), {
      title: vscode.l10n.t('Making memories private…'),
      work: async ({ store, record }) => {
        const { stillTracked } = await store.shares.keepPrivate(record.file, group);
        done.push(record);
        if (stillTracked) tracked.push(record);
      },
    });
  } finally {
    // Also when a later one failed: what is private can be shared again.
    if (done.length > 0) void tellDone(scopes, { ...privateMessage(done, tracked), group });
  }
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

function located([{ store }, records]: readonly [Scope, readonly MemoryRecord[]]) {
  return records.map((record) => ({ store, record }));
}

/** Looks at the whole file: what stands in other fields would be shared too. */
function refuseSecret(record: MemoryRecord, bytes: Uint8Array): void {
  const rule = secretIn(decodeUtf8(bytes, record.path));
  if (rule !== undefined)
    throw new Error(
      vscode.l10n.t(
        '“{0}” holds {1}. Take it out of the file first.',
        plainLine(record.name),
        sentenceText(secretKind(rule)),
      ),
    );
}

type Message = Omit<Done, 'group'>;

/** `hidden` are rules that hide some of them all the same. */
async function sharedMessage(
  records: readonly MemoryRecord[],
  hidden: readonly string[],
): Promise<Message> {
  const folder = path.dirname(records[0]?.path ?? '');
  const names = quotedNames(records);
  const [rule] = hidden;
  if (rule !== undefined) return hiddenMessage(folder, rule);
  if ((await repositoryTop(folder)) === undefined)
    return {
      text: vscode.l10n.t(
        'This folder is in no Git repository yet. Once it is, Git takes {0}.',
        names,
      ),
    };
  const label = vscode.l10n.t('Open Source Control');
  return {
    text: vscode.l10n.t(
      '{0} can be committed now, together with “.memory/.gitignore”, which keeps the others private.',
      names,
    ),
    actions: [{ label, run: async () => vscode.commands.executeCommand('workbench.view.scm') }],
  };
}

async function hiddenMessage(folder: string, rule: string): Promise<Message> {
  const { where, line, pattern, uri } = await ruleInFile(folder, rule);
  const start = new vscode.Position(line - 1, 0);
  const open = async (file: vscode.Uri) =>
    vscode.window.showTextDocument(file, { selection: new vscode.Range(start, start) });
  return {
    text: vscode.l10n.t(
      'Git still ignores it: “{0}” in line {1} of {2} hides the memories. Take that rule out to share them.',
      plainLine(pattern),
      line,
      plainLine(where),
    ),
    isWarning: true,
    actions: uri ? [{ label: vscode.l10n.t('Open Rule'), run: () => open(uri) }] : [],
  };
}

/** `tracked` are those that git has already. */
function privateMessage(
  records: readonly MemoryRecord[],
  tracked: readonly MemoryRecord[],
): Message {
  if (tracked.length === 0)
    return { text: vscode.l10n.t('Git does not take {0} any more.', quotedNames(records)) };
  const command = untrackCommand(tracked.map((record) => record.path));
  const label = vscode.l10n.t('Copy Command');
  return {
    text: vscode.l10n.t(
      'Git still tracks {0}, so changes go on being committed. To stop that: {1}',
      quotedNames(tracked),
      plainLine(command),
    ),
    isWarning: true,
    actions: [{ label, run: async () => vscode.env.clipboard.writeText(command) }],
  };
}
