// Proposed memories for tests, as extraction makes them.

import type { Fields } from '../../src/memory/extraction/policy.ts';
import type { NewProposal } from '../../src/memory/review/proposals.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';

export function proposedTabs(fields: Partial<Fields> = {}): NewProposal {
  const name = fields.name ?? 'tabs';
  return {
    kind: 'add',
    fields: {
      name,
      description: 'Prefers tabs',
      type: 'user',
      body: `Use tabs, says ${name}.`,
      ...fields,
    },
    quote: 'I prefer tabs.',
    from: 'person',
  };
}

export function proposedUpdate(
  { file, hash, name, type }: MemoryRecord,
  fields: Partial<Fields> = {},
): NewProposal {
  return {
    kind: 'update',
    fields: {
      name,
      description: 'Four columns',
      type,
      body: 'Use tabs of four columns.',
      ...fields,
    },
    target: { file, hash },
    quote: 'I like tabs of four columns.',
    from: 'person',
  };
}
