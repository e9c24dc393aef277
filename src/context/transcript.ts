// Where a list of messages may be cut: never between a tool call and its result.

import type { AssistantMessage, Message, ToolUseBlock, UserMessage } from '../models/model.ts';

/**
 * The index at which a kept tail can start: `wanted`, or earlier, so that every result in the tail has its
 * call in the tail, also when the results of one call are spread over several messages.
 */
export function safeCut(messages: readonly Message[], wanted: number): number {
  const calledAt = new Map<string, number>();
  messages.forEach((message, index) => {
    for (const call of toolCalls(message)) calledAt.set(call.id, index);
  });
  let cut = Math.max(0, wanted);
  for (let index = messages.length - 1; index >= cut; index--) {
    for (const block of messages[index]?.content ?? []) {
      if (block.type !== 'tool_result') continue;
      cut = Math.min(cut, calledAt.get(block.tool_use_id) ?? cut);
    }
  }
  return cut;
}

/** The index of the last message with words of the person, or -1. Tool results and control text are none. */
export function lastRequestIndex(messages: readonly Message[]): number {
  return messages.findLastIndex(
    (message) => message.role === 'user' && message.content.some((block) => block.type === 'text'),
  );
}

/**
 * The same history with neighbouring messages of one role joined, since the API wants the roles to alternate.
 * Two of the user arise when a reply was empty or was stopped before its first word, two of the assistant when
 * a reply paused. Tool results come first in a joined one.
 */
export function alternating(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      joined[joined.length - 1] = joinUsers(last, message);
    } else if (message.role === 'assistant' && last?.role === 'assistant') {
      joined[joined.length - 1] = joinAssistants(last, message);
    } else {
      joined.push(message);
    }
  }
  return joined;
}

export function toolCalls(message: Message): readonly ToolUseBlock[] {
  if (message.role !== 'assistant') return [];
  return message.content.filter((block) => block.type === 'tool_use');
}

function joinUsers(first: UserMessage, second: UserMessage): UserMessage {
  const blocks = [...first.content, ...second.content];
  const results = blocks.filter((block) => block.type === 'tool_result');
  const others = blocks.filter((block) => block.type !== 'tool_result');
  return { role: 'user', content: [...results, ...others] };
}

function joinAssistants(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  return { role: 'assistant', content: [...first.content, ...second.content] };
}
