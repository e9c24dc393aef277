// The chat participant @memory. How it answers is read from the disk at the first request: a window opens without that.

import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { PARTICIPANT_ID } from '../../manifest.ts';
import { LateAnswers } from '../../memory/recall/lateAnswers.ts';
import type { ParticipantDeps } from './chatExchange.ts';
import { followupsOf } from './followups.ts';
import { registerRecallReceipts } from './recallReceiptLink.ts';
import { UsageLine } from './usageLine.ts';

/** `prepare` is called for each request. */
export function registerParticipant(
  log: Log,
  prepare: () => Promise<ParticipantDeps>,
): vscode.Disposable {
  const lateAnswers = new LateAnswers();
  const usageLine = new UsageLine(log);
  const participant = vscode.chat.createChatParticipant(
    PARTICIPANT_ID,
    async (request, context, response, token) => {
      const { answer } = await import('./answer.ts');
      return answer(await prepare(), { request, context, response, lateAnswers, usageLine }, token);
    },
  );
  participant.iconPath = new vscode.ThemeIcon('notebook');
  participant.followupProvider = { provideFollowups: (result) => followupsOf(result) };
  return vscode.Disposable.from(participant, registerRecallReceipts());
}
