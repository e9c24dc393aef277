import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { partsOf } from '../../../../src/memory/exchange/importParts.ts';

const LIMIT = 40;

describe('partsOf', () => {
  it('leaves a text that fits as it is', () => {
    assert.deepEqual(partsOf('a\n\nb', LIMIT), ['a\n\nb']);
  });

  it('cuts before headings, the highest first, and keeps together what fits together', () => {
    const text = `# A\n${'a'.repeat(20)}\n## B\nb\n# C\n${'c'.repeat(20)}\n# D\nd\n`;
    assert.deepEqual(partsOf(text, LIMIT), [
      `# A\n${'a'.repeat(20)}\n## B\nb\n`,
      `# C\n${'c'.repeat(20)}\n# D\nd\n`,
    ]);
  });

  it('cuts between paragraphs where there is no heading, and not within code', () => {
    const code = '```\n# a\n\n# b\n\n# c\n```\n';
    const text = `${'a'.repeat(25)}\n\n${code}`;
    assert.deepEqual(partsOf(text, LIMIT), [`${'a'.repeat(25)}\n\n`, code]);
  });

  it('cuts between lines, and at last between characters', () => {
    const text = `- ${'a'.repeat(30)}\n- ${'b'.repeat(30)}\n${'😀'.repeat(50)}`;
    assert.deepEqual(partsOf(text, LIMIT), [
      `- ${'a'.repeat(30)}\n`,
      `- ${'b'.repeat(30)}\n`,
      '😀'.repeat(40),
      '😀'.repeat(10),
    ]);
  });

  it('loses nothing, adds nothing and keeps to the limit, whatever the text', () => {
    const line = fc.constantFrom(
      '',
      '# A',
      '## B',
      '```',
      '<!--',
      '-->',
      'word',
      '- 项目 '.repeat(9),
      ' \r',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        (lines, limit) => {
          const text = lines.join('\n');
          const parts = partsOf(text, limit);
          assert.equal(parts.join(''), text);
          assert.ok(parts.every((part) => Array.from(part).length <= limit));
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });

  it('takes a moment for a megabyte', () => {
    assert.equal(partsOf('a '.repeat(500_000), 8000).length, 125);
  });
});
