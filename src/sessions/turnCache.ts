// The turns that a window has in memory: those that run, and of the others those that were used last, as long as the
// database has them all.

import type { UsageTotal, TurnState } from './turnState.ts';

/** A chat goes on from its newest turn, and rarely from one far before it. */
const TURNS_IN_MEMORY = 20;

export class TurnCache {
  readonly #canReadAgain: () => boolean;
  /** In the order in which they were used. */
  readonly #turns = new Map<string, TurnState>();
  readonly #totals = new Map<string, UsageTotal>();
  #newest: TurnState | undefined;
  #order = 0;

  /** `canReadAgain`: whether a turn that has ended is in the database. */
  constructor(canReadAgain: () => boolean) {
    this.#canReadAgain = canReadAgain;
  }

  get turns(): ReadonlyMap<string, TurnState> {
    return this.#turns;
  }

  /** The turn that began last in this window. */
  get newest(): TurnState | undefined {
    return this.#newest;
  }

  /** Counts the turns that this window has seen. */
  nextOrder(): number {
    return this.#order++;
  }

  begin(state: TurnState): void {
    this.#newest = state;
    this.keep(state);
  }

  get(turnId: string): TurnState | undefined {
    const known = this.#turns.get(turnId);
    if (known) this.keep(known);
    return known;
  }

  keep(state: TurnState): void {
    this.#turns.delete(state.ref.turnId);
    this.#turns.set(state.ref.turnId, state);
    this.forgetOldest();
  }

  forgetOldest(): void {
    if (!this.#canReadAgain()) return;
    for (const [id, { status }] of this.#turns) {
      if (this.#turns.size <= TURNS_IN_MEMORY) return;
      if (status !== 'running') this.#turns.delete(id);
    }
  }

  forgetSession(sessionId: string): void {
    for (const [id, { ref }] of this.#turns)
      if (ref.sessionId === sessionId) this.#turns.delete(id);
    this.#totals.delete(sessionId);
  }

  /** One object for all turns of a session; `load` makes it. */
  totalOf(sessionId: string, load: () => UsageTotal): UsageTotal {
    const total = this.#totals.get(sessionId) ?? load();
    this.#totals.set(sessionId, total);
    return total;
  }

  /** The sessions of turns that run, each once. */
  runningSessions(): readonly string[] {
    const running = [...this.#turns.values()].filter(({ status }) => status === 'running');
    return [...new Set(running.map(({ ref }) => ref.sessionId))];
  }

  /** All others. */
  endedSessions(): readonly string[] {
    const all = new Set([...this.#turns.values()].map(({ ref }) => ref.sessionId));
    for (const id of this.runningSessions()) all.delete(id);
    return [...all];
  }
}
