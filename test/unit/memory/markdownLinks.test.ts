import assert from 'node:assert/strict';
import { array, assert as check, constantFrom, property } from 'fast-check';
import { describe, it } from 'mocha';
import { linksIn } from '../../../src/memory/markdownLinks.ts';

/** What each link means, with where it is written. */
function links(markdown: string): readonly string[] {
  return linksIn(markdown).map(({ kind, start, end, target }) => {
    const written = markdown.slice(start, end);
    return `${kind} ${written}${written === target ? '' : ` = ${target}`}`;
  });
}

/** The same in each run. */
const RUNS = { seed: 11, numRuns: 1_000 };

describe('linksIn', () => {
  it('finds links, images, definitions and wiki links, without what belongs to them', () => {
    const markdown = [
      'See [it](a.md), [that](./b.md#part "Title"), ![img]( <c d.md> ) and',
      '[x](e%20f.md?plain (t)) or [y](g\\(1\\).md) or [z](h(2).md).',
      '',
      '> - [`code`](i.md) [[j]] ![[ k|alias ]] [[l#part]] | [[m\\|n]]',
      '',
      '[ref]: o.md  ',
      "  [other ref]: <p.md> 'title'",
    ].join('\n');
    assert.deepEqual(links(markdown), [
      'address a.md',
      'address ./b.md',
      'address c d.md',
      'address e%20f.md = e f.md',
      'address g\\(1\\).md = g(1).md',
      'address h(2).md',
      'address i.md',
      'wiki j',
      'wiki k',
      'wiki l',
      'wiki m',
      'address o.md',
      'address p.md',
    ]);
  });

  it('passes over code, and what only looks like a link', () => {
    const markdown = [
      '`[a](a.md)` and ``[[b]] ` [c](c.md)`` and \\[d](d.md) and [e] (e.md) and f](f.md)',
      'and [g](g.md and more) and [h](#part) and \\`[i](i.md)',
      '',
      '```',
      '[j](j.md)',
      '',
      '~~~',
      '```',
      '- ~~~~ text',
      '  [[k]]',
      '  ~~~',
      '  ~~~~',
      '> ```',
      '> [l](l.md)',
      '[m](m.md)',
    ].join('\n');
    assert.deepEqual(links(markdown), ['address i.md', 'address m.md']);
  });

  it('takes no code span across a blank line, and code that is not closed to the end', () => {
    assert.deepEqual(links('a ` b\n\n[c](c.md) `'), ['address c.md']);
    assert.deepEqual(links('[a](a.md)\n```\n[b](b.md)\n\n[c](c.md)'), ['address a.md']);
  });

  it('finds its way through any text, in order and without overlaps', () => {
    const pieces = '[ ] ( ) [[ ]] ` `` ``` ~~~ < > # \\ " \n \r\n a.md [a](b.md) [[c]] - : %'.split(
      ' ',
    );
    check(
      property(array(constantFrom(...pieces, ' ')), (parts) => {
        const markdown = parts.join('');
        let last = 0;
        for (const { start, end, target } of linksIn(markdown)) {
          assert.ok(last <= start && start <= end && end <= markdown.length);
          assert.notEqual(target, '');
          last = end;
        }
      }),
      RUNS,
    );
  });

  it('reads a hostile text in time', () => {
    for (const piece of [
      '[',
      '](',
      '[[',
      '`',
      '[a](b "',
      '[[a ',
      '](<',
      '\\',
      '[a](b(',
      ' \n[a]:',
      '[](',
      '((',
    ])
      linksIn(piece.repeat(200_000 / piece.length));
    linksIn(Array.from({ length: 600 }, (_, i) => '`'.repeat(i + 1)).join(' '));
  }).timeout(5_000);
});
