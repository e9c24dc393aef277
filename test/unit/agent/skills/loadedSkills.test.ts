import assert from 'node:assert/strict';
import { loadedSkills } from '../../../../src/agent/skills/loadedSkills.ts';
import type { Message } from '../../../../src/models/model.ts';
import { call, calls, results } from '../../../support/conversation.ts';

describe('the skills that a session loaded', () => {
  it('are those of calls that worked, each once, the newest last', () => {
    const log: Message[] = [
      calls(call('a', 'load_skill', { name: 'notes' }), call('b', 'load_skill', { name: 'ship' })),
      results(['a', 'ok'], ['b', 'ok']),
      calls(call('c', 'load_skill'), call('d', 'load_skill', { name: 'none' })),
      {
        role: 'user',
        content: [
          ...results(['c', '- notes']).content,
          { type: 'tool_result', tool_use_id: 'd', content: [], is_error: true },
        ],
      },
      calls(call('e', 'load_skill', { name: ' notes ' }), call('f', 'task', { name: 'x' })),
      results(['e', 'ok'], ['f', 'ok']),
    ];
    assert.deepEqual(loadedSkills(log), ['ship', 'notes']);
    assert.deepEqual(loadedSkills([]), []);
  });
});
