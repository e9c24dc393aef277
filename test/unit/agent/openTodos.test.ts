import assert from 'node:assert/strict';
import { openTodos } from '../../../src/agent/openTodos.ts';
import type { Message } from '../../../src/models/model.ts';
import { call, calls, results } from '../../support/conversation.ts';

describe('the open checklist of a session', () => {
  it('is that of the last call that worked', () => {
    const second = write('b', 'in_progress', 'pending');
    const log: Message[] = [
      ...done('a', 'pending', 'pending'),
      calls(second),
      results(['b', 'ok']),
      calls(write('c', 'completed')),
      failed('c'),
      calls(write('d', 'pending')),
    ];
    assert.deepEqual(openTodos(log), {
      call: second,
      count: 2,
      lines: ['[in_progress] step 0', '[pending] step 1'],
    });
  });

  it('keeps what is done beside what is not, and holds nothing when all is done', () => {
    assert.deepEqual(openTodos(done('a', 'completed', 'pending'))?.lines, [
      '[completed] step 0',
      '[pending] step 1',
    ]);
    for (const last of [done('b', 'completed', 'completed'), done('b')]) {
      const { lines, count } = openTodos([...done('a', 'pending'), ...last]) ?? {};
      assert.deepEqual([lines, count], [[], 2]);
    }
    assert.equal(openTodos([]), undefined);
  });

  it('is not taken from another tool whose call has the same id', () => {
    const log: Message[] = [
      calls(write('a', 'pending')),
      calls(call('a', 'read_file', { path: 'a.ts' })),
      results(['a', 'ok']),
    ];
    assert.equal(openTodos(log), undefined);
  });
});

function write(id: string, ...statuses: readonly string[]) {
  const todos = statuses.map((status, index) => ({ content: `step ${index}`, status }));
  return call(id, 'todo_write', { todos });
}

function done(id: string, ...statuses: readonly string[]): readonly Message[] {
  return [calls(write(id, ...statuses)), results([id, 'ok'])];
}

function failed(id: string): Message {
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: [], is_error: true }],
  };
}
