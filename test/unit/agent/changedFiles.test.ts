import assert from 'node:assert/strict';
import { ChangedFiles } from '../../../src/agent/changedFiles.ts';
import type { Message } from '../../../src/models/model.ts';
import { call, calls, results, says } from '../../support/conversation.ts';

describe('the files that the agent changed', () => {
  it('are those that were written or edited, each once, the newest last', () => {
    const log: Message[] = [
      calls(
        call('a', 'write_file', { path: 'a.ts', content: 'x' }),
        call('b', 'edit_file', { path: 'b.ts' }),
        call('c', 'read_file', { path: 'c.ts' }),
      ),
      results(['a', 'ok'], ['b', 'ok'], ['c', 'text']),
      calls(call('d', 'edit_file', { path: 'a.ts' })),
      results(['d', 'ok']),
    ];
    assert.deepEqual(new ChangedFiles().in(log), ['b.ts', 'a.ts']);
  });

  it('leave out calls that failed, that were declined, and that have no result', () => {
    const failed: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [], is_error: true }],
    };
    const log = [
      calls(call('a', 'write_file', { path: 'a.ts' })),
      failed,
      calls(call('b', 'write_file', { path: 'b.ts' })),
    ];
    assert.deepEqual(new ChangedFiles().in(log), []);
  });

  it('are followed while the log grows', () => {
    const log: Message[] = [says('hello')];
    const files = new ChangedFiles();
    assert.deepEqual(files.in(log), []);
    log.push(calls(call('a', 'write_file', { path: 'a.ts' })));
    assert.deepEqual(files.in(log), []);
    log.push(results(['a', 'ok']));
    assert.deepEqual(files.in(log), ['a.ts']);
  });
});
