import assert from 'node:assert/strict';
import { cutLine, linesOf, partOf, wrapLine } from '../../../src/base/lines.ts';

describe('lines', () => {
  it('have no ends, no mark, and none after the last end', () => {
    assert.deepEqual(linesOf('\uFEFFone\r\ntwo\n\n'), ['one', 'two', '']);
    assert.deepEqual(linesOf(''), []);
  });

  it('are cut without half a character, and say what is missing', () => {
    assert.equal(cutLine('short', 5), 'short');
    assert.equal(cutLine('longer', 4), 'long [... 2 more characters]');
    assert.ok(cutLine('abc\u{1F600}', 4).isWellFormed());
    assert.ok(partOf('\u{1F600}\u{1F600}', 1, 3).isWellFormed());
  });

  it('are wrapped without parting a pair, and stay as they are when they fit', () => {
    assert.deepEqual(wrapLine('', 4), ['']);
    assert.deepEqual(wrapLine('four', 4), ['four']);
    assert.deepEqual(wrapLine('ninechars', 4), ['nine', 'char', 's']);
    assert.deepEqual(wrapLine('abc\u{1F600}d', 4), ['abc', '\u{1F600}d']);
    assert.deepEqual(wrapLine('ab\u{1F600}\u{1F600}', 4), ['ab\u{1F600}', '\u{1F600}']);
  });
});
