// Finds the turn that a request goes on from, in memory or in the database, by what the chat knows of it.

import type { TurnRef } from './session.ts';
import { cutOffAfter, cutOffAtStart } from './cutOffTurns.ts';
import { isRemoved } from './removedSessions.ts';
import type { SessionStorage } from './sessionStorage.ts';
import type { TurnCache } from './turnCache.ts';
import { loadLearned, loadTotal, loadTurn } from './turnChain.ts';
import { wasLearnedAfter, wasLearnedAtStart } from './turnRows.ts';
import { noUsage, type TurnState, type UsageTotal } from './turnState.ts';

export class TurnLookup {
  readonly #storage: SessionStorage;
  readonly #cache: TurnCache;
  readonly #now: () => Date;

  constructor(options: {
    readonly storage: SessionStorage;
    readonly cache: TurnCache;
    readonly now: () => Date;
  }) {
    this.#storage = options.storage;
    this.#cache = options.cache;
    this.#now = options.now;
  }

  /** `previous`, or the last of the turns behind it that were cut off. Tells when `previous` is lost. */
  find(previous: TurnRef | undefined, unfinished: readonly string[] = []): TurnState | undefined {
    if (previous && this.#isRemoved(previous.sessionId)) return undefined;
    let state = previous && this.turn(previous.turnId);
    if (previous && !state) {
      this.#tellLost(previous);
      return undefined;
    }
    for (const [index, request] of unfinished.entries()) {
      const next = state
        ? this.#cutOffAfter(state, request)
        : this.#cutOffAtStart(request, unfinished.slice(index + 1));
      state = next ?? state;
    }
    return state;
  }

  /** A turn by its id, from memory or from the database. */
  turn(id: string): TurnState | undefined {
    const known = this.#cache.get(id);
    if (known) return known;
    const loaded = this.#storage.use((database) =>
      loadTurn(database, id, {
        order: this.#cache.nextOrder(),
        totalOf: (sessionId) => this.totalOf(sessionId),
      }),
    );
    if (loaded?.status === 'ended') this.#cache.keep(loaded);
    return loaded;
  }

  /**
   * Whether the same request, at the same place, was learned from before: the person pressed Retry. What they took
   * back since must not return by that. At the start of a session only the turn just before can be that one.
   */
  wasLearned(before: TurnState | undefined, request: string | undefined): boolean {
    // A compaction between two turns, which nobody said.
    if (request === undefined) return false;
    const isIt = (turn: TurnState) =>
      turn.previous === before?.ref.turnId &&
      turn.request === request &&
      turn.learning.requestLearned;
    if (!before) {
      const { newest } = this.#cache;
      if (newest) return isIt(newest);
      return this.#storage.use((database) => wasLearnedAtStart(database, request)) ?? false;
    }
    const { turnId } = before.ref;
    if ([...this.#cache.turns.values()].some(isIt)) return true;
    return this.#storage.use((database) => wasLearnedAfter(database, turnId, request)) ?? false;
  }

  /** How many messages of its log were looked at, as the database has it. */
  storedLearned(turnId: string): number {
    return this.#storage.use((database) => loadLearned(database, turnId)) ?? 0;
  }

  totalOf(sessionId: string): UsageTotal {
    return this.#cache.totalOf(
      sessionId,
      () => this.#storage.use((database) => loadTotal(database, sessionId)) ?? noUsage(),
    );
  }

  /** By another window, while this one has it in memory. */
  #isRemoved(sessionId: string): boolean {
    if (!this.#storage.use((database) => isRemoved(database, sessionId))) return false;
    this.#cache.forgetSession(sessionId);
    return true;
  }

  #tellLost({ turnId }: TurnRef): void {
    const { file, isHeld } = this.#storage;
    // That another process holds the file is told already.
    if (file === undefined || isHeld) return;
    const detail = `Turn ${turnId} is not in it, or not sound.`;
    this.#storage.tell({ kind: 'lostTurn', file, detail });
  }

  #cutOffAfter({ ref }: TurnState, request: string): TurnState | undefined {
    const here = [...this.#cache.turns.values()].findLast(
      (turn) =>
        turn.status === 'running' && turn.previous === ref.turnId && turn.request === request,
    );
    if (here) return here;
    const stored = this.#storage.use((database) => cutOffAfter(database, ref.turnId, request));
    const id = stored?.[0];
    return id === undefined ? undefined : this.turn(id);
  }

  #cutOffAtStart(request: string, later: readonly string[]): TurnState | undefined {
    const isRunningHere = (id: string) => this.#cache.turns.get(id)?.status === 'running';
    const id = this.#storage.use((database) =>
      cutOffAtStart(database, { request, later, now: this.#now(), isRunningHere }),
    );
    return id === undefined ? undefined : this.turn(id);
  }
}
