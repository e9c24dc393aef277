// What a person is told of a recall: which memories the model sees in this turn, why, and at what cost.

import type { ContextBlock } from '../../models/model.ts';
import { estimateTokens } from '../../models/tokens.ts';
import type { MemoryRecord } from '../record.ts';
import { describeRecord } from './memoryBlock.ts';
import type { ChosenBy, Recall, RecalledRecord } from './recall.ts';
import { stands } from './recallContext.ts';

export interface RecallReceipt {
  /** How many memories there are in all. */
  readonly total: number;
  readonly chosenBy: ChosenBy;
  readonly recalled: readonly ReceiptEntry[];
  /** What bears on the request too but did not fit. */
  readonly leftOut: readonly RecalledRecord[];
  /** What this turn adds to the conversation, estimated. */
  readonly tokens: number;
  /** How often recall waited in vain for the model in this window. */
  readonly lateAnswers: number;
}

export interface ReceiptEntry {
  readonly record: MemoryRecord;
  /** `changed`: it stood in the conversation with an older text. */
  readonly reason: RecalledRecord['reason'] | { readonly kind: 'changed' };
  /** Of what the model sees of it, estimated. */
  readonly tokens: number;
  /** Its text is in the conversation already, so it costs nothing new. */
  readonly isStanding: boolean;
}

export function recallReceipt(options: {
  readonly recall: Recall;
  /** See `recallNews`. */
  readonly changed: readonly MemoryRecord[];
  readonly standing: ReadonlyMap<string, string>;
  readonly block: ContextBlock | undefined;
  readonly lateAnswers: number;
  readonly folder: string | undefined;
  readonly scopeOf: (record: MemoryRecord) => string | undefined;
  readonly now: Date;
}): RecallReceipt {
  const { recall, changed, standing, block, lateAnswers } = options;
  return {
    total: recall.total,
    chosenBy: recall.chosenBy,
    recalled: toldEntries(recall.recalled, changed).map((entry) => ({
      ...entry,
      tokens: estimateTokens(describeRecord(entry.record, options)),
      isStanding: standing.get(entry.record.path) === entry.record.hash,
    })),
    leftOut: recall.leftOut.filter(({ record }) => !stands(record, standing)),
    tokens: block ? estimateTokens(block.text) : 0,
    lateAnswers,
  };
}

/** All whose text counts for this turn: what was recalled, and what changed besides. */
export function toldEntries(
  recalled: readonly RecalledRecord[],
  changed: readonly MemoryRecord[],
): readonly ToldEntry[] {
  const chosen = new Set(recalled.map(({ record }) => record.path));
  const others = changed.filter(({ path }) => !chosen.has(path));
  return [
    ...recalled,
    ...others.map((record) => ({ record, reason: { kind: 'changed' } as const })),
  ];
}

export type ToldEntry = Pick<ReceiptEntry, 'record' | 'reason'>;
