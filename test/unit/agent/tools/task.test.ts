import assert from 'node:assert/strict';
import type { Caller, Task } from '../../../../src/agent/caller.ts';
import { SeenFiles } from '../../../../src/agent/seenFiles.ts';
import { createTask } from '../../../../src/agent/tools/task.ts';

const NEVER = new AbortController().signal;
const TASK = { title: 'Find the port', prompt: 'Find the file that sets the port.' };

describe('task', () => {
  const tool = createTask();

  it('hands its input to the caller and returns the answer', async () => {
    const given: [Task, AbortSignal][] = [];
    const caller: Caller = {
      seen: new SeenFiles(),
      emit: () => undefined,
      runTask: async (task, signal) => {
        given.push([task, signal]);
        return 'It is in a.ts.';
      },
    };
    assert.equal(await tool.run(TASK, NEVER, caller), 'It is in a.ts.');
    assert.deepEqual(given, [[TASK, NEVER]]);
    await assert.rejects(
      tool.run({ title: 'x' }, NEVER, caller),
      /Invalid input for task: [^]*prompt/,
    );
    for (const blank of [{ prompt: ' \n' }, { title: '' }])
      await assert.rejects(
        tool.run({ ...TASK, ...blank }, NEVER, caller),
        /Invalid input for task/,
      );
    assert.equal(given.length, 1);
  });

  it('is refused to a sub-agent and to other agents, with what to do instead', async () => {
    const inTask: Caller = { seen: new SeenFiles(), emit: () => undefined, task: 'Another' };
    await assert.rejects(tool.run(TASK, NEVER, inTask), /Do the work yourself/);
    await assert.rejects(tool.run(TASK, NEVER), /Do the work yourself/);
  });
});
