// Corrects the estimate of tokens by what a model has counted. The estimate of a whole input is scaled by how far
// the last one was off, so that only what has been added since is guessed.

/** A factor beyond these is rather a fault in what was reported. */
const LEAST = 0.5;
const MOST = 2;

export class Calibration {
  #factor = 1;

  /** Tokens as the model counts them per estimated token. 1 before anything is known. */
  get factor(): number {
    return this.#factor;
  }

  /** `tokens` were counted for an input that had been estimated at `estimate`. */
  learn({ estimate, tokens }: { readonly estimate: number; readonly tokens: number }): void {
    // Some compatible servers report nothing, or 0.
    if (estimate > 0 && tokens > 0) this.#factor = within(tokens / estimate);
  }

  /** An input of `estimate` was too long for a window of `limit`, so it had at least that many tokens. */
  overflowed(estimate: number, limit: number): void {
    if (estimate > 0) this.#factor = within(Math.max(this.#factor, limit / estimate));
  }
}

function within(factor: number): number {
  return Math.min(MOST, Math.max(LEAST, factor));
}
