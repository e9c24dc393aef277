// What fills a model's window, part by part, for a person who wonders why it is full.

import type { Message, ToolDefinition } from '../models/model.ts';
import { estimateTokens } from '../models/tokens.ts';
import { measureBlock, measureTools } from './measure.ts';

/** The parts in their order: instructions, tools and memories come first in a request, the rest by its kind. */
const PARTS = [
  'system',
  'tools',
  /** The list of memories in the system prompt. */
  'index',
  /** Memories that came with a request. */
  'recalled',
  /** What stands in place of what was compacted, and other control text. */
  'summaries',
  /** What the person attached, and what the editor showed. */
  'attachments',
  /** Words and thoughts of both sides, and tool calls. */
  'history',
  'toolResults',
] as const;

export interface WindowPart {
  readonly part: (typeof PARTS)[number];
  readonly tokens: number;
}

interface WindowContents {
  /** The whole system prompt. */
  readonly system: string;
  /** The text inside of it that lists the memories; empty when there is none. */
  readonly index: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  /** The model's tokens for each estimated one. */
  readonly factor?: number;
}

/** Every part, also those that are empty, in whole tokens. */
export function windowAccount(contents: WindowContents): readonly WindowPart[] {
  const { system, index, tools, messages, factor = 1 } = contents;
  const indexTokens = estimateTokens(index);
  const sums: Record<WindowPart['part'], number> = {
    system: Math.max(0, estimateTokens(system) - indexTokens),
    tools: measureTools(tools),
    index: indexTokens,
    recalled: 0,
    summaries: 0,
    attachments: 0,
    history: 0,
    toolResults: 0,
  };
  for (const { content } of messages) {
    for (const block of content) sums[partOf(block)] += measureBlock(block);
  }
  return PARTS.map((part) => ({ part, tokens: Math.round(sums[part] * factor) }));
}

function partOf(block: Message['content'][number]): WindowPart['part'] {
  switch (block.type) {
    case 'context':
      return Object.keys(block.records).length > 0 ? 'recalled' : 'summaries';
    case 'tool_result':
      return 'toolResults';
    case 'attachment':
    case 'image':
      return 'attachments';
    case 'text':
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      return 'history';
  }
}
