// What is known of the files of a step once it is done.

import { sentence } from '../../base/sentence.ts';
import { StaleRecordError, type Step } from '../change.ts';
import type { DamagedRecord, MemoryRecord } from '../record.ts';
import type { OpenChange } from './changeQueue.ts';
import type { RecordCache } from './recordCache.ts';

/** Notes a step that was done, and gives the record that it left. Throws StaleRecordError when that is none. */
export function noteStep(step: Step, { steps }: OpenChange, cache: RecordCache): MemoryRecord {
  const record = lookAt(step, cache);
  steps.push(step);
  const file = step.after?.file ?? '';
  if (!record) throw new StaleRecordError(sentence`${file} is gone right after it was written.`);
  if ('problem' in record)
    throw new StaleRecordError(sentence`${file} is there, but is no memory: ${record.problem}`);
  return record;
}

/** Looks anew at the files of a step; gives what stands in the place of the one it left. */
export function lookAt(
  { before, after }: Step,
  cache: RecordCache,
): MemoryRecord | DamagedRecord | undefined {
  if (before) cache.reread(before.file);
  return after && cache.reread(after.file);
}
