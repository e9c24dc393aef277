// Chance that can be repeated: the same seed gives the same numbers on every machine.

export interface SeededRandom {
  /** From 0 up to, but not, 1. */
  next(): number;
  chance(probability: number): boolean;
  /** Throws when there are none. */
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): readonly T[];
}

/** The generator is mulberry32. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    pick,
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}
