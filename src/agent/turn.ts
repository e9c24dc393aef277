// One turn of conversation, from the person's request to what is learned from it. Read this file first.

import { sentenceOf } from '../base/sentence.ts';
import {
  ModelError,
  userText,
  type AttachmentBlock,
  type ImageBlock,
  type UserMessage,
} from '../models/model.ts';
import type { SessionTurn, TurnRef } from '../sessions/session.ts';
import type { Caller } from './caller.ts';
import { withoutThrowing, type Emit } from './events.ts';
import type { Learned } from './learning/learned.ts';
import type { LearningRequest } from './learning/learning.ts';
import { forgoLearning, learnBeforeLeaving, learnFromTurn } from './learning/turnLearning.ts';
import { runLoop, type Outcome } from './loop.ts';
import type { WholeFile } from './seenFiles.ts';
import {
  sharedListing,
  type Listing,
  type SessionDeps,
  type SessionRequest,
} from './sessionDeps.ts';
import { openWindow } from './sessionWindow.ts';
import { taskRunner } from './task/taskRun.ts';
import { recallForTurn } from './turnRecall.ts';
import { leftOutNote, workIn, type TurnWork } from './turnWork.ts';

export interface TurnRequest extends SessionRequest {
  /** The person's words. */
  readonly text: string;
  /** What they attached, within the caps of a request. */
  readonly attachments?: readonly (AttachmentBlock | ImageBlock)[];
  /** Files among them that the model is shown whole, so that it need not read them before it changes them. */
  readonly wholeFiles?: readonly WholeFile[];
  readonly maxRounds: number;
  readonly onLearningStep?: NonNullable<LearningRequest['onStep']>;
  /** What turns wrote that are left out of the conversation since a model refused them. */
  readonly leftOutFiles?: readonly string[];
}

export interface TurnResult {
  readonly ref: TurnRef;
  readonly outcome: Outcome;
  /** Undefined when no tool was run. */
  readonly work: TurnWork | undefined;
  /** Ends after the turn, in the background, and never rejects. Undefined when nothing is to be learned. */
  readonly learning: Promise<Learned> | undefined;
}

export async function runTurn(
  deps: SessionDeps,
  request: TurnRequest,
  emit: Emit,
  signal: AbortSignal,
): Promise<TurnResult> {
  const { text, previous, unfinished, visibleHistory: seed } = request;
  const turn = await deps.sessions.begin({ previous, unfinished, seed, request: text });
  const show = withoutThrowing(emit, deps.log);
  const records = sharedListing(deps);
  try {
    const message = requestMessage(request);
    const log = [...turn.log(), message];
    const recalled = await recallForTurn(deps, request, { turn, log, records }, show, signal);
    const told = [...leftOutNote(request.leftOutFiles), ...(recalled ? [recalled] : [])];
    turn.append(message, { role: 'user', content: [...told, ...message.content] });
    forgoLearning(deps, request, turn);
    const outcome = await answer(deps, request, { turn, records, emit: show }, signal);
    const work = workIn(turn.log().slice(log.length));
    return { ref: turn.ref, outcome, work, learning: learnFromTurn(deps, request, turn) };
  } finally {
    turn.end();
  }
}

function requestMessage({ text, attachments = [] }: TurnRequest): UserMessage {
  return { role: 'user', content: [...attachments, ...userText(text.toWellFormed()).content] };
}

interface BegunTurn {
  readonly turn: SessionTurn;
  readonly records: Listing;
  readonly emit: Emit;
}

/** Never throws: what was done before something failed stays in the session, and can be gone on from. */
async function answer(
  deps: SessionDeps,
  request: TurnRequest,
  { turn, records, emit }: BegunTurn,
  signal: AbortSignal,
): Promise<Outcome> {
  if (signal.aborted) return { kind: 'cancelled' };
  const { model, tools, maxRounds, wholeFiles = [] } = request;
  try {
    const beforeLeaving = () => learnBeforeLeaving(deps, request, turn, signal);
    const window = openWindow(deps, request, { turn, records, emit, beforeLeaving });
    const seen = deps.seen.of(turn.ref.sessionId);
    for (const { real, text } of wholeFiles) seen.note(real, text);
    const caller: Caller = { seen, emit, runTask: taskRunner(deps, request, { turn, emit }) };
    return await runLoop({ model, tools, maxRounds, turn, window, emit, caller }, signal);
  } catch (cause) {
    if (cause instanceof ModelError) return { kind: 'failed', error: cause };
    return { kind: 'failed', error: new ModelError('other', sentenceOf(cause), { cause }) };
  }
}
