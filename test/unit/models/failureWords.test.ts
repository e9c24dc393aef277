import assert from 'node:assert/strict';
import { saysRate, saysTooLong } from '../../../src/models/failureWords.ts';

describe('failureWords', () => {
  it('tells a size from a rate, whichever server says it', () => {
    const sizes = [
      'prompt is too long: 210000 tokens > 200000 maximum',
      'the request exceeds the available context size',
      '{"code":"model_max_prompt_tokens_exceeded"}',
      'too many prompt tokens',
      'Message exceeds token limit.',
    ];
    assert.deepEqual(sizes.filter(saysTooLong), sizes);
    assert.deepEqual(sizes.filter(saysRate), []);
    const rates = ['too many tokens per minute', 'Too Many Requests', 'You exceeded your quota.'];
    assert.deepEqual(rates.filter(saysRate), rates);
    assert.deepEqual(rates.filter(saysTooLong), []);
  });

  it('takes no other failure for either', () => {
    const others = ['messages: roles must alternate', 'Overloaded', 'superhuman_secondary'];
    assert.deepEqual(
      others.filter((text) => saysRate(text) || saysTooLong(text)),
      [],
    );
  });
});
