// "Edit" opens memories, and "Open Index" the index of one scope.

import * as vscode from 'vscode';
import { infoIfPresent } from '../../base/files.ts';
import { COMMANDS } from '../../manifest.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { offer } from '../host/ask.ts';
import { chooseFiles } from '../picks/chooseRecords.ts';
import { chooseScope, scopesWithRecords } from '../picks/chooseScope.ts';

export async function editMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const files = await chooseFiles(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to edit'),
    nothing: vscode.l10n.t('Nothing is remembered yet.'),
  });
  for (const { path } of files)
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

export async function openIndex(scopes: MemoryScopes): Promise<void> {
  const holders = await scopesWithRecords(scopes.all);
  if (holders.length === 0) {
    const text = vscode.l10n.t('There is no index yet, since nothing is remembered.');
    if (await offer(text, vscode.l10n.t('New Memory')))
      await vscode.commands.executeCommand(COMMANDS.newMemory);
    return;
  }
  const scope = await chooseScope(holders, {
    title: vscode.l10n.t('Open Index'),
    placeHolder: vscode.l10n.t('Whose index?'),
  });
  if (!scope) return;
  const { store } = scope;
  if (!(await infoIfPresent(store.indexPath))) await store.rebuildIndex();
  await vscode.window.showTextDocument(vscode.Uri.file(store.indexPath));
}
