// "Delete Conversation History": the conversations of this workspace and what was archived of them leave the disk for
// good, after a question that says so. One that is running stays whole.

import * as vscode from 'vscode';
import type { Archive } from '../../context/archive.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';
import { confirm } from '../host/ask.ts';
import { figure } from '../text/figures.ts';

interface DeleteSessionsDeps {
  readonly sessions: SessionStore;
  readonly archives: readonly Archive[];
}

export async function deleteSessions({ sessions, archives }: DeleteSessionsDeps): Promise<void> {
  const isSure = await confirm({
    text: vscode.l10n.t('Delete what @memory keeps of the conversations in this workspace?'),
    detail: vscode.l10n.t(
      'Their tool calls and results, the history that the agent can search, and the archives of long conversations are deleted for good. Your memories stay, and so does the text that VS Code shows in a chat.',
    ),
    button: vscode.l10n.t('Delete'),
  });
  if (!isSure) return;
  // The archives first: they are deleted also where the history cannot be, as when another window holds it.
  const except = sessions.runningSessions();
  for (const archive of archives) await archive.removeAll({ except });
  const removed = await sessions.removeAll();
  const told = except.length > 0 ? partText(removed) : allText(removed);
  void vscode.window.showInformationMessage(told);
}

function allText(removed: number): string {
  if (removed === 0) return vscode.l10n.t('There were no conversations to delete.');
  return removed === 1
    ? vscode.l10n.t('1 conversation and its archive were deleted.')
    : vscode.l10n.t('{0} conversations and their archives were deleted.', figure(removed));
}

function partText(removed: number): string {
  return vscode.l10n.t(
    'Archived tool results were kept, since a conversation is running: delete again when it has ended. Conversations deleted: {0}.',
    figure(removed),
  );
}
