import assert from 'node:assert/strict';
import { array, assert as check, constantFrom, property } from 'fast-check';
import { describe, it } from 'mocha';
import {
  countLinks,
  followRename,
  namesakesOf,
  type Rename,
} from '../../../src/memory/recordLinks.ts';

const HEAD = '---\ntype: user\n---\n';
const RENAME: Rename = {
  from: { file: 'old.md', name: 'old' },
  to: { file: 'new-name.md', name: 'new-name' },
  others: [{ file: 'older.md', name: 'older' }],
};

/** The body, and how many links were changed. */
function followed(body: string, rename: Partial<Rename> = {}): readonly [string, number] {
  const { text, links } = followRename(HEAD + body, { ...RENAME, ...rename });
  assert.ok(text.startsWith(HEAD));
  return [text.slice(HEAD.length), links];
}

/** The same in each run. */
const RUNS = { seed: 11, numRuns: 1_000 };

describe('followRename', () => {
  it('leads what pointed to the old file to the new one, and nothing else', () => {
    assert.deepEqual(
      followed(
        '[a](old.md "t") [b](./old.md#x) [c](<old.md>) [[old]] [[Old.md|o]]\r\n[d]: OLD.md\r\n' +
          '[e](older.md) [f](sub/old.md) [g](https://x.y/old.md) [[older]] `[h](old.md)` old.md\r\n',
      ),
      [
        '[a](new-name.md "t") [b](./new-name.md#x) [c](<new-name.md>) [[new-name]] [[new-name.md|o]]\r\n' +
          '[d]: new-name.md\r\n' +
          '[e](older.md) [f](sub/old.md) [g](https://x.y/old.md) [[older]] `[h](old.md)` old.md\r\n',
        6,
      ],
    );
  });

  it('reads percent codes and escapes, and writes codes where codes were', () => {
    const from = { file: 'Alt (1) 表.md', name: 'alt' };
    const to = { file: 'neu-表.md', name: 'neu-表' };
    const body = '[a](Alt%20%281%29%20表.md) [b](<Alt (1) 表.md>) [c](<Alt \\(1\\) 表.md>)';
    assert.deepEqual(followed(body, { from, to }), [
      '[a](neu-%E8%A1%A8.md) [b](<neu-表.md>) [c](<neu-表.md>)',
      3,
    ]);
  });

  it('leaves a link to another memory that has the name in the very same letters', () => {
    const others = [
      { file: 'OLD.md', name: 'OLD' },
      { file: 'third.md', name: 'title' },
    ];
    const from = { file: 'old.md', name: 'title' };
    assert.deepEqual(
      followed('[a](OLD.md) [b](old.md) [[OLD]] [[old]] [[title]]', { from, others }),
      ['[a](OLD.md) [b](new-name.md) [[OLD]] [[new-name]] [[title]]', 2],
    );
    assert.deepEqual(followed('[[Title]]', { from }), ['[[new-name]]', 1]);
  });

  it('changes only wiki links by name where the file stays', () => {
    const from = { file: 'tabs.md', name: 'Tab width' };
    const to = { file: 'tabs.md', name: 'tabs' };
    assert.deepEqual(followed('[a](Tabs.md) [[TABS]] [[tab width#x]]', { from, to }), [
      '[a](Tabs.md) [[TABS]] [[tabs#x]]',
      1,
    ]);
  });

  it('leads what supersedes it in front matter, and keeps the rest of it', () => {
    const heads = [
      ['supersedes: old # why', 'supersedes: new-name # why'],
      ['supersedes: "old.md"', 'supersedes: new-name.md'],
      ["supersedes: ['[[old]]', older]", 'supersedes: ["[[new-name]]", older]'],
      [
        'supersedes:\r\n  - older\r\n  -   old\r\nx: old',
        'supersedes:\r\n  - older\r\n  -   new-name\r\nx: old',
      ],
    ];
    for (const [before, after] of heads) {
      const text = (head: string | undefined) => `---\r\ntype: user\r\n${head}\r\n---\r\nBody\r\n`;
      assert.deepEqual(followRename(text(before), RENAME), { text: text(after), links: 1 });
    }
    for (const head of ['supersedes: older', 'supersedes: 1', 'supersedes: {a: old}', 'x: old'])
      assert.equal(followRename(`---\n${head}\n---\n`, RENAME).links, 0);
  });

  it('follows as many links as a file may hold in time', () => {
    assert.equal(followed('[a](old.md) [[old]] '.repeat(20_000))[1], 40_000);
  }).timeout(5_000);

  it('changes nothing but names, and leads back again, whatever the text', () => {
    const pieces = [
      '[a](old.md)',
      '[[old]]',
      '<old.md>',
      '`',
      '```',
      '\n',
      '\r\n',
      ' ',
      'old',
      '[b]: ./old.md#x',
      '(',
      ']',
      '\\',
    ];
    check(
      property(array(constantFrom(...pieces)), (parts) => {
        const text = HEAD + parts.join('');
        const there = followRename(text, RENAME);
        const back = followRename(there.text, { ...RENAME, from: RENAME.to, to: RENAME.from });
        assert.deepEqual(back, { text, links: there.links });
        assert.equal(there.text.replaceAll('new-name', 'old'), text);
        assert.equal(there.text.split('new-name').length - 1, there.links);
        assert.equal(followRename(there.text, RENAME).links, 0);
      }),
      RUNS,
    );
  });
});

describe('namesakesOf', () => {
  it('are those that go by the name of the file or the memory, in any case', () => {
    const others = [
      'OLD.md old',
      'a.md Old',
      'title.md b',
      'c.md TITLE',
      'older.md titles',
      'd.md e',
    ];
    const named = others.map((each) => ({ file: each.split(' ')[0]!, name: each.split(' ')[1]! }));
    assert.deepEqual(namesakesOf({ file: 'old.md', name: 'title' }, named), named.slice(0, 4));
  });
});

describe('countLinks', () => {
  it('counts what leads to the old name in a text that is no memory', () => {
    const links = '[a](old.md) [[old]] [b](other.md) `[c](old.md)`\n';
    assert.equal(countLinks(links, RENAME), 2);
    assert.equal(countLinks(`---\nsupersedes: old\n${links}`, RENAME), 3);
    assert.equal(countLinks(`---\nname: [\nsupersedes: [[old]]\n---\n`, RENAME), 1);
    assert.equal(countLinks('', RENAME), 0);
  });
});
