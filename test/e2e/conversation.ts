// The conversation that a model was sent, checked for what every model demands, and as lines to compare.

import assert from 'node:assert/strict';
import type { RawBlock, RequestBody } from '../support/fakeMessagesApi.ts';

/** How the agent asks a model to go on, which nobody said. */
const GO_ON = /^Your reply was (cut|empty)/;
const START_OF_PROMPT = /^You are Memory Agent/;
/** Where results have no mark for a failure, their words say it. */
const FAILED = 'The call failed: ';

/** Throws when no model would take the messages: roles that repeat, an empty text, a call without its result. */
export function heldConversation({ messages }: RequestBody): string[] {
  const lines: string[] = [];
  let openCalls: readonly unknown[] = [];
  messages.forEach(({ role, content }, index) => {
    assert.equal(role, index % 2 === 0 ? 'user' : 'assistant', 'roles do not alternate');
    assert.ok(content.length > 0, 'a message is empty');
    const results = content.filter(({ type }) => type === 'tool_result');
    assert.deepEqual(
      results.map((block) => block['tool_use_id']),
      openCalls,
      'results do not belong to the calls before',
    );
    openCalls = content.filter(({ type }) => type === 'tool_use').map((block) => block['id']);
    lines.push(...content.flatMap((block) => line(role, block)));
  });
  return lines;
}

function line(role: string, block: RawBlock): string[] {
  switch (block.type) {
    case 'tool_use':
      return [`${role} calls ${String(block['name'])}`];
    case 'tool_result': {
      const said = resultText(block);
      const failed = block['is_error'] === true || said.startsWith(FAILED);
      return [`${failed ? 'failed' : 'result'}: ${said.replace(FAILED, '')}`];
    }
    case 'text': {
      const text = block.text ?? '';
      assert.notEqual(text.trim(), '', 'a text is empty');
      // Without a system role the prompt leads the first message.
      if (START_OF_PROMPT.test(text)) return [];
      return [GO_ON.test(text) ? `${role} is asked by us to go on` : `${role}: ${text}`];
    }
    default:
      throw new Error(`A block of the type ${block.type} was sent.`);
  }
}

function resultText({ content }: RawBlock): string {
  return (content as readonly RawBlock[]).map(({ text }) => text ?? '').join('');
}
