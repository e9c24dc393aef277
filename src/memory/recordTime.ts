// When a memory was written, which tells how far it can be relied on.

import type { MemoryRecord } from './record.ts';

/**
 * Milliseconds since 1970. A clone or a checkout sets the time of every file, so the dates that the record carries
 * come first.
 */
export function writtenAt({
  updated,
  created,
  modified,
}: Pick<MemoryRecord, 'updated' | 'created' | 'modified'>): number {
  const dated = Date.parse(updated ?? created ?? '');
  return Number.isNaN(dated) ? modified : dated;
}
