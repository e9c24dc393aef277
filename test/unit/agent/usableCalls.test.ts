import assert from 'node:assert/strict';
import { withUsableCalls } from '../../../src/agent/usableCalls.ts';
import { toolCalls } from '../../../src/context/transcript.ts';
import type { AssistantMessage } from '../../../src/models/model.ts';
import { call, calls, says } from '../../support/conversation.ts';

describe('the calls of a reply', () => {
  it('pass untouched when they are as the API wants them', () => {
    const message = calls(call('toolu_1', 'read_file'), call('toolu_2', 'read_file'));
    assert.deepEqual(withUsableCalls(message, []), message);
    assert.deepEqual(withUsableCalls(says('hi'), []), says('hi'));
  });

  it('get ids of their own where a server repeats or spoils them', () => {
    const history = [calls(call('s', 'bash'))];
    const message = calls(
      call('s', 'bash'),
      call('t', 'bash'),
      call('t', 'bash'),
      call('', 'bash'),
    );
    const ids = idsOf(withUsableCalls(message, history));
    assert.equal(ids[1], 't');
    assert.equal(new Set([...ids, 's']).size, 5);
    assert.ok(ids.every((id) => /^[A-Za-z0-9_-]+$/.test(id)));
  });

  it('get a name that can be sent back', () => {
    const message = calls(call('a', 'we ird!'), call('b', ''), call('c', 'x'.repeat(200)));
    const names = toolCalls(withUsableCalls(message, [])).map(({ name }) => name);
    assert.deepEqual(names, ['we_ird_', 'unnamed', 'x'.repeat(128)]);
  });
});

function idsOf(message: AssistantMessage): string[] {
  return toolCalls(message).map(({ id }) => id);
}
