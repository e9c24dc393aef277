// After a crash in the middle of a consolidation: what was begun is completed, and all of it can be undone as one.

import { errorText, type Log } from '../../base/log.ts';
import type { Change } from '../change.ts';
import type { MemoryStore } from '../store.ts';
import { ConsolidationBusyError } from './consolidationRuns.ts';

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
  const complete = await consolidations.completion(begun.group);
  for (const work of begun.works) changes.push(...(await complete(work)));
  if (await consolidations.isTakenBack(begun.group))
    await takeBackRest(begun.group, { store, log });
  await consolidations.end();
  log.info(`[consolidation] one that was cut off is complete: ${changes.length} steps were left`);
  return changes;
}

/** What a person, or a window whose disk was full, had begun to take back. */
async function takeBackRest(
  id: string,
  { store, log }: { readonly store: MemoryStore; readonly log: Log },
): Promise<void> {
  const group = await store.changeGroup(id);
  try {
    if (group) await store.undoGroup(group);
  } catch (error) {
    // It was changed since, and its newer text stands.
    log.warn(`[consolidation] not all was taken back: ${errorText(error)}`);
  }
}
