import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import { lineDiff } from '../../../src/base/lineDiff.ts';
import { seededRandom } from '../../support/seededRandom.ts';

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

  it('keeps a last line of space', () => {
    assert.equal(lineDiff('a\n', 'a\n \u00a0\n').text, '@@ -1,1 +1,2 @@\n a\n+ \u00a0');
  });

  describe('where the shortest difference would take too long', () => {
    it('shows what was replaced as one hunk', () => {
      const [old, now] = [lines(3_000, 'old'), lines(3_000, 'new')];
      const { added, removed, text } = lineDiff(`same\n${old}same\n`, `same\n${now}same\n`);
      assert.deepEqual([added, removed], [3_000, 3_000]);
      assert.match(text, /^@@ -1,3002 \+1,3002 @@\n same\n-old 1\n/);
      assert.match(text, /\n-old 3000\n\+new 1\n(\+new \d+\n)+\+new 3000\n same$/);
      assert.match(lineDiff('', now).text, /^@@ -0,0 \+1,3000 @@\n\+new 1\n/);
    });

    it('counts only what changed where a word was replaced in many places', () => {
      const before = 'word\n1\n2\n3\n4\n5\n6\n7\n'.repeat(3_000);
      const { added, removed, text } = lineDiff(before, before.replaceAll('word', 'term'));
      assert.deepEqual([added, removed], [3_000, 3_000]);
      assert.ok(
        text.startsWith('@@ -1,4 +1,4 @@\n-word\n+term\n 1\n 2\n 3\n@@ -6,7 +6,7 @@\n 5\n'),
      );
    });

    it('gives a difference that makes the one text of the other', () => {
      const random = seededRandom(3);
      const pick = (count: number) => Math.floor(random.next() * count);
      for (let run = 0; run < 3; run += 1) {
        const old = Array.from({ length: 4_500 }, () => `line ${pick(3_000)}\n`);
        const now = old.flatMap((line) =>
          pick(3) > 0 ? [line] : Array.from({ length: pick(3) }, () => `line ${pick(9_000)}\n`),
        );
        const { text } = lineDiff(old.join(''), now.join(''));
        assert.equal(applyPatch(old.join(''), `${text}\n`), now.join(''));
      }
    });
  });
});
