// Moves of records from one store to another, and what that means for taking changes back: never half of a move.

import { randomUUID } from 'node:crypto';
import { settleEach, type OnProgress, type Settled } from '../base/atMost.ts';
import type { NewChange, RemovedChange, Step } from './change.ts';
import type { ChangeGroup } from './folder/journal.ts';
import { READ_AT_ONCE } from './folder/manySteps.ts';
import type { KeptStep } from './folder/takeBack.ts';
import type { MemoryRecord } from './record.ts';
import type { MemoryStore } from './store.ts';

/** What a store did of a change. */
export interface Part {
  readonly store: MemoryStore;
  readonly steps: readonly Step[];
}

/**
 * Moves records from one store to another. One that cannot go stays where it is, and does not hold up the others. The
 * two halves of a move have an id in common.
 */
export async function moveBetween(
  from: MemoryStore,
  to: MemoryStore,
  records: readonly MemoryRecord[],
  group: string,
): Promise<Settled<MemoryRecord, readonly [NewChange, RemovedChange]>> {
  const read = await settleEach(records, READ_AT_ONCE, async (record) => ({
    record,
    bytes: await from.read(record),
    moved: randomUUID(),
  }));
  // Nothing is made there for those that do not come.
  if (read.done.length === 0) return { done: [], failures: read.failures };
  const arrived = await to.several.adopt(read.done, group);
  const arrivals = new Map(arrived.done.map((change) => [change.step.moved, change]));
  const departures = read.done.filter(({ moved }) => arrivals.has(moved));
  const done: (readonly [NewChange, RemovedChange])[] = [];
  try {
    const left = await from.several.leave(departures, group);
    for (const departure of left.done) {
      const arrival = arrivals.get(departure.step.moved);
      if (!arrival) continue;
      done.push([arrival, departure]);
      arrivals.delete(departure.step.moved);
    }
    return { done, failures: [...read.failures, ...arrived.failures, ...left.failures] };
  } finally {
    // What did not go stays where it was, once.
    if (arrivals.size > 0) await to.several.abandon([...arrivals.values()]);
  }
}

/** Takes back as many of the steps as are still as they were left, and gives the others. */
export async function takeBackParts(
  parts: readonly Part[],
  onProgress?: OnProgress,
): Promise<readonly KeptStep[]> {
  const kept: KeptStep[] = [];
  const total = parts.reduce((sum, { steps }) => sum + steps.length, 0);
  let before = 0;
  const takeBack = async (fits: (step: Step) => boolean): Promise<void> => {
    for (const { store, steps } of parts) {
      const some = steps.filter(fits);
      if (some.length === 0) continue;
      try {
        kept.push(...(await store.takeBack(some, (count) => onProgress?.(before + count, total))));
      } catch (error) {
        kept.push(...some.map((step) => ({ step, error })));
      }
      before += some.length;
    }
  };
  // In the order against that of a move: what was removed comes back before its copy goes.
  await takeBack((step) => !isArrival(step));
  // Where a record did not come back, the copy that was made of it is all there is.
  const stuck = new Set(kept.map(({ step }) => step.moved));
  await takeBack((step) => isArrival(step) && !stuck.has(step.moved));
  return kept;
}

function isArrival({ moved, after }: Step): boolean {
  return moved !== undefined && after !== undefined;
}

/**
 * Half of a move whose other half is in no folder that is open here. By itself it cannot be taken back: the record would
 * be in both places, or in none.
 */
export function stepElsewhere(parts: readonly ChangeGroup[]): Step | undefined {
  const all = parts.flatMap(({ steps, undone }) => [...steps, ...undone]);
  const moves = Map.groupBy(all, ({ moved }) => moved);
  return parts
    .flatMap(({ steps }) => steps)
    .find(({ moved }) => moved !== undefined && !isWhole(moves.get(moved) ?? []));
}

function isWhole(halves: readonly Step[]): boolean {
  return halves.some(isArrival) && !halves.every(isArrival);
}
