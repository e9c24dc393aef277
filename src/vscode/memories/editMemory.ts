// "Edit" opens a memory, and "Open Index" the index of one scope.

import * as vscode from 'vscode';
import { infoIfPresent } from '../../base/files.ts';
import { COMMANDS } from '../../manifest.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { choosePath } from '../picks/chooseRecords.ts';
import { chooseScope, scopesWithRecords } from '../picks/chooseScope.ts';

export async function editMemory(scopes: MemoryScopes, [row]: readonly unknown[]): Promise<void> {
  const path = await choosePath(scopes, row);
  if (path === undefined) return;
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

export async function openIndex(scopes: MemoryScopes): Promise<void> {
  const holders = await scopesWithRecords(scopes.all);
  if (holders.length === 0) {
    const create = vscode.l10n.t('New Memory');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('There is no index yet, since nothing is remembered.'),
      create,
    );
    if (choice === create) await vscode.commands.executeCommand(COMMANDS.newMemory);
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
