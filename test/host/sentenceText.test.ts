import assert from 'node:assert/strict';
import { sentence, SentenceError } from '../../src/base/sentence.ts';
import { errorSentence, sentenceText } from '../../src/vscode/text/sentenceText.ts';

describe('a sentence of the core in the window', () => {
  it('has its values in their places, and sentences within it', () => {
    const said = sentence`${'a.md'} has ${3} faults: ${sentence`${'{0}'} is no date.`}`;
    assert.equal(sentenceText(said), 'a.md has 3 faults: {0} is no date.');
  });

  it('has its figures as the language writes them', () => {
    assert.equal(
      sentenceText(sentence`At most ${8000} are allowed.`),
      'At most 8,000 are allowed.',
    );
  });

  it('is left as it is when it comes from outside', () => {
    assert.equal(sentenceText('EACCES: {0}'), 'EACCES: {0}');
  });

  it('tells of an error and of its cause, whosoever they are', () => {
    const cause = new Error('EACCES');
    const error = new SentenceError(sentence`${'a.md'} was not written.`, { cause });
    assert.equal(errorSentence(error), 'a.md was not written. (EACCES)');
    assert.equal(
      errorSentence(new Error('failed', { cause: error })),
      'failed (a.md was not written.)',
    );
    assert.equal(errorSentence(cause), 'EACCES');
    assert.equal(errorSentence('why'), 'why');
  });
});
