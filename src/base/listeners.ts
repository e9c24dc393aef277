// Those who are told of a change. One that fails does not keep it from the others.

export class Listeners {
  readonly #listeners = new Set<() => void>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Returns the function that unsubscribes. */
  add(listener: () => void): () => void {
    // A listener given twice is two listeners, each with an end of its own.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}
