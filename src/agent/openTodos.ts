// The checklist as the session's log has it, from its last call that worked: no summary has to remember it.

import type { OpenTodos } from '../context/openTodos.ts';
import { toolCalls } from '../context/transcript.ts';
import type { Message, ToolUseBlock } from '../models/model.ts';
import { TODO_TOOL, todosIn } from './tools/todoWrite.ts';

/** Undefined when there never was a checklist. */
export function openTodos(log: readonly Message[]): OpenTodos | undefined {
  const [call, count] = lastCall(log);
  if (!call) return undefined;
  const todos = todosIn(call.input) ?? [];
  const isDone = todos.every(({ status }) => status === 'completed');
  const lines = isDone ? [] : todos.map(({ content, status }) => `[${status}] ${content}`);
  return { call, count, lines };
}

/** The last call that worked, and how many did. */
function lastCall(log: readonly Message[]): [ToolUseBlock | undefined, number] {
  const waiting = new Map<string, ToolUseBlock>();
  let last: ToolUseBlock | undefined;
  let count = 0;
  for (const message of log) {
    for (const call of toolCalls(message)) {
      // A server may use an id again, for a call of another tool.
      if (call.name === TODO_TOOL) waiting.set(call.id, call);
      else waiting.delete(call.id);
    }
    if (message.role === 'assistant') continue;
    for (const block of message.content) {
      if (block.type !== 'tool_result') continue;
      const call = waiting.get(block.tool_use_id);
      if (!call) continue;
      waiting.delete(block.tool_use_id);
      if (block.is_error) continue;
      last = call;
      count += 1;
    }
  }
  return [last, count];
}
