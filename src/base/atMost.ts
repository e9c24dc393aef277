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

/** Called when more of something is done. */
export type OnProgress = (done: number, total: number) => void;

/** In the order of the items. */
export interface Settled<Item, T> {
  readonly done: readonly T[];
  readonly failures: readonly { readonly item: Item; readonly error: unknown }[];
}

/** Does `work` for each item, so many at once. One that fails does not hold up the others. */
export async function settleEach<Item, T>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<T>,
): Promise<Settled<Item, T>> {
  const places = new AtMost(limit);
  const ends = await Promise.allSettled(items.map((item) => places.run(() => work(item))));
  const done: T[] = [];
  const failures: { item: Item; error: unknown }[] = [];
  for (const [index, item] of items.entries()) {
    const end = ends[index];
    if (end?.status === 'fulfilled') done.push(end.value);
    if (end?.status === 'rejected') failures.push({ item, error: end.reason });
  }
  return { done, failures };
}
