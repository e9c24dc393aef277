// Where to import from: what other agents keep on this computer, or a file or folder that the person chooses.

import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { chosenSource, type ImportSource } from '../../memory/exchange/importSources.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { figure } from '../text/figures.ts';
import { plainLine } from '../text/plainText.ts';

/** Undefined when the person leaves. */
export async function pickImportSource(
  sources: readonly ImportSource[],
): Promise<ImportSource | undefined> {
  const ofScope = (scope: ImportSource['scope']) =>
    sources.filter((source) => source.scope === scope).map(itemOf);
  const picked = await vscode.window.showQuickPick<Item>(
    [
      ...pickGroup(vscode.l10n.t('This workspace'), ofScope('workspace')),
      ...pickGroup(vscode.l10n.t('All workspaces'), ofScope('personal')),
      ...pickGroup(vscode.l10n.t('Elsewhere'), [
        {
          label: vscode.l10n.t('Choose a File…'),
          detail: vscode.l10n.t('Markdown, or what “Memory: Export” wrote.'),
          source: () => choose({ canSelectFiles: true, canSelectFolders: false }),
        },
        {
          label: vscode.l10n.t('Choose a Folder…'),
          detail: vscode.l10n.t('With one memory in each Markdown file.'),
          source: () => choose({ canSelectFiles: false, canSelectFolders: true }),
        },
      ]),
    ],
    {
      title: vscode.l10n.t('Import Memories'),
      placeHolder: vscode.l10n.t('Where from? You choose what to keep before anything is saved.'),
      matchOnDescription: true,
    },
  );
  return picked?.source?.();
}

type Item = vscode.QuickPickItem & {
  readonly source?: () => Promise<ImportSource | undefined>;
};

function itemOf(source: ImportSource): Item {
  const { files, kind } = source;
  const place = plainLine(shownPath(source.path));
  return {
    label: kindText(kind),
    description:
      files.length === 1 ? place : vscode.l10n.t('{0} · {1} files', place, figure(files.length)),
    source: () => Promise.resolve(source),
  };
}

function kindText(kind: ImportSource['kind']): string {
  const texts: Record<ImportSource['kind'], string> = {
    claudeMemory: vscode.l10n.t('Claude Code memories'),
    instructions: vscode.l10n.t('Instructions for agents'),
    copilot: vscode.l10n.t('Copilot instructions and notes'),
    cursor: vscode.l10n.t('Cursor rules'),
    chosen: vscode.l10n.t('Chosen by you'),
  };
  return texts[kind];
}

/** From the workspace folder, or from the home folder as a shell writes it. */
function shownPath(file: string): string {
  const relative = vscode.workspace.asRelativePath(file);
  if (relative !== file) return relative;
  const home = os.homedir() + path.sep;
  return file.startsWith(home) ? `~${path.sep}${file.slice(home.length)}` : file;
}

async function choose(
  kinds: Pick<vscode.OpenDialogOptions, 'canSelectFiles' | 'canSelectFolders'>,
): Promise<ImportSource | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      ...kinds,
      title: vscode.l10n.t('Import Memories'),
      openLabel: vscode.l10n.t('Import'),
    })) ?? [];
  return chosen && chosenSource(chosen.fsPath);
}
