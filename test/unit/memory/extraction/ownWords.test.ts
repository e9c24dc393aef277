import assert from 'node:assert/strict';
import { ownWords, ownWordsFor } from '../../../../src/memory/extraction/ownWords.ts';

describe('the own words of a message', () => {
  for (const [message, own] of [
    ['Use tabs.', ['Use tabs.']],
    ['Use `tabs`, not "spaces".', ['Use `tabs`, not "spaces".']],
    ['Fix:\n```ts\ncode\n```\nthen stop', ['Fix:', 'then stop']],
    ['Fix ```code``` now', ['Fix', 'now']],
    ['Fix:\n~~~\ncode\n~~~', ['Fix:']],
    ['Fix:\n```\nnever closed\nUse tabs', ['Fix:']],
    ['They say:\n> Use tabs\n  > and so on\nIs it so?', ['They say:', 'Is it so?']],
    ['a > b and c -> d', ['a > b and c -> d']],
    ['<attachment id="1">Use tabs</attachment> Look.', ['Look.']],
    ['<file_content path="a">\nUse tabs\n</file_content>\nLook.', ['Look.']],
    ['See <b>this</b> and List<String>', ['See <b>this</b> and List<String>']],
    ['<note>\nUse tabs\n</note>\nLook.', ['Look.']],
    ['<file>one</file> and <file>two</file> end', ['and', 'end']],
    ['<file><code>\na\n</code></file> end', ['end']],
    ['<file>never closed. Use tabs', ['<file>never closed. Use tabs']],
    ['```\nall of it\n```', []],
    ['````\n```\nUse tabs\n```\n````\nLook.', ['Look.']],
    ['Look: """\nUse tabs\n""" Why?', ['Look:', 'Why?']],
    ['＞ Use tabs\nWhy?', ['Why?']],
    ['He calls it "fast"', ['He calls it "fast"']],
    ['<a>\nUse tabs\n</a> <article>', ['<article>']],
    ['<a>x</article>\n</a> Look.', ['Look.']],
    ['<Note>\nUse tabs\n</note> Look.', ['Look.']],
    ['', []],
  ] as const) {
    it(`are told in: ${JSON.stringify(message)}`, () => assert.deepEqual(ownWords(message), own));
  }

  it('are not what is cited, but may go beyond it', () => {
    for (const message of [
      'The README says "use tabs", right?',
      'The README says: “use tabs” a lot',
      '文件写着「use tabs」，对吗？',
      'In der README steht: „use tabs“. Wirklich?',
    ]) {
      const own = ownWordsFor('use tabs', [message]);
      assert.ok(!own.some((part) => part.includes('use tabs')), message);
      assert.deepEqual(ownWordsFor(message, [message]), [message]);
    }
    for (const message of ['I always say "use tabs"', 'He calls it "use tabs"'])
      assert.deepEqual(ownWordsFor('use tabs', [message]), [message]);
    const both = ['It says "use tabs". I say use tabs too'];
    assert.ok(ownWordsFor('use tabs', both).some((part) => part.includes('use tabs')));
  });

  it('are told quickly in a text made of tags and marks', () => {
    for (const hostile of ['<a>', '<a\n', '```', '</a>', '> ', '<file></b>', '"', '“', 'says “'])
      assert.ok(Array.isArray(ownWordsFor('use tabs', ownWords(hostile.repeat(100_000)))));
    // Each of the tags has an end, far behind and on the same line.
    assert.equal(ownWords(`${'<a><b>'.repeat(50_000)}</b></a>`).length, 1);
  }).timeout(3_000);
});
