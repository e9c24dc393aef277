// After a crash in the middle of a consolidation: completes what was begun.

import type { Log } from '../base/log.ts';
import type { Change } from './change.ts';
import type { MemoryStore } from './store.ts';

/** Called when a window opens. Gives what it did now; `lastConsolidation` has the whole run, to undo it. */
export function recoverConsolidation(_store: MemoryStore, _log: Log): Promise<readonly Change[]> {
  return Promise.resolve([]);
}
