// One turn of conversation, from the person's request to what is learned from it. Read this file first.

import { errorText } from '../base/log.ts';
import { recallContext, recallDialogue, recallMemories } from '../memory/recall.ts';
import { ModelError, userText, type ContextBlock, type Message } from '../models/model.ts';
import type { SessionTurn, TurnRef } from '../sessions/session.ts';
import { withoutThrowing, type Emit } from './events.ts';
import type { Learned, LearningRequest } from './learning.ts';
import { runLoop, type Outcome } from './loop.ts';
import {
  openWindow,
  sharedListing,
  type Listing,
  type SessionDeps,
  type SessionRequest,
} from './sessionWindow.ts';

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
    const window = openWindow(deps, request, { turn, records, emit: show });
    return runLoop({ model, tools, maxRounds, turn, window, emit: show }, signal);
  };
  try {
    const message = userText(text.toWellFormed());
    const log = [...turn.log(), message];
    const context = await recall(deps, request, { turn, log, records }, show, signal);
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

/** Chooses records for the request and returns the block that stands in front of it. Never fails a turn. */
async function recall(
  deps: SessionDeps,
  request: TurnRequest,
  history: { turn: SessionTurn; log: readonly Message[]; records: Listing },
  emit: Emit,
  signal: AbortSignal,
): Promise<ContextBlock | undefined> {
  if (!deps.memory || request.recall === 'off') return undefined;
  try {
    const records = await history.records();
    const recalled = await recallMemories(
      {
        records,
        dialogue: recallDialogue(history.log),
        model: request.utilityModel,
        log: deps.log,
      },
      signal,
    );
    if (recalled.length > 0) emit({ type: 'recalled', records: recalled });
    const standing = standingRecords(history.turn.working());
    const [folder] = request.folders;
    return recallContext({ recalled, standing, existing: records, folder, now: deps.now() });
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cancelled')) {
      deps.log.error(`[recall] ${errorText(error)}`);
    }
    return undefined;
  }
}

/** The records that already stand in the working history: path to content hash, the latest wins. */
function standingRecords(working: readonly Message[]): ReadonlyMap<string, string> {
  const standing = new Map<string, string>();
  for (const message of working) {
    for (const block of message.content) {
      if (block.type !== 'context') continue;
      for (const [path, hash] of Object.entries(block.records)) standing.set(path, hash);
    }
  }
  return standing;
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
