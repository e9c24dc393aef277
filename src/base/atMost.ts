// Lets so many pieces of work run at once, and no more. The others wait, in the order in which they were given.

export class AtMost {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever waits takes over the place, so that none who comes just now can slip in.
      if (next) next();
      else this.#running--;
    }
  }
}
