// todo_write: the model's checklist for work of several steps. The list is nowhere but in its calls, so it lives as
// long as the session's log; each call gives the whole list anew.

import * as z from 'zod/mini';
import { checkValue } from '../../models/checkValue.ts';
import type { JsonObject } from '../../models/model.ts';
import { TODO_STATUSES, type Todo } from '../events.ts';
import type { Tool } from '../tools.ts';
import { declareTool, implementTool } from './declareTool.ts';
import { asMeant } from './givenInput.ts';

export const TODO_TOOL = 'todo_write';

/** More is no plan that a person follows. */
const MAX_TODOS = 50;
/** Each is carried along word for word when the conversation is compacted. */
const MAX_CONTENT = 300;

const input = z.strictObject({
  todos: z
    .array(
      // Models add what checklists of other programs have, such as an id, and mean nothing else by it.
      z.object({
        content: z
          .string()
          .check(
            z.trim(),
            z.minLength(1),
            z.maxLength(MAX_CONTENT),
            z.describe('The step, in a few words, in the language of the user.'),
          ),
        status: z.enum(TODO_STATUSES),
      }),
    )
    .check(
      z.maxLength(MAX_TODOS),
      z.describe('The whole list: it takes the place of the one before.'),
    ),
});

const todoWriteDeclaration = declareTool({
  name: TODO_TOOL,
  description:
    'Keeps your checklist, which the user sees. Use it for work of three steps or more, not for less. Each call gives ' +
    'the whole list. Keep it true: have one step in_progress while you work, mark it completed as soon as it is done, ' +
    'not before, and add what turns out to be needed. It is kept when the conversation is compacted.',
  // The list is the agent's own.
  readOnly: true,
  input,
});

export function createTodoWrite(): Tool {
  return implementTool(todoWriteDeclaration, async ({ todos }, _signal, caller) => {
    caller?.emit({ type: 'todos', todos });
    return standing(todos);
  });
}

/** The list in a call's input; undefined when the tool would have refused it. */
export function todosIn(given: JsonObject): readonly Todo[] | undefined {
  const checked = checkValue(input, asMeant(given, todoWriteDeclaration.inputSchema));
  return checked.ok ? checked.value.todos : undefined;
}

/** Short: the list itself stands in the call. */
function standing(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The checklist is empty now.';
  const done = todos.filter(({ status }) => status === 'completed').length;
  if (done === todos.length) return 'All steps are done.';
  const count = `${done} of ${todos.length} done.`;
  const current = todos.filter(({ status }) => status === 'in_progress');
  if (current.length > 0) return `${count} In progress: ${quoted(current)}.`;
  const next = todos.filter(({ status }) => status === 'pending').slice(0, 1);
  return `${count} None is in progress; next is ${quoted(next)}.`;
}

function quoted(todos: readonly Todo[]): string {
  return todos.map(({ content }) => `"${content}"`).join(', ');
}
