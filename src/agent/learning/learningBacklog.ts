// The turns that were not learned from: those whose extraction failed, and those that a reload has cut off. The sessions
// know them. Here it is counted how often this window has tried, and waited until it tries again.

import type { UnlearnedTurn } from '../../sessions/session.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';

/** Runs `work` later, and returns what calls that off. */
export type After = (ms: number, work: () => void) => () => void;

/** A model that is out of order, or a key that is wrong, is seldom right again at once. */
const RETRY_MINUTES = [1, 5, 25];
/** Of one turn. Its words are looked at with the next turn of its session, or when a window opens. */
const MOST_ATTEMPTS = 5;
/** Of the words of one turn. A model refuses by chance now and then, but hardly the same words again and again. */
const MOST_REFUSALS = 3;

export class LearningBacklog {
  readonly #sessions: Pick<SessionStore, 'unlearned'> | undefined;
  readonly #after: After;
  readonly #attempts = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  /** Runs in a row in which one failed. */
  #failedRuns = 0;
  #callOff: (() => void) | undefined;

  constructor(options: {
    /** Left out: nothing is looked at later. */
    readonly sessions?: Pick<SessionStore, 'unlearned'> | undefined;
    readonly after?: After;
  }) {
    this.#sessions = options.sessions;
    this.#after = options.after ?? afterTimeout;
  }

  /** All of them, oldest first. */
  async all(): Promise<readonly UnlearnedTurn[]> {
    return (await this.#sessions?.unlearned()) ?? [];
  }

  /** Those that are worth another attempt. */
  async due(): Promise<readonly UnlearnedTurn[]> {
    return (await this.all()).filter((turn) => this.#isDue(turn));
  }

  /** A run is over in which these failed: `retry` is called later where that is of use. */
  waitAfter(failed: readonly UnlearnedTurn[], retry: () => void): void {
    this.stop();
    for (const { ref } of failed)
      this.#attempts.set(ref.turnId, (this.#attempts.get(ref.turnId) ?? 0) + 1);
    this.#failedRuns = failed.length > 0 ? this.#failedRuns + 1 : 0;
    if (!this.#sessions || !failed.some((turn) => this.#isDue(turn))) return;
    const minutes = RETRY_MINUTES[this.#failedRuns - 1] ?? RETRY_MINUTES.at(-1) ?? 0;
    this.#callOff = this.#after(minutes * 60_000, retry);
  }

  /** The model refused the words of this turn. Whether it did so often enough to give them up. */
  countRefusal({ ref }: UnlearnedTurn): boolean {
    const refusals = (this.#refusals.get(ref.turnId) ?? 0) + 1;
    this.#refusals.set(ref.turnId, refusals);
    return refusals >= MOST_REFUSALS;
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #isDue({ ref }: UnlearnedTurn): boolean {
    return (this.#attempts.get(ref.turnId) ?? 0) < MOST_ATTEMPTS;
  }
}

function afterTimeout(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}
