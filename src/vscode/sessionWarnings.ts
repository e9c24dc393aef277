// What keeps conversations from being kept, told once each: what happened, what it means, what to do.

import * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import { COMMANDS } from '../manifest.ts';
import type { SessionProblem } from '../sessions/session.ts';
import { plainLine } from './plainText.ts';

export function createSessionWarnings(log: Log): (problem: SessionProblem) => void {
  const told = new Set<SessionProblem['kind']>();
  return (problem) => {
    log.warn(`[sessions] ${problem.kind}: ${problem.file}: ${problem.detail}`);
    // The chat that it happened in tells of it.
    if (problem.kind === 'lostTurn' || told.has(problem.kind)) return;
    told.add(problem.kind);
    void warn(warningText(problem));
  };
}

async function warn(text: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const choice = await vscode.window.showWarningMessage(text, showLog);
  if (choice === showLog) await vscode.commands.executeCommand(COMMANDS.showLog);
}

function warningText(problem: Exclude<SessionProblem, { kind: 'lostTurn' }>): string {
  const file = plainLine(problem.file);
  switch (problem.kind) {
    case 'locked':
      return vscode.l10n.t(
        'Another program holds the file with your @memory chats, so what is said now is written later. Close the program if this window is to be closed soon: {0}',
        file,
      );
    case 'corrupt':
      return vscode.l10n.t(
        'The file with your @memory chats is damaged. A new one was begun; chats go on from the text that they show. The damaged one is kept: {0}',
        plainLine(problem.movedTo),
      );
    case 'newer':
      return vscode.l10n.t(
        'The file with your @memory chats is of a newer version of Memory Agent, and is left as it is. Until you update, chats are kept only while this window is open.',
      );
    case 'unavailable':
      return vscode.l10n.t(
        'Your @memory chats cannot be written to disk, so they are kept only while this window is open. Make room or allow writing, then reload the window: {0}',
        file,
      );
  }
}
