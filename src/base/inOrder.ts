// One piece of work after another, in the order in which they were given.

export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller gets the failure; the next in line only waits for the end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
