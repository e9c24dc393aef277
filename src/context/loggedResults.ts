// The results that stand in a session's log, found by their call. A call is known by more than its id, since a
// server may use one id again.

import type { Message, ToolResultBlock, ToolUseBlock } from '../models/model.ts';
import { toolCalls } from './transcript.ts';

/**
 * Finds the result of a call, or undefined: it is not in the log, or the log has two calls that are the same in id,
 * name and input, and a wrong result would be worse than none.
 */
export function loggedResults(
  log: readonly Message[],
): (call: ToolUseBlock) => ToolResultBlock | undefined {
  const answered = new Map<string, Answered[]>();
  const open = new Map<string, ToolUseBlock>();
  let last: Message['role'] = 'user';
  for (const message of log) {
    // A result that came after the next reply was not there for that reply, and must not be for a later one.
    if (message.role === 'assistant' && last === 'user') open.clear();
    for (const call of toolCalls(message)) open.set(call.id, call);
    for (const block of message.content) {
      if (block.type !== 'tool_result') continue;
      const call = open.get(block.tool_use_id);
      // A second result of one call does not count.
      if (!call || !open.delete(call.id)) continue;
      const sameId = answered.get(call.id);
      if (sameId) sameId.push({ call, result: block });
      else answered.set(call.id, [{ call, result: block }]);
    }
    last = message.role;
  }
  return (call) => {
    const fitting = (answered.get(call.id) ?? []).filter((other) => isSame(other.call, call));
    return fitting.length === 1 ? fitting[0]?.result : undefined;
  };
}

interface Answered {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
}

function isSame(one: ToolUseBlock, other: ToolUseBlock): boolean {
  return one.name === other.name && JSON.stringify(one.input) === JSON.stringify(other.input);
}
