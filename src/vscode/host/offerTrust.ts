// What a command says where the workspace is not trusted, with the way to trust it.

import * as vscode from 'vscode';
import { offer } from './ask.ts';

export async function offerTrust(): Promise<void> {
  const text = vscode.l10n.t('Memories are not used until you trust the workspace.');
  if (await offer(text, vscode.l10n.t('Manage Workspace Trust')))
    await vscode.commands.executeCommand('workbench.trust.manage');
}
