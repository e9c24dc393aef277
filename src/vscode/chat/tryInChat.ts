// A first sentence in the chat for someone new.

import * as vscode from 'vscode';
import { PARTICIPANT_NAME } from '../../manifest.ts';

/** Writes it into the input. The person sends it, or another one. */
export async function tryInChat(): Promise<void> {
  const sentence = vscode.l10n.t('I prefer tabs for indentation, not spaces. Remember that.');
  const query = `@${PARTICIPANT_NAME} ${sentence}`;
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query,
    isPartialQuery: true,
  });
}
