import assert from 'node:assert/strict';
import { runWithin } from '../../../src/base/timeLimit.ts';

describe('runWithin', () => {
  it('runs work that ends', () => {
    let done = 0;
    assert.equal(
      runWithin(1_000, () => (done += 1)),
      true,
    );
    assert.equal(done, 1);
  });

  it('ends a regular expression that would not, and keeps what came before', () => {
    const found: string[] = [];
    const finished = runWithin(50, () => {
      found.push('before');
      /^(a+)+$/.test(`${'a'.repeat(60)}b`);
      found.push('after');
    });
    assert.equal(finished, false);
    assert.deepEqual(found, ['before']);
  });

  it('passes on what the work throws', () => {
    assert.throws(
      () =>
        runWithin(1_000, () => {
          throw new Error('broken');
        }),
      /broken/,
    );
  });
});
