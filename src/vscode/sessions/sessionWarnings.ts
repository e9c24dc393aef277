// What keeps conversations from being kept, told to the person: what happened, what it means, what to do.

import * as vscode from 'vscode';
import { COMMANDS } from '../../manifest.ts';
import type { SessionProblem } from '../../sessions/session.ts';
import { offerAfterWarning } from '../host/ask.ts';
import { plainLine } from '../text/plainText.ts';

/** The store tells of each kind once, and logs it. */
export function tellSessionProblem(problem: SessionProblem): void {
  // The chat that it happened in tells of it.
  if (problem.kind !== 'lostTurn') void warn(warningText(problem));
}

async function warn(text: string): Promise<void> {
  if (await offerAfterWarning(text, vscode.l10n.t('Show Log')))
    await vscode.commands.executeCommand(COMMANDS.showLog);
}

function warningText(problem: Exclude<SessionProblem, { kind: 'lostTurn' }>): string {
  const file = plainLine(problem.file);
  switch (problem.kind) {
    case 'locked':
      return vscode.l10n.t(
        'Another program or window is using the file with your @memory chats. What is said now is kept in memory and written when the file is free; leave this window open until then: {0}',
        file,
      );
    case 'damaged':
      return vscode.l10n.t(
        'The file with your @memory chats is damaged. A new one was started; chats go on from the text that they show. The damaged one is kept: {0}',
        plainLine(problem.movedTo),
      );
    case 'newer':
      return vscode.l10n.t(
        'The file with your @memory chats was written by a newer version of Memory Agent, and is left as it is. Until you update, chats are kept only while this window is open.',
      );
    case 'unavailable':
      return vscode.l10n.t(
        'Your @memory chats cannot be kept on disk, so they last only while this window is open. The log says why; mend that and reload the window: {0}',
        file,
      );
  }
}
