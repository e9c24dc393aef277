// One turn of conversation, from the person's request to what is learned from it. Read this file first.

import { userText } from '../models/model.ts';
import type { SessionTurn, TurnRef } from '../sessions/session.ts';
import { withoutThrowing, type Emit } from './events.ts';
import type { Learned, LearningRequest } from './learning.ts';
import { runLoop, type Outcome } from './loop.ts';
import { sharedListing, type SessionDeps, type SessionRequest } from './sessionDeps.ts';
import { openWindow } from './sessionWindow.ts';
import { recallForTurn } from './turnRecall.ts';

export interface TurnRequest extends SessionRequest {
  /** The person's words. */
  readonly text: string;
  readonly maxRounds: number;
  readonly onLearningStep?: NonNullable<LearningRequest['onStep']>;
}

export interface TurnResult {
  readonly ref: TurnRef;
  readonly outcome: Outcome;
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
    const beforeLeaving = async () => undefined;
    const window = openWindow(deps, request, { turn, records, emit: show, beforeLeaving });
    return runLoop({ model, tools, maxRounds, turn, window, emit: show }, signal);
  };
  try {
    const message = userText(text.toWellFormed());
    const log = [...turn.log(), message];
    const context = await recallForTurn(deps, request, { turn, log, records }, show, signal);
    turn.append(message, {
      role: 'user',
      content: context ? [context, ...message.content] : message.content,
    });
    const outcome: Outcome = signal.aborted ? { kind: 'cancelled' } : await answer();
    return { ref: turn.ref, outcome, learning: learn(deps, request, turn, outcome) };
  } finally {
    turn.end();
  }
}

function learn(
  deps: SessionDeps,
  request: TurnRequest,
  turn: SessionTurn,
  outcome: Outcome,
): Promise<Learned> | undefined {
  // Without a folder nothing is saved unasked: personal memories are what the person puts there.
  if (!deps.memory?.scopes.workspace.length || request.extraction === 'off') {
    // Also later, when it is switched on: what was said before that is not looked at.
    turn.markLearned();
    return undefined;
  }
  // The words of a turn that broke off are looked at after the next one.
  if (outcome.kind !== 'completed' && outcome.kind !== 'roundLimit') return undefined;
  return deps.memory.learning.learn({
    messages: turn.log(),
    learned: () => turn.learned(),
    onLearned: () => turn.markLearned(),
    model: request.utilityModel,
    ...(request.onLearningStep ? { onStep: request.onLearningStep } : {}),
  });
}
