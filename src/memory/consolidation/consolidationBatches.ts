// Parts the records into batches that fit into one question, like beside like.

import { rankRecords } from '../words/lexical.ts';
import type { MemoryRecord } from '../record.ts';

/** Of records in one question; more come in several. */
const BATCH_CHARS = 20_000;

interface BatchOptions {
  /** Each comes into one batch; the others fill it up, those that are like it first. */
  readonly seeds: readonly MemoryRecord[];
  readonly records: readonly MemoryRecord[];
  /** As the model is shown it. */
  readonly print: (record: MemoryRecord) => string;
}

/**
 * No record comes twice. A batch of one is left out, since there is nothing to compare; so is a record that fits into
 * none. One at a time, as a question is asked between two.
 */
export function* alikeBatches(options: BatchOptions): Generator<readonly MemoryRecord[]> {
  const { seeds, records, print } = options;
  const sizes = new Map(records.map((record) => [record, print(record).length]));
  const sizeOf = (record: MemoryRecord) => sizes.get(record) ?? Infinity;
  const left = new Set(records.filter((record) => sizeOf(record) <= BATCH_CHARS));
  for (const seed of seeds) {
    if (!left.delete(seed)) continue;
    const batch = [seed];
    let room = BATCH_CHARS - sizeOf(seed);
    for (const record of byLikeness([...left], seed)) {
      if (sizeOf(record) > room) continue;
      room -= sizeOf(record);
      left.delete(record);
      batch.push(record);
    }
    if (batch.length > 1) yield batch;
  }
}

/** All of them, those that share words with the seed first. */
function byLikeness(records: readonly MemoryRecord[], seed: MemoryRecord): Iterable<MemoryRecord> {
  const ranked = rankRecords(records, `${seed.name} ${seed.description}`);
  return new Set([...ranked.map(({ record }) => record), ...records]);
}
