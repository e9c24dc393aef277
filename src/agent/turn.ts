// One turn of conversation, from the person's request to what is learned from it. Read this file first.

import { errorText } from '../base/log.ts';
import {
  controlText,
  ModelError,
  userText,
  type AttachmentBlock,
  type ContextBlock,
  type ImageBlock,
  type Message,
  type UserMessage,
} from '../models/model.ts';
import type { Caller } from './caller.ts';
import { ChangedFiles } from './changedFiles.ts';
import type { TurnRef } from '../sessions/session.ts';
import { withoutThrowing, type Emit } from './events.ts';
import type { Learned } from './learned.ts';
import type { LearningRequest } from './learning.ts';
import { runLoop, type Outcome } from './loop.ts';
import type { WholeFile } from './seenFiles.ts';
import { sharedListing, type SessionDeps, type SessionRequest } from './sessionDeps.ts';
import { openWindow } from './sessionWindow.ts';
import { taskRunner } from './taskRun.ts';
import { forgoLearning, learnBeforeLeaving, learnFromTurn } from './turnLearning.ts';
import { recallForTurn } from './turnRecall.ts';

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
  readonly work: { readonly files: readonly string[] } | undefined;
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
  const answer = async (): Promise<Outcome> => {
    const { model, tools, maxRounds } = request;
    const beforeLeaving = () => learnBeforeLeaving(deps, request, turn, signal);
    const window = openWindow(deps, request, { turn, records, emit: show, beforeLeaving });
    const seen = deps.seen.of(turn.ref.sessionId);
    for (const { real, text } of request.wholeFiles ?? []) seen.note(real, text);
    const caller: Caller = {
      seen,
      emit: show,
      runTask: taskRunner(deps, request, { turn, emit: show }),
    };
    return runLoop({ model, tools, maxRounds, turn, window, emit: show, caller }, signal);
  };
  try {
    const { attachments = [] } = request;
    const message: UserMessage = {
      role: 'user',
      content: [...attachments, ...userText(text.toWellFormed()).content],
    };
    const log = [...turn.log(), message];
    const recalled = await recallForTurn(deps, request, { turn, log, records }, show, signal);
    const told = [...leftOutNote(request.leftOutFiles), ...(recalled ? [recalled] : [])];
    turn.append(message, { role: 'user', content: [...told, ...message.content] });
    forgoLearning(deps, request, turn);
    const outcome: Outcome = signal.aborted ? { kind: 'cancelled' } : await answer().catch(failed);
    const work = workIn(turn.log().slice(log.length));
    return { ref: turn.ref, outcome, work, learning: learnFromTurn(deps, request, turn) };
  } finally {
    turn.end();
  }
}

/** What was done up to then stays in the session, and can be gone on from. */
function failed(cause: unknown): Outcome {
  const error = cause instanceof ModelError ? cause : undefined;
  return { kind: 'failed', error: error ?? new ModelError('other', errorText(cause), { cause }) };
}

function leftOutNote(files: readonly string[] = []): readonly ContextBlock[] {
  if (files.length === 0) return [];
  const note = `A request before this one is left out of this conversation, since it could not be answered. Files were written for it, which stay as they are: ${files.join(', ')}. Read them again before you change them.`;
  return [controlText(note)];
}

function workIn(messages: readonly Message[]): TurnResult['work'] {
  const hasResults = messages.some(({ content }) =>
    content.some((block) => block.type === 'tool_result'),
  );
  return hasResults ? { files: new ChangedFiles().in(messages) } : undefined;
}
