// What a command says where the workspace is not trusted, with the way to trust it.

import * as vscode from 'vscode';

export async function offerTrust(): Promise<void> {
  const button = vscode.l10n.t('Manage Trust');
  const text = vscode.l10n.t('Memories are not used until you trust the workspace.');
  const choice = await vscode.window.showInformationMessage(text, button);
  if (choice === button) await vscode.commands.executeCommand('workbench.trust.manage');
}
