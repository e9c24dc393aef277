// Compacts a session between two turns, because the person asks for it. What comes of it is a turn of its own
// without words, from which the next request goes on.

import type { DemandOutcome } from '../context/compaction.ts';
import { ModelError } from '../models/model.ts';
import type { TurnRef } from '../sessions/session.ts';
import { withoutThrowing, type Emit } from './events.ts';
import { sharedListing, type SessionDeps, type SessionRequest } from './sessionDeps.ts';
import { openWindow } from './sessionWindow.ts';
import { learnBeforeLeaving } from './learning/turnLearning.ts';

interface CompactResult {
  readonly ref: TurnRef;
  readonly outcome: DemandOutcome | { readonly kind: 'cancelled' };
}

/** `focus` is what the summary is to keep in particular. A compaction is announced as in a turn. Does not throw for
 * what a model does, or when nothing can be archived. */
export async function compactSession(
  deps: SessionDeps,
  request: SessionRequest & { readonly focus: string },
  emit: Emit,
  signal: AbortSignal,
): Promise<CompactResult> {
  const { previous, unfinished, visibleHistory: seed } = request;
  const turn = await deps.sessions.begin({ previous, unfinished, seed });
  const window = openWindow(deps, request, {
    turn,
    records: sharedListing(deps),
    emit: withoutThrowing(emit, deps.log),
    beforeLeaving: () => learnBeforeLeaving(deps, request, turn, signal),
  });
  try {
    return { ref: turn.ref, outcome: await window.compact(request.focus, signal) };
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cancelled')) throw error;
    return { ref: turn.ref, outcome: { kind: 'cancelled' } };
  } finally {
    turn.end();
    deps.memory?.learning.tellCollected();
  }
}
