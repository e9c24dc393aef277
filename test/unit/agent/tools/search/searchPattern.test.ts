import assert from 'node:assert/strict';
import { readPattern } from '../../../../../src/agent/tools/search/searchPattern.ts';

describe('a search pattern', () => {
  const read = (pattern: string) => readPattern(pattern, false);

  const cases: readonly [pattern: string, fits: readonly string[], misses: readonly string[]][] = [
    ['(?i)needle', ['NEEDLE'], ['nadel']],
    ['(?sm)^a.b$', ['a-b'], ['A-b']],
    ['[[:space:]]x', [' x', '\tx'], [':x']],
    ['^[^[:alpha:]_]+$', ['12'], ['a', '_', '1a']],
    ['[[:upper:][:digit:]]{3}', ['A1B'], ['ab1']],
    ['^[[:punct:]]+$', ['!]^-\\~'], ['a!']],
    ['^[]ab]+$', ['a]b'], ['[']],
    ['^"[^]"]*"$', ['"a b"'], ['"a]b"']],
    [String.raw`^[\]a]+$`, [']a'], ['\\']],
    ['(?P<quote>["\'])x(?P=quote)', ['"x"'], ['"x\'']],
    [String.raw`\Aab\Z`, ['ab'], ['xab', 'abx']],
    [String.raw`a\h+b`, ['a \tb'], ['ahb']],
    [String.raw`(?<=\d\.)x`, ['1.x'], ['ax']],
    [String.raw`\[x\]\\A`, ['[x]\\A'], ['x']],
    ['(?i:a)b', ['Ab'], ['AB']],
    ['a:b', ['a:b'], ['ab']],
    ['[:a]+:]', ['a:]'], ['x]']],
  ];
  for (const [pattern, fits, misses] of cases) {
    it(`${pattern} is read as it is meant`, () => {
      const { expression } = read(pattern);
      assert.deepEqual(
        [...fits, ...misses].filter((line) => line.search(expression) >= 0),
        fits,
      );
    });
  }

  it('says what to write in place of what cannot be read', () => {
    assert.throws(() => read('f('), /Invalid regular expression: .*escape brackets/);
    assert.throws(() => read('(?x)a b'), /Invalid regular expression/);
    assert.throws(() => read('a++'), /Nothing to repeat.*JavaScript regular expression/);
    assert.throws(() => read('x[]'), /escape brackets that are meant literally/);
    assert.throws(() => read(String.raw`\Qa.b\E`), /\\Q is not known here/);
    assert.throws(() => read(String.raw`a\Kb`), /\\K is not known here/);
    assert.throws(
      () => read('[[:letter:]]'),
      /"\[:letter:\]" is not known here\. The classes are: alnum/,
    );
    assert.throws(() => read('[[:^space:]]'), /The classes are/);
  });

  it('tells what may be meant otherwise', () => {
    const doubts = (pattern: string) => read(pattern).doubts.join('\n');
    assert.match(doubts(String.raw`foo\|bar`), /Write \| between alternatives/);
    assert.match(doubts(String.raw`\<word\>`), /Write \\b for the edge/);
    assert.match(doubts(String.raw`a\nb`), /never matches across/);
    assert.match(doubts('a\nb'), /never matches across/);
    assert.equal(doubts(String.raw`a\\|b\\n<c>`), '');
  });
});
