import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  indexLine,
  indexText,
  isGeneratedIndex,
} from '../../../../src/memory/folder/memoryIndex.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import { aRecord } from '../../../support/records.ts';

describe('indexLine', () => {
  it('links the file and gives description and type', () => {
    assert.equal(
      indexLine(aRecord({ name: 'tabs', file: 'tabs.md', description: 'Tabs', type: 'feedback' })),
      '- [tabs](tabs.md) — Tabs [feedback]',
    );
  });

  it('keeps link syntax of names, files and descriptions in its place', () => {
    const name = 'a](http://x)\n- [b';
    const description = '[c](d) `e` <f>\u2028g\\';
    assert.equal(
      indexLine(aRecord({ name, description, file: 'a (b) [c].md' })),
      '- [a\\]\\(http://x\\) - \\[b](a%20%28b%29%20%5Bc%5D.md) — ' +
        '\\[c\\]\\(d\\) \\`e\\` \\<f> g\\\\ [user]',
    );
  });

  it('shows what a person could not see in the name of a file', () => {
    assert.equal(
      indexLine(aRecord({ name: 'tabs', file: 'ta\u202ebs.md', description: 'Tabs' })),
      '- [tabs](ta%E2%80%AEbs.md) — Tabs [user]',
    );
  });

  it('leaves letters of every script readable', () => {
    assert.match(
      indexLine(aRecord({ name: '缩进', file: '缩进.md' })),
      /^- \[缩进\]\(缩进\.md\) —/,
    );
  });

  it('cuts a long description between characters', () => {
    const line = indexLine(aRecord({ description: '😀'.repeat(400) }));
    assert.ok(line.endsWith(`— ${'😀'.repeat(149)}… [user]`));
  });
});

describe('indexText', () => {
  it('puts pinned records first, then the newest by their own dates, then by name', () => {
    const text = indexText([
      aRecord({ name: 'old', created: '2025-01-01' }),
      aRecord({ name: 'b-undated' }),
      aRecord({ name: 'a-undated' }),
      aRecord({ name: 'new', created: '2024-01-01', updated: '2026-02-03T04:05:06Z' }),
      aRecord({ name: 'pinned', pinned: true }),
    ]);
    assert.ok(text.startsWith('# Memory Index\n\n- [pinned]'));
    assert.deepEqual(
      Array.from(text.matchAll(/\[([\w-]+)\]\(/g), ([, name]) => name),
      ['pinned', 'new', 'old', 'a-undated', 'b-undated'],
    );
  });

  it('does not change when a checkout sets the times of the files', () => {
    const records = ['a', 'b', 'c'].map((name) => aRecord({ name, modified: 1 }));
    const checkedOut = records.map((record, n) => ({ ...record, modified: 100 - n }));
    assert.equal(indexText(checkedOut), indexText(records));
  });

  it('shows those that come first when all are put in order, from however many', () => {
    const day = fc.constantFrom('2025-01-01', '2025-01-02', '2026-01-01');
    const some = fc.record(
      { pinned: fc.boolean(), created: day, updated: day },
      { requiredKeys: [] },
    );
    const records = fc
      .array(some, { maxLength: 700, size: 'max' })
      .map((all) => all.map((each, at) => aRecord({ name: `n${at}`, ...each })));
    const time = ({ updated, created }: MemoryRecord) =>
      Date.parse(updated ?? created ?? '1970-01-01');
    const order = (a: MemoryRecord, b: MemoryRecord) =>
      Number(b.pinned) - Number(a.pinned) || time(b) - time(a) || (a.file < b.file ? -1 : 1);
    const check = fc.property(records, (all) => {
      const shown = indexText(all)
        .split('\n')
        .filter((line) => line.startsWith('- '));
      assert.deepEqual(shown, all.toSorted(order).slice(0, 196).map(indexLine));
    });
    fc.assert(check, { numRuns: 50 });
  });

  it('has only the title when there is nothing', () => {
    assert.equal(indexText([]), '# Memory Index\n\n');
  });

  it('stays within 200 lines and counts the rest', () => {
    const text = indexText(Array.from({ length: 300 }, (_, at) => aRecord({ name: `n${at}` })));
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 200);
    assert.equal(lines.at(-1), '(104 more did not fit in this index.)');
  });

  it('stays within 25,000 bytes and counts the rest', () => {
    const description = '記'.repeat(150);
    const records = Array.from({ length: 150 }, (_, at) =>
      aRecord({ name: `n${at}`, description }),
    );
    const text = indexText(records);
    const shown = text.split('\n').filter((line) => line.startsWith('- ')).length;
    assert.ok(Buffer.byteLength(text) <= 25_000 && Buffer.byteLength(text) > 24_000);
    assert.ok(text.endsWith(`\n\n(${150 - shown} more did not fit in this index.)\n`));
  });
});

describe('isGeneratedIndex', () => {
  const hostile = { name: 'a](b)\n[c', description: '(d) — [e] `f`', file: 'a (b) [c].md' };
  const many = Array.from({ length: 300 }, (_, number) =>
    aRecord({ ...hostile, file: `${number}.md` }),
  );

  it('knows whatever was generated, and nothing that a person added', () => {
    for (const records of [[], [aRecord(hostile)], many]) {
      const text = indexText(records);
      assert.ok(isGeneratedIndex(text));
      assert.ok(isGeneratedIndex(text.replaceAll('\n', '\r\n')));
      for (const line of ['My notes', '## Notes', '- a list', '- [a](b.md)', ' '])
        assert.equal(isGeneratedIndex(`${text}${line}\n`), false, line);
    }
  });
});
