// The chat participant @memory. How it answers is read from the disk at the first request: a window opens without that.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { PARTICIPANT_ID } from '../../manifest.ts';
import { LateAnswers } from '../../memory/recall/lateAnswers.ts';
import { lateCode } from '../host/lateCode.ts';
import { plainLine } from '../text/plainText.ts';
import { errorSentence } from '../text/sentenceText.ts';
import { reloadButton } from './buttons.ts';
import type { ParticipantDeps } from './chatExchange.ts';
import { followupsOf } from './followups.ts';
import { NO_TURN } from './noTurn.ts';
import { registerRecallReceipts } from './recallReceiptLink.ts';
import { UsageLine } from './usageLine.ts';

/** `prepare` is called for each request. */
export function registerParticipant(
  log: Log,
  prepare: () => Promise<ParticipantDeps>,
): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, answering(log, prepare));
  participant.iconPath = new vscode.ThemeIcon('notebook');
  participant.followupProvider = { provideFollowups: (result) => followupsOf(result) };
  return vscode.Disposable.from(participant, registerRecallReceipts());
}

export function answering(
  log: Log,
  prepare: () => Promise<ParticipantDeps>,
): vscode.ChatRequestHandler {
  const lateAnswers = new LateAnswers();
  const usageLine = new UsageLine(log);
  const code = lateCode(() => import('./answer.ts'), log);
  return async (request, context, response, token) => {
    try {
      const [{ answer }, deps] = await Promise.all([code(), prepare()]);
      return await answer(deps, { request, context, response, lateAnswers, usageLine }, token);
    } catch (error) {
      // An answer tells of its own failures: this one did not begin.
      log.error(`[chat] ${errorText(error)}`);
      reloadButton(response);
      return { errorDetails: { message: plainLine(errorSentence(error)) }, metadata: NO_TURN };
    }
  };
}
