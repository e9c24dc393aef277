// Corrects the estimate of tokens by what a model has counted. The estimate of a whole input is scaled by how far
// the last one was off, so that only what has been added since is guessed.

/** A server that counts less leaves something out, as the tokens that it read from its cache. */
const LEAST = 0.5;
/** No text is so far off; a higher count would leave half of the window empty for nothing. */
const MOST = 2;

export class Calibration {
  #factor = 1;
  #most = Infinity;

  /** Tokens as the model counts them per estimated token. 1 before anything is known. */
  get factor(): number {
    return this.#factor;
  }

  /** Estimated tokens that were too many. Infinite before anything was. */
  get tooMany(): number {
    return this.#most;
  }

  /** `tokens` were counted for an input that had been estimated at `estimate`. */
  learn({ estimate, tokens }: { readonly estimate: number; readonly tokens: number }): void {
    const factor = estimate > 0 ? tokens / estimate : 0;
    // A server that reports nothing, or no number, teaches nothing.
    if (factor >= LEAST) this.#factor = Math.min(MOST, factor);
  }

  /** An input of `estimate` was too long, whatever window the model is said to have. */
  overflowed(estimate: number): void {
    this.#most = Math.min(this.#most, estimate);
  }
}
