// Sentences of the core: the English for log and model, and the parts for a translation.

import assert from 'node:assert/strict';
import {
  joinedSentences,
  sentence,
  SentenceError,
  sentenceOf,
  throwAny,
} from '../../../src/base/sentence.ts';

describe('sentence', () => {
  it('keeps what stands in it apart from its words', () => {
    const said = sentence`${'a.md'} has ${3} lines.`;
    assert.equal(said.template, '{0} has {1} lines.');
    assert.deepEqual(said.values, ['a.md', 3]);
    assert.equal(String(said), 'a.md has 3 lines.');
  });

  it('leaves places alone that stand in a value', () => {
    assert.equal(String(sentence`${'{1}'} and ${'b'}`), '{1} and b');
  });

  it('holds a sentence within a sentence', () => {
    assert.equal(String(sentence`Not saved: ${sentence`It is full.`}`), 'Not saved: It is full.');
  });

  it('is the message of its error', () => {
    const cause = new Error('why');
    const error = new SentenceError(sentence`${'a.md'} is gone.`, { cause });
    assert.equal(error.message, 'a.md is gone.');
    assert.equal(error.cause, cause);
  });

  it('is told of an error with its cause, unless it tells the cause itself', () => {
    const cause = new SentenceError(sentence`${'a.md'} is gone.`);
    const { sentence: why } = cause;
    const bare = sentenceOf(new SentenceError(sentence`Not saved.`, { cause }));
    assert.deepEqual(bare, sentence`${sentence`Not saved.`} (${why})`);
    const whole = sentence`Not saved: ${why}`;
    assert.equal(sentenceOf(new SentenceError(whole, { cause })), whole);
  });

  it('is told of an error of others in their words', () => {
    assert.equal(sentenceOf(new Error('EIO')), 'EIO');
    assert.equal(sentenceOf('why'), 'why');
    const cause = new SentenceError(sentence`It is gone.`);
    assert.equal(String(sentenceOf(new Error('failed', { cause }))), 'failed (It is gone.)');
  });

  it('is thrown as it is where it is the only one, and else with the others, each once', () => {
    const [full, gone] = ['It is full.', 'It is gone.'].map((text) => new Error(text));
    throwAny([]);
    assert.throws(
      () => throwAny([full]),
      (error) => error === full,
    );
    assert.throws(
      () => throwAny([full, new Error('It is full.')]),
      (error) => error === full,
    );
    assert.throws(() => throwAny([full, gone, full]), /^Error: It is full\. It is gone\.$/);
    assert.throws(
      () => throwAny([undefined]),
      (error) => error === undefined,
    );
  });

  it('stands behind others', () => {
    const [first, second] = [sentence`One.`, sentence`Two.`];
    assert.equal(joinedSentences([]), '');
    assert.equal(joinedSentences([first]), first);
    assert.equal(String(joinedSentences([first, second, 'three'])), 'One. Two. three');
  });
});
