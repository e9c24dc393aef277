import assert from 'node:assert/strict';
import { saysRate, saysStaleThinking, saysTooLong } from '../../../src/models/failureWords.ts';

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

  it('knows the refusal of thinking that was signed for another conversation', () => {
    for (const text of [
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block.',
      'messages.5.content.1: Invalid `signature` in `redacted_thinking` block',
      'messages.9.content.35: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were.',
      'messages.1.content.0.thinking: each thinking block must contain thinking',
    ]) {
      assert(saysStaleThinking(text), text);
    }
    for (const text of [
      '"thinking.type.disabled" is not supported for this model.',
      'Invalid signature of the request',
      'messages.1: text content blocks must contain text',
    ]) {
      assert(!saysStaleThinking(text), text);
    }
  });

  it('takes no other failure for either', () => {
    const others = ['messages: roles must alternate', 'Overloaded', 'superhuman_secondary'];
    assert.deepEqual(
      others.filter((text) => saysRate(text) || saysTooLong(text)),
      [],
    );
  });
});
