// Makes the tool calls of a reply fit to be sent back. A server that repeats ids, or makes up names that the API
// does not take, must not spoil every later request of the session.

import { toolCalls } from '../context/transcript.ts';
import type { AssistantMessage, Message, ToolUseBlock } from '../models/model.ts';

/** What the Messages API takes as a tool's name. */
const LONGEST_NAME = 128;
const USABLE = /^[A-Za-z0-9_-]+$/;

/** The same message where nothing has to change. Ids are unique in `history` and in the message itself. */
export function withUsableCalls(
  message: AssistantMessage,
  history: readonly Message[],
): AssistantMessage {
  if (toolCalls(message).length === 0) return message;
  const taken = new Set(history.flatMap(toolCalls).map((call) => call.id));
  const content = message.content.map((block) => {
    if (block.type !== 'tool_use') return block;
    const call = usableCall(block, taken);
    taken.add(call.id);
    return call;
  });
  return { role: 'assistant', content };
}

function usableCall(call: ToolUseBlock, taken: ReadonlySet<string>): ToolUseBlock {
  const id = USABLE.test(call.id) && !taken.has(call.id) ? call.id : freeId(taken);
  const name = usableName(call.name);
  return id === call.id && name === call.name ? call : { ...call, id, name };
}

function freeId(taken: ReadonlySet<string>): string {
  let number = taken.size;
  while (taken.has(`call_${number}`)) number++;
  return `call_${number}`;
}

/** No tool has such a name, so the call is answered with the names that there are. */
function usableName(name: string): string {
  if (USABLE.test(name) && name.length <= LONGEST_NAME) return name;
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed';
}
