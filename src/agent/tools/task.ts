// task: gives a piece of work to a sub-agent, which knows nothing of the conversation and leaves nothing in it but
// its answer.

import * as z from 'zod/mini';
import type { Tool } from '../tools.ts';
import { declareTool, implementTool } from './declareTool.ts';

export const TASK_TOOL = 'task';

/** Not only blanks: a conversation cannot begin with those. */
function words(description: string): z.ZodMiniString {
  return z.string().check(z.trim(), z.minLength(1), z.describe(description));
}

const taskDeclaration = declareTool({
  name: TASK_TOOL,
  description:
    'Gives a piece of work to a sub-agent, which has the same tools, works by itself and returns only its answer. Use ' +
    'it for a search, a review or a change of many steps whose details need not stay in this conversation; what a call ' +
    'or two would tell, find out yourself. The sub-agent knows nothing of this conversation and cannot ask: put ' +
    'everything that it needs into prompt. Several in one reply run side by side, so let no two change the same ' +
    'files. Before it changes something the user is asked as usual. The user does not see its answer: pass on what ' +
    'matters.',
  // It needs no question of its own and may run beside others: each call of the sub-agent that changes something is
  // asked about, and where only reading is allowed the sub-agent has only tools that read.
  readOnly: true,
  input: z.strictObject({
    title: words('What it is about, in three to six words, in the language of the user.'),
    prompt: words(
      'The task: the goal, what is known already (paths, names, decisions), what not to touch, and what the answer ' +
        'is to tell.',
    ),
  }),
});

export function createTask(): Tool {
  return implementTool(taskDeclaration, async (task, signal, caller) => {
    if (!caller?.runTask) throw new Error(NO_CONVERSATION);
    return caller.runTask(task, signal);
  });
}

const NO_CONVERSATION =
  'Not run: only in a conversation with @memory, and not within a task, are tasks given to a sub-agent. Do the work yourself.';
