// Memories and what a model makes of one for tests, and a builder for memories that need not stand on a disk.

import { createHash } from 'node:crypto';
import type { Operation } from '../../src/memory/extraction/policy.ts';
import type { MemoryRecord, NewRecord } from '../../src/memory/record.ts';

export const TABS: NewRecord = {
  name: 'tabs',
  description: 'Prefers tabs',
  type: 'user',
  body: 'Use tabs.',
};

export const SAID_TABS = 'I prefer using tabs for indentation, not spaces. Remember that.';

/** What a model may well make of `SAID_TABS`. */
export const TABS_OPERATION: Operation = {
  op: 'add',
  name: 'user-preference-tabs',
  description: 'Prefers tabs over spaces',
  type: 'user',
  body: 'Indent with tabs, not spaces.',
  scope: 'persistent',
  quote: 'I prefer using tabs for indentation, not spaces.',
};

/** For where only the name matters. */
export function newRecord(name: string, body = `About ${name}.`): NewRecord {
  return { name, description: `Of ${name}`, type: 'user', body };
}

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
