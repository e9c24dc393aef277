import assert from 'node:assert/strict';
import { foldSentence } from '../../../src/memory/fieldText.ts';

describe('a sentence as it is compared', () => {
  it('has no marks around it, whichever they are', () => {
    for (const text of [
      'Use tabs',
      '“Use  tabs.”',
      ' use tabs!? ',
      "'Use tabs'...",
      'ＵＳＥ TABS。',
    ])
      assert.equal(foldSentence(text), 'use tabs', text);
    assert.equal(foldSentence('.env'), '.env');
    assert.equal(foldSentence('"...'), '');
  });

  it('is made without delay of a text full of marks', () => {
    for (const mark of ['.', '"', '’ ', '!?']) {
      const start = performance.now();
      foldSentence(`a${mark.repeat(100_000)}b`);
      assert.ok(performance.now() - start < 1_000, mark);
    }
  });
});
