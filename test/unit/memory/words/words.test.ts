import assert from 'node:assert/strict';
import { analyse } from '../../../../src/memory/words/words.ts';

describe('the terms of a text', () => {
  it('are the same with and without accents, and keep the marks that make another letter', () => {
    const terms = (text: string) => analyse(text.normalize('NFKC')).map(({ term }) => term);
    assert.deepEqual(terms('Ünïcödé q\u0330\u0301x'), terms('Unicode qx'));
    assert.notDeepEqual(terms('край'), terms('краи'));
  });

  it('are found without delay in a letter with any number of marks', () => {
    for (const letter of ['e', 'ж', '7']) {
      const start = performance.now();
      analyse(letter + '\u0330'.repeat(50_000));
      assert.ok(performance.now() - start < 2_000, letter);
    }
  });
});
