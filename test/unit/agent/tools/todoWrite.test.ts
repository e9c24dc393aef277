import assert from 'node:assert/strict';
import type { Caller } from '../../../../src/agent/caller.ts';
import type { TurnEvent } from '../../../../src/agent/events.ts';
import { SeenFiles } from '../../../../src/agent/seenFiles.ts';
import { createTodoWrite, todosIn } from '../../../../src/agent/tools/todoWrite.ts';

const NEVER = new AbortController().signal;

describe('todo_write', () => {
  it('tells the whole list, and answers with what is open', async () => {
    const todos = [
      { content: 'Read the parser', status: 'completed' },
      { content: 'Mend it', status: 'in_progress' },
      { content: 'Run its tests', status: 'pending' },
    ];
    const { result, events } = await write(todos);
    assert.deepEqual(events, [{ type: 'todos', todos }]);
    assert.equal(result, '1 of 3 done. In progress: "Mend it".');
  });

  it('names the next step when none is in progress', async () => {
    const { result } = await write([
      { content: 'Read the parser', status: 'completed' },
      { content: 'Mend it', status: 'pending' },
      { content: 'Run its tests', status: 'pending' },
    ]);
    assert.equal(result, '1 of 3 done. None is in progress; next is "Mend it".');
  });

  it('takes several steps in progress, a list that is done, and one that is empty', async () => {
    const both = ['a', 'b'].map((content) => ({ content, status: 'in_progress' }));
    assert.equal((await write(both)).result, '0 of 2 done. In progress: "a", "b".');
    const done = both.map(({ content }) => ({ content, status: 'completed' }));
    assert.equal((await write(done)).result, 'All steps are done.');
    const none = await write([]);
    assert.equal(none.result, 'The checklist is empty now.');
    assert.deepEqual(none.events, [{ type: 'todos', todos: [] }]);
  });

  it('refuses what is no list of steps, and tells nobody of it', async () => {
    const step = { content: 'Mend it', status: 'pending' };
    for (const [todos, problem] of [
      [[{ ...step, content: ' \n' }], /content/],
      [[{ ...step, content: 'x'.repeat(301) }], /content/],
      [[{ ...step, status: 'done' }], /status/],
      [Array.from({ length: 51 }, () => step), /todos/],
      ['- [ ] Mend it', /todos/],
    ] as const) {
      const events: TurnEvent[] = [];
      await assert.rejects(createTodoWrite().run({ todos }, NEVER, callerOf(events)), problem);
      assert.deepEqual(events, []);
      assert.equal(todosIn({ todos }), undefined);
    }
  });

  it('takes steps that say more than is asked for, and leaves that out', async () => {
    const step = { content: 'Mend it', status: 'pending' };
    const { events } = await write([{ ...step, id: '1', activeForm: 'Mending it' }]);
    assert.deepEqual(events, [{ type: 'todos', todos: [step] }]);
  });

  it('takes a list in quotes, and finds it again in the call', async () => {
    const todos = [{ content: 'Mend it', status: 'pending' }] as const;
    const input = { todos: JSON.stringify(todos) };
    const events: TurnEvent[] = [];
    await createTodoWrite().run(input, NEVER, callerOf(events));
    assert.deepEqual(events, [{ type: 'todos', todos }]);
    assert.deepEqual(todosIn(input), todos);
  });

  it('works for a caller without a chat', async () => {
    const todos = [{ content: 'Mend it', status: 'pending' }];
    assert.match(await createTodoWrite().run({ todos }, NEVER), /^0 of 1 done/);
  });
});

async function write(
  todos: readonly { content: string; status: string; [more: string]: string }[],
) {
  const events: TurnEvent[] = [];
  return { result: await createTodoWrite().run({ todos }, NEVER, callerOf(events)), events };
}

function callerOf(events: TurnEvent[]): Caller {
  return { seen: new SeenFiles(), emit: (event) => events.push(event) };
}
