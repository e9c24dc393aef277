// Builder for memories that only have to exist in memory, not on disk.

import { createHash } from 'node:crypto';
import type { MemoryRecord } from '../../src/memory/record.ts';

export function aRecord(parts: Partial<MemoryRecord> = {}): MemoryRecord {
  const name = parts.name ?? 'user-preference-tabs';
  const description = parts.description ?? `About ${name}`;
  const body = parts.body ?? `The body of ${name}.`;
  const file = parts.file ?? `${name}.md`;
  return {
    name,
    description,
    type: 'user',
    body,
    file,
    path: `/workspace/.memory/${file}`,
    hash: createHash('sha256')
      .update(name + description + body)
      .digest('hex'),
    pinned: false,
    modified: Date.parse('2026-03-01T12:00:00Z'),
    ...parts,
  };
}
