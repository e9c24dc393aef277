// Which turns no extraction has looked at: those that failed, those whose extraction failed, and those that a crash or
// a reload has cut off. The database tells, so that nothing is lost with a window.

import { textOf, type Database } from '../base/sqlite.ts';
import { isAtWork } from './cutOffTurns.ts';
import type { TurnRef, UnlearnedTurn } from './session.ts';
import type { SessionStorage } from './sessionStorage.ts';
import { learnedUpTo, markLearned } from './learnedTurns.ts';
import { unwrittenRequest, type TurnChange, type TurnState } from './turnState.ts';

/** What was said before that is hardly worth a question any more, and each turn costs one. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_TURNS = 20;
/** So many of the newest are looked through, as it is done after each turn. */
const MOST_LOOKED_THROUGH = 1_000;

interface Window {
  /** Those that it has in memory. */
  readonly turns: ReadonlyMap<string, TurnState>;
  readonly now: Date;
}

/** Oldest first. */
export function unlearnedTurns(storage: SessionStorage, window: Window): readonly TurnRef[] {
  const stored = storage.use((database) => unlearnedIn(database, window)) ?? [];
  if (storage.isComplete) return stored;
  // The disk is full, or held by another process: what it has is older than what is known here.
  const others = stored.filter(({ turnId }) => !window.turns.has(turnId));
  return [...others, ...unlearnedHere(window)].slice(-MOST_TURNS);
}

/** A turn that is read when it is needed. */
export function unlearnedTurn(
  ref: TurnRef,
  turn: {
    readonly open: () => TurnState | undefined;
    readonly store: (state: TurnState, change: TurnChange) => void;
    readonly storedLearned: () => number;
  },
): UnlearnedTurn {
  let opened: TurnState | undefined;
  const state = () => (opened ??= turn.open());
  const log = () => {
    const found = state();
    return found ? [...found.log, ...unwrittenRequest(found)] : [];
  };
  return {
    ref,
    log,
    learned() {
      const found = state();
      return Math.max(found ? learnedUpTo(found.learning) : 0, turn.storedLearned());
    },
    markLearned(upTo = log().length) {
      const found = state();
      if (found) turn.store(found, { kind: 'learned', turns: markLearned(found, upTo) });
    },
  };
}

function unlearnedIn(database: Database, { turns, now }: Window): readonly TurnRef[] {
  // Of a request that was sent again the last is looked at.
  const rows = database.all(
    `SELECT turns.id, session, process, updated
     FROM turns CROSS JOIN sessions ON sessions.id = session
     WHERE number > (SELECT max(number) FROM turns) - ${MOST_LOOKED_THROUGH}
       AND request IS NOT NULL AND request_learned = 0 AND created >= ?
       AND NOT EXISTS (
         SELECT 1 FROM turns AS again
         WHERE again.previous IS turns.previous AND again.request = turns.request
           AND again.number > turns.number)
     ORDER BY number DESC LIMIT ${MOST_TURNS}`,
    now.getTime() - RECENT_MS,
  );
  return rows
    .filter((row) => !isRunning(turns.get(textOf(row, 'id'))) && !isAtWork(row, now))
    .map((row) => ({ sessionId: textOf(row, 'session'), turnId: textOf(row, 'id') }))
    .toReversed();
}

function unlearnedHere({ turns, now }: Window): readonly TurnRef[] {
  const all = [...turns.values()].toSorted((a, b) => a.order - b.order);
  const isSentAgain = (turn: TurnState) =>
    all.some(
      ({ previous, request, order }) =>
        previous === turn.previous && request === turn.request && order > turn.order,
    );
  return all
    .filter(
      (turn) =>
        turn.request !== undefined &&
        !turn.learning.requestLearned &&
        !isRunning(turn) &&
        turn.created.getTime() >= now.getTime() - RECENT_MS &&
        !isSentAgain(turn),
    )
    .map(({ ref }) => ref);
}

function isRunning(turn: TurnState | undefined): boolean {
  return turn?.status === 'running';
}
