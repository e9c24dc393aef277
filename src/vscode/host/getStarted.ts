// The ways into the product for someone new: the walkthrough, and a first sentence in the chat.

import * as vscode from 'vscode';
import { EXTENSION_ID, PARTICIPANT_NAME, WALKTHROUGH_ID } from '../../manifest.ts';

export async function openWalkthrough(): Promise<void> {
  const id = `${EXTENSION_ID}#${WALKTHROUGH_ID}`;
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
}

/** Writes a sentence into the input of the chat. The person sends it, or another one. */
export async function tryInChat(): Promise<void> {
  const sentence = vscode.l10n.t('I prefer tabs for indentation, not spaces. Remember that.');
  const query = `@${PARTICIPANT_NAME} ${sentence}`;
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query,
    isPartialQuery: true,
  });
}
