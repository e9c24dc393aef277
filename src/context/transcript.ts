// Where a list of messages may be cut: never between a tool call and its result.

import type { AssistantMessage, Message, ToolUseBlock, UserMessage } from '../models/model.ts';

/**
 * The index at which a kept tail can start: `wanted`, or earlier, so that every result in the tail has its
 * call in the tail, also when the results of one call are spread over several messages.
 */
export function safeCut(messages: readonly Message[], wanted: number): number {
  return safeCuts(messages).findLastIndex(
    (isSafe, index) => isSafe && index <= Math.max(0, wanted),
  );
}

/** The index at which a kept head can end, and the rest start: `wanted`, or later, by the same rule. */
export function safeCutAfter(messages: readonly Message[], wanted: number): number {
  const least = Math.min(wanted, messages.length);
  return safeCuts(messages).findIndex((isSafe, index) => isSafe && index >= least);
}

/** The index of the last message with words of the person, or -1. Tool results and control text are none. */
export function lastRequestIndex(messages: readonly Message[]): number {
  return messages.findLastIndex(
    (message) => message.role === 'user' && message.content.some((block) => block.type === 'text'),
  );
}

/**
 * Where the current request stands, `end` excluded: its message, and what belongs to calls or results in that.
 * Empty when there is none.
 */
export function requestSpan(messages: readonly Message[]): {
  readonly start: number;
  readonly end: number;
} {
  const index = lastRequestIndex(messages);
  return { start: safeCut(messages, index), end: safeCutAfter(messages, index + 1) };
}

/** The index of the last message of the assistant, or -1. What stands behind it the model has not read yet. */
export function lastAssistantIndex(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'assistant');
}

/**
 * Where that begins which the model has not worked with: the last reply when results or nothing follow it, or
 * `messages.length` when the current request does and all before it was read.
 */
export function unreadStart(messages: readonly Message[]): number {
  const reply = lastAssistantIndex(messages);
  const hasUnread = messages
    .slice(reply + 1)
    .some(({ content }) => content.some(({ type }) => type === 'tool_result'));
  return hasUnread || reply > lastRequestIndex(messages) ? reply : messages.length;
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

/** For each index, the end included, whether no call stands before it whose result stands behind it. */
function safeCuts(messages: readonly Message[]): readonly boolean[] {
  const callAt = new Map<string, number>();
  // For each call, the index of its last result.
  const answeredAt = new Map<number, number>();
  messages.forEach((message, index) => {
    for (const block of message.content) {
      if (block.type === 'tool_use') callAt.set(block.id, index);
      if (block.type !== 'tool_result') continue;
      const called = callAt.get(block.tool_use_id);
      if (called !== undefined) answeredAt.set(called, index);
    }
  });
  let openUntil = 0;
  const safe = [true];
  for (let index = 0; index < messages.length; index++) {
    openUntil = Math.max(openUntil, answeredAt.get(index) ?? 0);
    safe.push(openUntil <= index);
  }
  return safe;
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
