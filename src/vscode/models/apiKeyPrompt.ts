// Asks for the Anthropic API key and stores it. The key is never echoed, logged or put into a message.

import * as vscode from 'vscode';
import { confirm } from '../host/ask.ts';
import type { ApiKey } from '../host/settings.ts';

const KEYS_PAGE = 'https://console.anthropic.com/settings/keys';

/** Resolves when the key is stored or removed, or the person has left. An empty answer offers to remove it. */
export async function promptForApiKey(apiKey: ApiKey): Promise<void> {
  const stored = (await apiKey.source()) === 'secret';
  // Links in a prompt are written as in Markdown.
  const where = vscode.l10n.t('Get one on [Anthropic’s API keys page]({0}).', KEYS_PAGE);
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('Anthropic API Key'),
    prompt: stored
      ? vscode.l10n.t('A key is stored. Leave this empty to remove it. {0}', where)
      : vscode.l10n.t('Your key is kept in the secret storage of VS Code. {0}', where),
    placeHolder: 'sk-ant-…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => keyProblem(value.trim(), stored),
  });
  if (answer === undefined) return;
  const key = answer.trim();
  if (key === '') {
    await offerToRemove(apiKey);
    return;
  }
  await apiKey.set(key);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Anthropic API key stored.'), 5000);
}

function keyProblem(key: string, stored: boolean): string | undefined {
  if (key === '') return stored ? undefined : vscode.l10n.t('Enter a key, or press Escape.');
  // Anything else cannot stand in a request header; it is a slip of the clipboard.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return vscode.l10n.t('A key has no spaces, line breaks or accented letters. Copy it again.');
  }
  return undefined;
}

async function offerToRemove(apiKey: ApiKey): Promise<void> {
  const text = vscode.l10n.t('Remove the stored Anthropic API key?');
  if (!(await confirm({ text, button: vscode.l10n.t('Remove') }))) return;
  await apiKey.clear();
  const next = await apiKey.source();
  vscode.window.setStatusBarMessage(
    next === 'environment'
      ? vscode.l10n.t('Anthropic API key removed. The one in ANTHROPIC_API_KEY is used now.')
      : vscode.l10n.t('Anthropic API key removed.'),
    5000,
  );
}
