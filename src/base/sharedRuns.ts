// Work that many ask for at the same time and that is then done once for all of them, such as the sync of a folder.

export class SharedRuns {
  /** By key, for as long as they last. */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<void>>();

  /** Runs `work` at once, or when its last run is over; then together with all who ask until it begins. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key);
    if (!running) return this.#begin(key, work);
    const waiting = this.#waiting.get(key) ?? running.then(() => this.#begin(key, work));
    this.#waiting.set(key, waiting);
    return waiting;
  }

  #begin(key: string, work: () => Promise<void>): Promise<void> {
    this.#waiting.delete(key);
    const run = work();
    // Whoever asked gets the failure; the next run only waits for the end.
    const ended = run
      .catch(() => undefined)
      .then(() => {
        if (this.#running.get(key) === ended) this.#running.delete(key);
      });
    this.#running.set(key, ended);
    return run;
  }
}
