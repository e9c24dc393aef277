// The chat participant @memory. How it answers is read from the disk at the first request: a window opens without that.

import * as vscode from 'vscode';
import { PARTICIPANT_ID } from '../../manifest.ts';
import { LateAnswers } from '../../memory/recall/lateAnswers.ts';
import type { ParticipantDeps } from './chatExchange.ts';
import { followupsOf } from './followups.ts';
import { registerRecallReceipts } from './recallReceiptLink.ts';
import { UsageLine } from './usageLine.ts';

export function registerParticipant(deps: ParticipantDeps): vscode.Disposable {
  const lateAnswers = new LateAnswers();
  const usageLine = new UsageLine(deps.log);
  const participant = vscode.chat.createChatParticipant(
    PARTICIPANT_ID,
    async (request, context, response, token) => {
      const { answer } = await import('./answer.ts');
      return answer(deps, { request, context, response, lateAnswers, usageLine }, token);
    },
  );
  participant.iconPath = new vscode.ThemeIcon('notebook');
  participant.followupProvider = { provideFollowups: (result) => followupsOf(result) };
  return vscode.Disposable.from(participant, registerRecallReceipts());
}
