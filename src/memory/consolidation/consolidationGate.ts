// Whether it is time for a consolidation that nobody asked for. Asks no model, and reads no record that is known.

import type { Log } from '../../base/log.ts';
import type { MemoryStore } from '../store.ts';

/** Fewer are no burden to anyone. */
const LEAST_RECORDS = 10;
/** With less that is new a model would say what it said before. */
const LEAST_CHANGED = 5;

/** Many records, some of them changed since the last time, and no other window at it. */
export async function isConsolidationDue(store: MemoryStore, log: Log): Promise<boolean> {
  const { consolidations } = store;
  if ((await consolidations.changed()).size < LEAST_CHANGED) return false;
  if ((await store.list()).records.length < LEAST_RECORDS) return false;
  const isBusy = await consolidations.isBusy();
  if (isBusy) log.debug('[consolidation] it is time for one, but another window is at it');
  return !isBusy;
}
