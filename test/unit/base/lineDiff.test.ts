import assert from 'node:assert/strict';
import { lineDiff } from '../../../src/base/lineDiff.ts';

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');

describe('lineDiff', () => {
  it('shows what changed with three lines around it and where it stands', () => {
    const before = lines(20, 'line');
    assert.deepEqual(lineDiff(before, before.replace('line 10\n', 'ten\nand more\n')), {
      added: 2,
      removed: 1,
      text: [
        '@@ -7,7 +7,8 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+ten',
        '+and more',
        ' line 11',
        ' line 12',
        ' line 13',
      ].join('\n'),
    });
  });

  it('shows a text that appears and one that goes', () => {
    assert.deepEqual(lineDiff('', 'a\n'), { added: 1, removed: 0, text: '@@ -0,0 +1,1 @@\n+a' });
    assert.deepEqual(lineDiff('a\n', ''), { added: 0, removed: 1, text: '@@ -1,1 +0,0 @@\n-a' });
  });

  it('is empty when nothing or only line ends differ', () => {
    const nothing = { added: 0, removed: 0, text: '' };
    assert.deepEqual(lineDiff('a\nb\n', 'a\nb\n'), nothing);
    assert.deepEqual(lineDiff('a\r\nb\rc\n', 'a\nb\nc\r\n'), nothing);
  });

  it('marks a line behind a lone CR too', () => {
    assert.equal(lineDiff('a\n', 'a\rb\n').text, '@@ -1,1 +1,2 @@\n a\n+b');
  });

  it('tells when the last line has no end any more', () => {
    const { text } = lineDiff('a\n', 'a');
    assert.equal(text, '@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file');
  });

  it('shows all between as one hunk where the shortest difference would take too long', () => {
    const [old, now] = [lines(3_000, 'old'), lines(3_000, 'new')];
    const { added, removed, text } = lineDiff(`same\n${old}same\n`, `same\n${now}same\n`);
    assert.deepEqual([added, removed], [3_000, 3_000]);
    assert.match(text, /^@@ -2,3000 \+2,3000 @@\n-old 1\n/);
    assert.match(text, /\n-old 3000\n\+new 1\n(\+new \d+\n)+\+new 3000$/);
    assert.match(lineDiff('', now).text, /^@@ -0,0 \+1,3000 @@\n\+new 1\n/);
  });
});
