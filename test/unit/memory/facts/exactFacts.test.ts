import assert from 'node:assert/strict';
import { exactFactsIn } from '../../../../src/memory/facts/exactFacts.ts';

describe('exact facts of a sentence', () => {
  it('are code and addresses, whatever stands before them', () => {
    const sentence = 'Run ``make all`` and see <https://a.test/b>, (ftp://c.test) and -x://d.test.';
    const facts = ['make all', 'https://a.test/b', 'ftp://c.test', 'x://d.test'];
    assert.deepEqual(exactFactsIn(sentence).found, facts);
  });

  it('are found without delay in a long text that is nearly code or an address', () => {
    for (const part of ['`', 'a.', 'a-', '://']) {
      const start = performance.now();
      exactFactsIn(part.repeat(100_000));
      assert.ok(performance.now() - start < 1_000, part);
    }
  });
});
