// What the Messages API demands of a request, checked on the wire: it would refuse anything else for good, and with it
// every later request of the session.

import assert from 'node:assert/strict';
import type { RawBlock, RequestBody } from './fakeMessagesApi.ts';

const USABLE_NAME = /^[A-Za-z0-9_-]{1,128}$/;
const USABLE_ID = /^[A-Za-z0-9_-]+$/;
const MOST_CACHE_MARKS = 4;

/** Throws where the API would answer 400. */
export function assertStrict(body: RequestBody): void {
  const { messages } = body;
  assert.ok(body.max_tokens > 0, 'no output is allowed');
  assert.equal(messages.at(-1)?.role, 'user', 'the last message is not the user’s');
  const ids = new Set<unknown>();
  let open: readonly unknown[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    assert.equal(role, index % 2 === 0 ? 'user' : 'assistant', 'roles do not alternate');
    assert.ok(content.length > 0, 'a message is empty');
    for (const block of content) assertBlock(role, block);
    const results = content.filter(({ type }) => type === 'tool_result');
    assert.deepEqual(
      content.slice(0, open.length).map((block) => block['tool_use_id']),
      open,
      'the results do not follow their calls',
    );
    assert.equal(results.length, open.length, 'a result has no call');
    if (role === 'assistant') {
      assert.ok(!isThinking(content.at(-1)), 'a message ends with thinking');
    }
    open = content.flatMap((block) => (block.type === 'tool_use' ? [block['id']] : []));
    for (const id of open) {
      assert.ok(!ids.has(id), 'an id is used twice');
      ids.add(id);
    }
  }
  assert.deepEqual(open, [], 'a call at the end has no result');
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
  assert.ok(marks <= MOST_CACHE_MARKS, `${marks} cache marks`);
}

function assertBlock(role: string, block: RawBlock): void {
  switch (block.type) {
    case 'text':
      assert.ok(block.text?.trim(), 'a text is blank');
      return;
    case 'tool_use':
      assert.equal(role, 'assistant');
      assert.match(String(block['name']), USABLE_NAME);
      assert.match(String(block['id']), USABLE_ID);
      assert.ok(typeof block['input'] === 'object' && block['input'] !== null, 'no input');
      return;
    case 'thinking':
    case 'redacted_thinking':
      assert.equal(role, 'assistant');
      return;
    case 'tool_result':
    case 'image':
      assert.equal(role, 'user');
      return;
    default:
      assert.fail(`a block of type ${block.type}`);
  }
}

function isThinking(block: RawBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
