// "Delete Conversation History": the conversations of this workspace and what was archived of them leave the disk for
// good, after a question that says so.

import * as vscode from 'vscode';
import type { Archive } from '../context/archive.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

interface DeleteSessionsDeps {
  readonly sessions: SessionStore;
  readonly archives: readonly Archive[];
}

export async function deleteSessions({ sessions, archives }: DeleteSessionsDeps): Promise<void> {
  if (!(await confirmed())) return;
  const removed = await sessions.removeAll();
  for (const archive of archives) await archive.removeAll();
  const told =
    removed === 1
      ? vscode.l10n.t('1 conversation and its archive were deleted.')
      : vscode.l10n.t('{0} conversations and their archives were deleted.', removed);
  void vscode.window.showInformationMessage(told);
}

async function confirmed(): Promise<boolean> {
  const question = vscode.l10n.t('Delete what @memory keeps of the chats in this workspace?');
  const detail = vscode.l10n.t(
    'Their tool calls and results, the history that the agent can search, and the archives of long conversations are deleted for good. Your memories stay, and so does the text that VS Code shows of a chat.',
  );
  const yes = vscode.l10n.t('Delete');
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, yes)) === yes;
}
