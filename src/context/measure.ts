// How many tokens messages are, by estimate. Each message is measured once, and a list that has grown only for
// what was added to it: lists may grow at their end, but nothing in them ever changes.

import type { Message, ToolDefinition } from '../models/model.ts';
import { estimateTokens } from '../models/tokens.ts';

/** What an image costs at most, in tokens: a picture of 1568 × 1568 pixels at Claude's width × height / 750. */
const IMAGE_TOKENS = 3_300;

const ofLists = new WeakMap<
  readonly Message[],
  { readonly count: number; readonly tokens: number }
>();
const ofMessages = new WeakMap<Message, number>();

/** Estimated tokens of a message list. */
export function measure(messages: readonly Message[]): number {
  const known = ofLists.get(messages) ?? { count: 0, tokens: 0 };
  if (known.count === messages.length) return known.tokens;
  let { tokens } = known;
  for (let index = known.count; index < messages.length; index++) {
    const message = messages[index];
    if (message) tokens += measureMessage(message);
  }
  ofLists.set(messages, { count: messages.length, tokens });
  return tokens;
}

export function measureMessage(message: Message): number {
  const known = ofMessages.get(message);
  if (known !== undefined) return known;
  let tokens = 0;
  for (const block of message.content) tokens += measureBlock(block);
  ofMessages.set(message, tokens);
  return tokens;
}

export function measureBlock(block: Message['content'][number]): number {
  switch (block.type) {
    case 'text':
    case 'context':
    case 'attachment':
      return estimateTokens(block.text);
    case 'thinking':
      return estimateTokens(block.thinking);
    case 'redacted_thinking':
      return estimateTokens(block.data);
    case 'tool_use':
      return estimateTokens(block.name) + estimateTokens(JSON.stringify(block.input));
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + measureBlock(part), 0);
    case 'image':
      return IMAGE_TOKENS;
  }
}

export function measureTools(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0);
}
