import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeUtf8 } from '../../../src/base/decodeUtf8.ts';

describe('decodeUtf8', () => {
  it('keeps a byte order mark', () => {
    assert.equal(decodeUtf8(Buffer.from('\uFEFFa'), 'a.md'), '\uFEFFa');
  });

  it('names the file that is not UTF-8', () => {
    assert.throws(() => decodeUtf8(Buffer.from([0xe9]), '/x/a.md'), /^Error: a\.md is not UTF-8/);
  });
});
