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

  for (const [first, second] of [
    [0, 2],
    [1, 2],
    [5, 3],
  ] as const) {
    it(`finds the blocks of a stream that numbers them ${first} and ${second}`, () => {
      const reply = collected(
        words(first),
        piece(first, 'Hi'),
        call(second, {}),
        json(second, '{"a":1}'),
      );
      assert.deepEqual(reply?.content, [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: `t${second}`, name: 'glob', input: { a: 1 } },
      ]);
    });
  }

  it('keeps both blocks when a server gives them the same number', () => {
    const reply = collected(words(0), piece(0, 'Hi'), call(0, {}), json(0, '{"a":1}'));
    assert.deepEqual(reply?.content, [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 't0', name: 'glob', input: { a: 1 } },
    ]);
  });

  it('counts the blocks itself when a server does not number them', () => {
    const unnumbered = [words(0), piece(0, 'Hi'), call(0, {}), json(0, '{"a":1}')].map(
      ({ index: _index, ...event }) => event,
    );
    const reply = collected(...unnumbered);
    assert.deepEqual(
      reply?.content.map(({ text, input }) => text ?? input),
      ['Hi', { a: 1 }],
    );
  });

  for (const delta of [{}, { stop_reason: null, stop_details: null }]) {
    it(`keeps why the reply stopped when ${JSON.stringify(delta)} comes after it`, () => {
      const stop_details = { explanation: 'Not this.' };
      const collector = collectReply();
      collector.add(START);
      collector.add({ type: 'message_delta', delta: { stop_reason: 'refusal', stop_details } });
      collector.add({ type: 'message_delta', delta, usage: { output_tokens: 10 } });
      collector.add({ type: 'message_stop' });
      const { stop_reason, stop_details: details, usage } = collector.reply() ?? {};
      assert.deepEqual(
        { stop_reason, details, output: usage?.output_tokens },
        { stop_reason: 'refusal', details: stop_details, output: 10 },
      );
    });
  }

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

  it('takes nothing for a count that cannot be added up', () => {
    const wrong = JSON.parse('{"input_tokens":"5","output_tokens":-3,"server_tool_use":{}}');
    const collector = collectReply();
    collector.add({ type: 'message_start', message: { usage: wrong } });
    collector.add({ type: 'message_stop' });
    assert.deepEqual(collector.reply()?.usage, { input_tokens: 0, output_tokens: 0 });
  });

  it('passes over what it does not know', () => {
    const reply = collected(
      { type: 'brand_new_event' },
      words(0),
      piece(0, 'Hi'),
      { type: 'content_block_delta', index: 0, delta: { type: 'brand_new_delta' } },
      piece(7, 'Hi'),
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

function words(index: number): ReplyEvent {
  return { type: 'content_block_start', index, content_block: { type: 'text', text: '' } };
}

function piece(index: number, text: string): ReplyEvent {
  return { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
}

function call(index: number, input: object): ReplyEvent {
  const content_block = { type: 'tool_use', id: `t${index}`, name: 'glob', input };
  return { type: 'content_block_start', index, content_block };
}

function json(index: number, partial_json: string): ReplyEvent {
  return { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } };
}
