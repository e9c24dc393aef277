// Steps that do not touch each other, made several at once: the syncs of their files go to the disk together.

import { settleEach, type OnProgress, type Settled } from '../../base/atMost.ts';
import type { Step } from '../change.ts';

/** Files. Several times as fast as one by one, and far fewer than a process may hold open. */
export const READ_AT_ONCE = 64;
/** The same for files that are written; beyond this none are faster. */
export const WRITE_AT_ONCE = 16;

/** One that fails does not hold up the others. They are noted in the order of the items. */
export async function makeSteps<Item, T>(
  items: readonly Item[],
  {
    make,
    note,
    onProgress,
  }: {
    readonly make: (item: Item) => Promise<Step>;
    /** Throws when what was made is not as it should be. */
    readonly note: (step: Step, item: Item) => T;
    readonly onProgress?: OnProgress | undefined;
  },
): Promise<Settled<Item, T>> {
  let count = 0;
  const made = await settleEach(items, WRITE_AT_ONCE, async (item) => {
    const step = await make(item);
    onProgress?.(++count, items.length);
    return { item, step };
  });
  const done: T[] = [];
  const failures = [...made.failures];
  for (const { item, step } of made.done) {
    try {
      done.push(note(step, item));
    } catch (error) {
      failures.push({ item, error });
    }
  }
  return { done, failures };
}
