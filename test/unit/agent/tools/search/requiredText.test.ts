import assert from 'node:assert/strict';
import { mayHold, requiredWords } from '../../../../../src/agent/tools/search/requiredText.ts';
import { seededRandom } from '../../../../support/seededRandom.ts';

describe('the words that a match must hold', () => {
  const cases: readonly [pattern: string, words: readonly string[] | undefined][] = [
    ['needle', ['needle']],
    ['needle and hay', ['needle and hay']],
    [String.raw`\w+Foo\s+bar`, ['Foo']],
    [String.raw`(class|struct)\s+\w+`, ['class', 'struct']],
    ['one|(?:two|three)x|four', ['one', 'two', 'three', 'four']],
    ['abc?d', ['ab']],
    ['abc*de+f', ['ab']],
    ['abc+', ['abc']],
    ['ab{2,3}c', ['ab']],
    ['(abc)?d', undefined],
    ['(abc){0,2}d', undefined],
    ['(?<word>abc){2}d', ['abc']],
    ['ab.cd$', ['ab']],
    ['ab[xyz]cde', ['cde']],
    [String.raw`console\.log\(`, ['console.log(']],
    ['(?=secret)ab(?!never)(?<!gone)', ['ab']],
    ['ab|', undefined],
    ['ab|c*', undefined],
    ['a', undefined],
    ['(?i:ab)cd', undefined],
    [String.raw`\x41bc`, undefined],
    [String.raw`(abc)\1`, undefined],
    ['abc)', undefined],
    ['x{', undefined],
  ];
  for (const [pattern, words] of cases) {
    it(`of ${pattern} are ${words?.join(', ') ?? 'not known'}`, () => {
      assert.deepEqual(requiredWords(pattern), words);
    });
  }

  it('stand in a text in whatever case the expression allows, however it is written', () => {
    // The sign for kelvin, and the long s of old print.
    assert.equal(mayHold('kiss', 'iu')('\u212Ai\u017F\u017F'), true);
    assert.equal(mayHold('straße', 'iu')('STRAẞE'), true);
    assert.equal(mayHold('kiss', 'iu')('KISS'), true);
    assert.equal(mayHold('kiss', 'iu')('KIS'), false);
    assert.equal(mayHold('kiss', 'u')('KISS'), false);
  });

  it('never hide a line that matches', () => {
    const random = seededRandom(7);
    const pick = (from: readonly string[]) => random.pick(from);
    const term = (depth: number): string => {
      const kinds = ['ab', 'b', 'ca', '.', '[ab]', String.raw`\w`, '^', '$', String.raw`\b`, 'a.b'];
      const plain = pick(kinds);
      if (depth === 0 || random.chance(0.6)) return plain;
      return `${pick(['(', '(?:', '(?=', '(?!', '(?<!'])}${expression(depth - 1)})`;
    };
    const expression = (depth: number): string =>
      Array.from({ length: 1 + Math.floor(random.next() * 4) }, () => {
        const each = term(depth);
        // An assertion cannot be repeated.
        const quantifier = /^[\^$]|^\\b|^\(\?[=!<]/.test(each)
          ? ''
          : pick(['', '', '', '?', '*', '+', '{2}', '{0,1}', '+?']);
        return each + quantifier + pick(['', '', '', '|']);
      }).join('');
    let hidden = 0;
    for (let run = 0; run < 3_000; run += 1) {
      const pattern = expression(2);
      const flags = pick(['u', 'iu']);
      const text = Array.from({ length: 8 }, () => pick(['a', 'b', 'c', 'A', 'B'])).join('');
      const holds = mayHold(pattern, flags)(text);
      if (!holds) hidden += 1;
      if (!holds) assert.doesNotMatch(text, new RegExp(pattern, flags), pattern);
    }
    assert.ok(hidden > 100, `${hidden} texts were left out`);
  });
});
