// "Reveal in Explorer": the file of a memory among the others, so that it can be dragged, compared or sent. Personal
// memories lie in no folder of the workspace: the system shows those, or a window of their own where it cannot.

import path from 'node:path';
import * as vscode from 'vscode';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { offer } from '../host/ask.ts';
import { chooseFile } from '../picks/chooseRecords.ts';

export async function revealMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const file = await chooseFile(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to reveal'),
    nothing: vscode.l10n.t('Nothing is remembered yet.'),
  });
  if (!file) return;
  const uri = vscode.Uri.file(file.path);
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
  } else if (vscode.env.remoteName === undefined) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
  } else {
    // The system that could show it is another computer's.
    await offerFolder(path.dirname(file.path));
  }
}

async function offerFolder(folder: string): Promise<void> {
  const text = vscode.l10n.t('Personal memories lie outside the workspace, in {0}.', folder);
  if (!(await offer(text, vscode.l10n.t('Open Folder in New Window')))) return;
  const options = { forceNewWindow: true };
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), options);
}
