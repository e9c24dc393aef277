// Whether it is time for a consolidation that nobody asked for. Neither asks a model nor reads what has not changed.

import type { Log } from '../base/log.ts';
import type { MemoryStore } from './store.ts';

/** Fewer are no burden to anyone. */
const LEAST_RECORDS = 10;

export async function isConsolidationDue(store: MemoryStore, _log: Log): Promise<boolean> {
  return (await store.list()).records.length >= LEAST_RECORDS;
}
