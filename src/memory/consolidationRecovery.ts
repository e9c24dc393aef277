// After a crash in the middle of a consolidation: what was begun is completed, and all of it can be undone as one.

import type { Log } from '../base/log.ts';
import type { Change } from './change.ts';
import { ConsolidationBusyError } from './consolidations.ts';
import type { MemoryStore } from './store.ts';

/**
 * Called when a window opens. Gives what it did now; `lastConsolidation` of the scopes has the whole run, to undo it.
 * Nothing is done while another window consolidates: what is begun there is its own.
 */
export async function recoverConsolidation(
  store: MemoryStore,
  log: Log,
): Promise<readonly Change[]> {
  if (!(await store.consolidations.begun())) return [];
  try {
    return await store.consolidations.alone(() => completeBegun(store, log));
  } catch (error) {
    if (error instanceof ConsolidationBusyError) return [];
    throw error;
  }
}

/** For one who has the consolidations to itself. */
export async function completeBegun(store: MemoryStore, log: Log): Promise<readonly Change[]> {
  const { consolidations } = store;
  const begun = await consolidations.begun();
  if (!begun) return [];
  const changes: Change[] = [];
  for (const work of begun.works)
    changes.push(...(await consolidations.complete(work, begun.group)));
  await consolidations.end();
  log.info(`[consolidation] one that was cut off is complete: ${changes.length} steps were left`);
  return changes;
}
