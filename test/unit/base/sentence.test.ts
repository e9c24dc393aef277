// Sentences of the core: the English for log and model, and the parts for a translation.

import assert from 'node:assert/strict';
import { sentence, SentenceError } from '../../../src/base/sentence.ts';

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
});
