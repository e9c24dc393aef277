// The context window of a session, opened for a turn or between two.

import type { SessionTurn } from '../sessions/session.ts';
import { ContextWindow, type ContextWindowOptions } from './contextWindow.ts';
import type { Emit } from './events.ts';
import type { Listing, SessionDeps, SessionRequest } from './sessionDeps.ts';
import { newSystemPrompt } from './sessionPrompt.ts';

interface WindowOptions extends Pick<ContextWindowOptions, 'beforeLeaving'> {
  readonly turn: SessionTurn;
  readonly records: Listing;
  readonly emit: Emit;
}

/** What the model is sent in a turn of this session. */
export function openWindow(
  deps: SessionDeps,
  request: SessionRequest,
  { turn, records, emit, beforeLeaving }: WindowOptions,
): ContextWindow {
  const { compactor, archive, log, now } = deps;
  const { model, tools, compaction: settings, utilityModel: summariser } = request;
  return new ContextWindow({
    turn,
    model,
    tools,
    compactor,
    settings,
    archive,
    summariser,
    emit,
    log,
    now,
    systemPrompt: () => newSystemPrompt(deps, request, records),
    beforeLeaving,
  });
}
