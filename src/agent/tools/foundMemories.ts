// Memories as a tool gives them to a model: whole ones, best match first, as many as recall would show.

import { describeRecord, recordPlace } from '../../memory/recall/memoryBlock.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { scopeNames } from '../scopeNames.ts';

/** As much as recall puts in front of a request. */
export const MAX_FOUND_CHARS = 20_000;

export interface FoundIn {
  readonly scopes: MemoryScopes;
  /** Paths are told relative to it. */
  readonly folder: string | undefined;
  readonly now: Date;
}

/** Whole records only, since half a rule can mean its opposite. What did not fit is named. */
export function foundMemories(
  found: readonly MemoryRecord[],
  { scopes, folder, now }: FoundIn,
): string {
  const context = { folder, scopeOf: scopeNames(scopes), now };
  const shown: string[] = [];
  const others: string[] = [];
  let room = MAX_FOUND_CHARS;
  for (const record of found) {
    const text = describeRecord(record, context);
    if (text.length > room) {
      others.push(recordPlace(record, context));
      continue;
    }
    shown.push(text);
    room -= text.length;
  }
  const rest = others.length > 0 ? [`Did not fit: ${others.join(', ')}`] : [];
  return [...shown, ...rest].join('\n\n');
}
