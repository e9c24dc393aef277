// Memory: Compact Session. Asks for it in the chat that is shown, where its outcome is told.

import * as vscode from 'vscode';
import { PARTICIPANT_NAME } from '../../manifest.ts';

export async function compactInChat(): Promise<void> {
  // Without `isPartialQuery` VS Code sends it at once. Older versions do not know how to keep what stands in the input.
  const asked = { query: `@${PARTICIPANT_NAME} /compact`, preserveInput: true };
  await vscode.commands.executeCommand('workbench.action.chat.open', asked);
}
