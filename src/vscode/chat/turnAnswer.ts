// The answer to what a person writes: their words become a turn, and what comes of it is told at its end.

import * as vscode from 'vscode';
import type { TurnEvent } from '../../agent/events.ts';
import type { SessionDeps, SessionRequest } from '../../agent/sessionDeps.ts';
import { runTurn, type TurnRequest } from '../../agent/turn.ts';
import { errorText, type Log } from '../../base/log.ts';
import { MODEL_VENDOR } from '../../manifest.ts';
import type { SessionView } from '../../sessions/session.ts';
import { readWindowSettings } from '../host/settings.ts';
import { approveRecall } from './approveRecall.ts';
import { requestAttachments } from './attachments.ts';
import {
  emitTo,
  knownSession,
  meteredRequest,
  type Exchange,
  type Models,
  type ParticipantDeps,
} from './chatExchange.ts';
import { goingOn } from './chatHistory.ts';
import { followFoldedLines } from './foldedLines.ts';
import { lookAroundPrompt, type NextStep } from './followups.ts';
import { finishTurn } from './turnOutcome.ts';
import { tellUnsaved } from './unsavedRequest.ts';
import { tellUntrusted } from './untrustedLine.ts';

export async function answerTurn(
  deps: ParticipantDeps,
  exchange: Exchange,
  models: Models,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const { response } = exchange;
  const { metered, request, sessionDeps } = meteredRequest(deps, exchange, models);
  const { isTrusted } = vscode.workspace;
  tellUntrusted(response, { isTrusted, isFirst: request.previous === undefined });
  const before = await knownSession(sessionDeps, request, response);
  const attached = await attachmentsOf(exchange, request, before, signal);
  const folded = followFoldedLines();
  const seen = followTurn();
  const show = emitTo(deps, sessionDeps, response);
  const result = await runTurn(
    sessionDeps,
    { ...turnRequest(deps, exchange, request), ...attached },
    (event) => {
      folded.follow(event);
      seen.follow(event);
      show(event);
    },
    signal,
  );
  // First of all: the chat of a turn that was stopped may be closed by now, and refuses what it is shown.
  result.learning?.then(deps.onLearned).catch((error: unknown) => {
    deps.log.error(`[learning] What was learned could not be shown: ${errorText(error)}`);
  });
  const { memory } = sessionDeps;
  const tellAtEnd = () => {
    for (const line of folded.lines()) response.markdown(line);
    if (!memory || result.outcome.kind !== 'completed') return;
    const folders = memory.scopes.workspace.length;
    tellUnsaved(response, exchange.request.prompt, { extraction: request.extraction, folders });
  };
  unlessClosed(tellAtEnd, signal, deps.log);
  const isOwnModel = exchange.request.model.vendor === MODEL_VENDOR;
  const answeredTurn = { sessionDeps, request, isNear: seen.isNear() };
  const steps = await stepsAfter(exchange, answeredTurn).catch((error: unknown) => {
    deps.log.warn(`[chat] What may be wanted next is not known: ${errorText(error)}`);
    return [];
  });
  const end = { result, isOwnModel, isBegun: seen.isBegun(), steps };
  const answered = finishTurn(response, end, deps.log);
  metered.tell(response);
  return answered;
}

/** What an answer's end depends on. */
function followTurn() {
  let isBegun = false;
  let isNear = false;
  return {
    follow({ type }: TurnEvent) {
      if (type === 'text' || type === 'toolFinished') isBegun = true;
      if (type === 'compactionNear') isNear = true;
    },
    isBegun: () => isBegun,
    isNear: () => isNear,
  };
}

interface AnsweredTurn {
  readonly sessionDeps: SessionDeps;
  readonly request: SessionRequest;
  /** Whether the conversation is about to be compacted. */
  readonly isNear: boolean;
}

/** Behind a completed answer. Mostly nothing: the person knows what to say next. */
async function stepsAfter(
  { request: { prompt } }: Exchange,
  { sessionDeps: { memory }, request, isNear }: AnsweredTurn,
): Promise<readonly NextStep[]> {
  if (isNear) return [{ kind: 'compact' }];
  const { previous, folders, extraction } = request;
  const isFirst = previous === undefined && prompt.trim() !== lookAroundPrompt();
  if (!isFirst || !memory || folders.length === 0 || extraction === 'off') return [];
  const { records } = await memory.scopes.list();
  return records.length === 0 ? [{ kind: 'lookAround' }] : [];
}

function turnRequest(
  { onLearningStep }: ParticipantDeps,
  { request, context, response, lateAnswers }: Exchange,
  session: SessionRequest,
): TurnRequest {
  return {
    ...session,
    text: request.prompt,
    leftOutFiles: goingOn(context.history).leftOutFiles,
    maxRounds: readWindowSettings().maxRounds,
    lateAnswers,
    approveRecall: (proposal, stopped) => {
      response.progress(vscode.l10n.t('Waiting for you to choose which memories to send…'));
      return approveRecall(proposal, stopped);
    },
    onLearningStep,
  };
}

/** Else what the next request goes on from would be lost with a line that nobody can see any more. */
function unlessClosed(tell: () => void, signal: AbortSignal, log: Log): void {
  try {
    tell();
  } catch (error) {
    if (!signal.aborted) throw error;
    log.debug(`[chat] The end of a stopped answer could not be shown: ${errorText(error)}`);
  }
}

async function attachmentsOf(
  exchange: Exchange,
  { model }: SessionRequest,
  before: SessionView | undefined,
  signal: AbortSignal,
): Promise<Pick<TurnRequest, 'attachments' | 'wholeFiles'>> {
  return requestAttachments(
    {
      request: exchange.request,
      response: exchange.response,
      inputLimit: model.limits.input,
      working: before?.working() ?? [],
      isTrusted: vscode.workspace.isTrusted,
    },
    signal,
  );
}
