// Counts the answers that recall waited for in vain. A model that is late again and again is not waited for at every
// turn: it is left out for a few turns, then tried once.

/** One may be chance, and so may two. */
const MOST_IN_A_ROW = 3;
/** Long enough to be felt, short enough for a model that was only busy. */
const TURNS_LEFT_OUT = 5;

export class LateAnswers {
  #count = 0;
  #inARow = 0;
  #leftOut = 0;

  /** All of this window. */
  get count(): number {
    return this.#count;
  }

  /** Whether the model may be asked in this turn. Each call stands for a turn. */
  mayAsk(): boolean {
    if (this.#leftOut === 0) return true;
    this.#leftOut -= 1;
    return false;
  }

  tellLate(): void {
    this.#count += 1;
    this.#inARow += 1;
    if (this.#inARow >= MOST_IN_A_ROW) this.#leftOut = TURNS_LEFT_OUT;
  }

  tellInTime(): void {
    this.#inARow = 0;
  }
}
