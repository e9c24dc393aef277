import assert from 'node:assert/strict';
import { changedSpan } from '../../../../src/vscode/tools/changedSpan.ts';

describe('changedSpan', () => {
  it('is nothing when nothing changed', () => {
    assert.equal(changedSpan('same\n', 'same\n'), undefined);
  });

  it('leaves out what is the same before and after the change', () => {
    assert.deepEqual(changedSpan('one two three', 'one 2 three'), { start: 4, end: 7, text: '2' });
  });

  it('takes an insertion and a deletion as empty on one side', () => {
    assert.deepEqual(changedSpan('ac', 'abc'), { start: 1, end: 1, text: 'b' });
    assert.deepEqual(changedSpan('abc', 'ac'), { start: 1, end: 2, text: '' });
    assert.deepEqual(changedSpan('', 'new'), { start: 0, end: 0, text: 'new' });
  });

  it('does not let the same beginning and end overlap', () => {
    assert.deepEqual(changedSpan('aa', 'aaa'), { start: 2, end: 2, text: 'a' });
  });

  it('keeps CRLF whole', () => {
    assert.deepEqual(changedSpan('a\r\nb', 'a\rb'), { start: 1, end: 3, text: '\r' });
    assert.deepEqual(changedSpan('a\nb', 'a\r\nb'), { start: 1, end: 2, text: '\r\n' });
  });

  it('keeps characters of two units whole', () => {
    assert.deepEqual(changedSpan('x😀y', 'x😁y'), { start: 1, end: 3, text: '😁' });
    // U+1F600 and U+1FA00 share their second half.
    assert.deepEqual(changedSpan('x\ud83d\ude00y', 'x\ud83e\ude00y'), {
      start: 1,
      end: 3,
      text: '\ud83e\ude00',
    });
  });

  it('gives back the new text when applied, over many random pairs', () => {
    const letters = ['a', 'b', '\r\n', '\n', '😀', '😁'];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const text = () => Array.from({ length: random(8) }, () => letters[random(6)]).join('');
    for (let round = 0; round < 5000; round++) {
      const [before, after] = [text(), text()];
      const span = changedSpan(before, after);
      const applied = span
        ? before.slice(0, span.start) + span.text + before.slice(span.end)
        : before;
      assert.equal(applied, after);
      const cut = span && [before.slice(0, span.start), span.text, before.slice(span.end)];
      assert.ok(cut?.every((piece) => piece.isWellFormed() && !piece.endsWith('\r')) ?? true);
    }
  });
});
