// "Export": memories as one Markdown file, which import reads back, or as a folder of their files. Nothing that
// stands there is written over unless the person says so.

import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { settleEach } from '../../base/atMost.ts';
import {
  copyNewFile,
  createFileAtomically,
  listFolder,
  lookNow,
  makeFolder,
  writeFileAtomically,
} from '../../base/files.ts';
import { READ_AT_ONCE } from '../../memory/folder/manySteps.ts';
import { exportFiles } from '../../memory/exchange/exportFiles.ts';
import { printExport } from '../../memory/exchange/exportMarkdown.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { secretIn } from '../../memory/secrets/secrets.ts';
import { withProgress } from '../host/progress.ts';
import { confirm, offer } from '../host/ask.ts';
import { chooseScopes, scopesWithRecords } from '../picks/chooseScope.ts';
import { figure } from '../text/figures.ts';
import { quotedNames } from '../text/recordNames.ts';

const EXPORT_NAME = 'memories';

export async function exportMemories(scopes: MemoryScopes): Promise<void> {
  const holders = await scopesWithRecords(scopes.all);
  if (holders.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no memory to export.'));
    return;
  }
  const title = vscode.l10n.t('Export Memories');
  const placeHolder = vscode.l10n.t('Which memories?');
  const chosen = await chooseScopes(holders, { title, placeHolder });
  if (chosen.length === 0) return;
  const form = await vscode.window.showQuickPick(forms(), {
    title,
    placeHolder: vscode.l10n.t('Export to what?'),
  });
  const records = await recordsOf(chosen);
  if (!form || !(await mayLeave(records))) return;
  const opened = await form.write(records);
  if (opened) void tell(opened);
}

/** What is exported may be passed on, so a secret in it is not to go unseen. */
async function mayLeave(records: readonly MemoryRecord[]): Promise<boolean> {
  const holders = records.filter(({ name, description, body }) =>
    secretIn([name, description, body].join('\n')),
  );
  if (holders.length === 0) return true;
  return confirm({
    text: vscode.l10n.t('Export secrets too?'),
    detail: vscode.l10n.t(
      'These hold what looks like a key or a password: {0}',
      quotedNames(holders),
    ),
    button: vscode.l10n.t('Export Anyway'),
  });
}

interface Form extends vscode.QuickPickItem {
  /** The file to open afterwards; undefined when the person leaves. */
  readonly write: (records: readonly MemoryRecord[]) => Promise<Written | undefined>;
}

interface Written {
  readonly count: number;
  readonly to: string;
  /** The file to look at. */
  readonly file: string;
}

function forms(): readonly Form[] {
  return [
    {
      label: vscode.l10n.t('One Markdown File…'),
      detail: vscode.l10n.t('To read, or to import elsewhere.'),
      write: exportToFile,
    },
    {
      label: vscode.l10n.t('A Folder…'),
      detail: vscode.l10n.t('A copy of each file, with an index of them.'),
      write: exportToFolder,
    },
  ];
}

async function recordsOf(scopes: readonly Scope[]): Promise<readonly MemoryRecord[]> {
  const lists = await Promise.all(scopes.map(({ store }) => store.list()));
  return lists.flatMap(({ records }) => records);
}

async function exportToFile(records: readonly MemoryRecord[]): Promise<Written | undefined> {
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Memories'),
    defaultUri: vscode.Uri.joinPath(startFolder(), `${EXPORT_NAME}.md`),
    filters: { Markdown: ['md'] },
    saveLabel: vscode.l10n.t('Export'),
  });
  if (!file) return undefined;
  const text = printExport(records);
  if (!(await createFileAtomically(file.fsPath, text))) {
    // The dialog asks too, but not of a name to which it adds the ending itself.
    if (!(await mayReplace(file.fsPath))) return undefined;
    await writeFileAtomically(file.fsPath, text);
  }
  return { count: records.length, to: file.fsPath, file: file.fsPath };
}

function mayReplace(file: string): Promise<boolean> {
  return confirm({
    text: vscode.l10n.t('“{0}” exists. Replace it?', path.basename(file)),
    detail: vscode.l10n.t('What is in it now is lost.'),
    button: vscode.l10n.t('Replace'),
  });
}

async function exportToFolder(records: readonly MemoryRecord[]): Promise<Written | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Export Memories'),
      defaultUri: startFolder(),
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Export Here'),
    })) ?? [];
  if (!chosen) return undefined;
  const folder = await freeFolder(chosen.fsPath);
  await makeFolder(folder);
  const { copies, index } = exportFiles(records);
  const title = vscode.l10n.t('Exporting memories…');
  await withProgress({ title }, async (onProgress) => {
    let count = 0;
    const copied = await settleEach(copies, READ_AT_ONCE, async ({ name, from }) => {
      await copyNewFile(from, path.join(folder, name));
      onProgress(++count, copies.length);
    });
    const [failure] = copied.failures;
    if (failure) throw failure.error;
  });
  const file = path.join(folder, index.name);
  await createFileAtomically(file, index.text);
  return { count: records.length, to: folder, file };
}

/** The folder itself when it is empty, else a new one in it. */
async function freeFolder(chosen: string): Promise<string> {
  if ((await listFolder(chosen)).length === 0) return chosen;
  for (let number = 1; ; number++) {
    const name = number === 1 ? EXPORT_NAME : `${EXPORT_NAME}-${number}`;
    if (!lookNow(path.join(chosen, name))) return path.join(chosen, name);
  }
}

/** Outside the workspace, where git might take what is private. */
function startFolder(): vscode.Uri {
  return vscode.Uri.file(os.homedir());
}

async function tell({ count, to, file }: Written): Promise<void> {
  const message =
    count === 1
      ? vscode.l10n.t('1 memory exported to {0}.', to)
      : vscode.l10n.t('{0} memories exported to {1}.', figure(count), to);
  if (await offer(message, vscode.l10n.t('Open')))
    await vscode.window.showTextDocument(vscode.Uri.file(file));
}
