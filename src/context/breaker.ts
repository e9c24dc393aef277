// Ends compaction that gains nothing, and lets it begin again.
//
//   closed --- several futile runs in a row ---> open --- the history has grown ---> one more run, then open again
//      ^                                           |
//      +-- the history fits, or the person writes -+

import type { Budget } from './policy.ts';

/** A run that gains less of the trigger, and after which the history does not fit, is futile. */
const LEAST_GAIN = 0.05;

export class Breaker {
  readonly #maxFutile: number;
  #futile = 0;
  /** Estimated tokens of the history after the last run. */
  #size = 0;
  #hasTold = false;

  constructor(maxFutile: number) {
    this.#maxFutile = maxFutile;
  }

  /** Whether a run on a history of `size` estimated tokens would be as futile as the last ones. */
  isOpen(size: number, { trigger }: Budget): boolean {
    return this.#futile >= this.#maxFutile && size - this.#size <= least(trigger);
  }

  /** A run is over that began above the trigger. Sizes are estimated tokens. */
  ran({ before, after }: { before: number; after: number }, { trigger }: Budget): void {
    this.#size = after;
    if (after <= trigger) this.close();
    else if (before - after > least(trigger)) this.#futile = 0;
    else this.#futile += 1;
  }

  close(): void {
    this.#futile = 0;
    this.#hasTold = false;
  }

  /** True once after it has opened. */
  isNews(): boolean {
    if (this.#hasTold || this.#futile < this.#maxFutile) return false;
    this.#hasTold = true;
    return true;
  }
}

/** System prompt and tools alone may be above the trigger, which is not positive then. */
function least(trigger: number): number {
  return Math.max(0, trigger * LEAST_GAIN);
}
