import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  isExport,
  printExport,
  readExport,
} from '../../../../src/memory/exchange/exportMarkdown.ts';
import { oneLine, tidyBody } from '../../../../src/memory/fieldText.ts';
import { MEMORY_TYPES, type MemoryRecord } from '../../../../src/memory/record.ts';
import { aRecord } from '../../../support/records.ts';

describe('printExport', () => {
  it('prints what a person can read', () => {
    const records = [
      aRecord({ name: 'db', description: 'PostgreSQL', type: 'project', body: '# DB\n\n- 16' }),
      aRecord({
        name: 'tabs',
        description: 'Prefers <tabs>',
        body: 'Use tabs.',
        pinned: true,
        created: '2026-01-01T00:00:00.000Z',
        updated: '2026-02-01T00:00:00.000Z',
        source: 'person',
      }),
    ];
    assert.equal(
      printExport(records),
      `# Exported Memories

<!-- memory-agent export 1 -->

## user

### tabs

- description: Prefers \\<tabs>
- pinned: true
- created: 2026-01-01T00:00:00.000Z
- updated: 2026-02-01T00:00:00.000Z
- source: person

> Use tabs.

## project

### db

- description: PostgreSQL

> # DB
>
> - 16
`,
    );
  });

  it('is a file even when there is nothing', () => {
    assert.ok(isExport(printExport([])));
    assert.deepEqual(readExport(printExport([]), '/e.md'), []);
  });
});

describe('readExport', () => {
  const kept = ({
    name,
    description,
    type,
    body,
    pinned = false,
    expires,
  }: Partial<MemoryRecord>) => ({
    name,
    description,
    type,
    body,
    pinned,
    ...(expires && { expires }),
  });
  const read = (text: string) => readExport(text, '/e.md').map(({ record }) => kept(record));

  it('reads back the same memories, whatever they hold and however the lines end', () => {
    fc.assert(
      fc.property(fc.array(anyRecord(), { maxLength: 6 }), (records) => {
        const text = printExport(records);
        assert.ok(isExport(text));
        const sorted = MEMORY_TYPES.flatMap((type) => records.filter((one) => one.type === type));
        assert.deepEqual(read(text), sorted.map(kept));
        const plain = records.every(({ body }) => !body.includes('\r'));
        if (plain) assert.deepEqual(read(text.replaceAll('\n', '\r\n')), sorted.map(kept));
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  it('takes what a person added below a memory for a part of its body', () => {
    const text = printExport([aRecord({ name: 'tabs', body: 'Use tabs.' })]);
    assert.deepEqual(
      read(`${text}\n- description: none\n`).map(({ body }) => body),
      ['Use tabs.\n\n- description: none'],
    );
  });

  it('keeps a body that begins as a field would', () => {
    const body = '- description: another';
    assert.equal(read(printExport([aRecord({ body })]))[0]?.body, body);
  });

  it('does not take a text that only tells of the mark for an export', () => {
    const mark = '<!-- memory-agent export 1 -->';
    assert.ok(!isExport(`The file has ${mark} in it.`));
    assert.ok(!isExport(`${'a\n'.repeat(300)}${mark}`));
  });
});

const MARKS =
  '\n|\n\n|# A|## user|### b|```|~~~|---|> q|- pinned: true|>|<!--|-->|<!-- memory-agent export 1 -->';
const TEXTS = '\\|*|`|[a](b)|\t|    x|缩进|עברית|😀|\u2028|\r|  |e\u0301|&lt;|word|\uFEFF|$&';
const PIECES = [MARKS, TEXTS].flatMap((pieces) => pieces.split('|'));

function anyRecord(): fc.Arbitrary<MemoryRecord> {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 12 })
    .map((pieces) => pieces.join('').toWellFormed());
  const line = text.map((given) => oneLine(given) || 'name');
  return fc
    .record({
      name: line,
      description: line,
      type: fc.constantFrom(...MEMORY_TYPES),
      body: text.map(tidyBody),
      pinned: fc.boolean(),
      expires: fc.constantFrom(undefined, '2030-01-01T00:00:00.000Z'),
    })
    .map(({ expires, ...parts }) => aRecord({ ...parts, ...(expires && { expires }) }));
}
