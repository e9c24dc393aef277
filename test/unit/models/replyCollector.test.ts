import assert from 'node:assert/strict';
import { collectReply, type ReplyEvent } from '../../../src/models/replyCollector.ts';

describe('replyCollector', () => {
  it('has no reply before the stream came to its end', () => {
    const collector = collectReply();
    for (const event of [START, stopped('end_turn')]) collector.add(event);
    assert.equal(collector.reply(), undefined);
  });

  it('keeps apart the inputs of calls whose pieces are mixed', () => {
    const reply = collected(
      call(0, {}),
      call(1, {}),
      json(0, '{"a"'),
      json(1, '{"b":'),
      json(0, ':1}'),
      json(1, '2}'),
    );
    assert.deepEqual(
      reply?.content.map(({ input }) => input),
      [{ a: 1 }, { b: 2 }],
    );
  });

  it('takes an input that comes whole with the start of its block', () => {
    assert.deepEqual(collected(call(0, { a: 1 }))?.content[0]?.input, { a: 1 });
  });

  it('counts with what a server tells, also when it tells little', () => {
    const told = { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: null };
    const collector = collectReply();
    collector.add({ type: 'message_start', message: { usage: told } });
    collector.add({ ...stopped('end_turn'), usage: { output_tokens: 9 } });
    collector.add({ type: 'message_stop' });
    assert.deepEqual(collector.reply()?.usage, { input_tokens: 5, output_tokens: 9 });
    assert.deepEqual(collected()?.usage, { input_tokens: 0, output_tokens: 0 });
  });

  it('passes over what it does not know', () => {
    const words = { type: 'text_delta', text: 'Hi' };
    const reply = collected(
      { type: 'brand_new_event' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: words },
      { type: 'content_block_delta', index: 0, delta: { type: 'brand_new_delta' } },
      { type: 'content_block_delta', index: 7, delta: words },
    );
    assert.deepEqual(reply?.content, [{ type: 'text', text: 'Hi' }]);
  });
});

const START: ReplyEvent = { type: 'message_start', message: {} };

function collected(...events: readonly ReplyEvent[]) {
  const collector = collectReply();
  for (const event of [START, ...events, stopped('tool_use'), { type: 'message_stop' }]) {
    collector.add(event);
  }
  return collector.reply();
}

function stopped(stop_reason: string): ReplyEvent {
  return { type: 'message_delta', delta: { stop_reason } };
}

function call(index: number, input: object): ReplyEvent {
  const content_block = { type: 'tool_use', id: `t${index}`, name: 'glob', input };
  return { type: 'content_block_start', index, content_block };
}

function json(index: number, partial_json: string): ReplyEvent {
  return { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } };
}
