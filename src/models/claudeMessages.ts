// Our messages in Claude's form. Pure. The prefix comes out byte-identical from request to request, but for the
// mark that moves with the end, so that the prompt cache holds; thinking and tool input pass untouched.

import type { ImageBlock, JsonObject, Message, TextBlock, ToolDefinition } from './model.ts';

interface CacheMark {
  cache_control?: { type: 'ephemeral' };
}
type Plain = ClaudeText | ClaudeImage;
type ClaudeText = CacheMark & { type: 'text'; text: string };
type ClaudeImage = CacheMark & {
  type: 'image';
  source: { type: 'base64'; media_type: MediaType; data: string };
};
type ClaudeBlock =
  | Plain
  | (CacheMark & { type: 'tool_result'; tool_use_id: string; content: Plain[]; is_error: boolean })
  | (CacheMark & { type: 'tool_use'; id: string; name: string; input: JsonObject })
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export interface ClaudeMessage {
  role: Message['role'];
  content: ClaudeBlock[];
}

export interface ClaudeTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [key: string]: unknown };
}

/** The image types that the API takes. */
const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
type MediaType = (typeof MEDIA_TYPES)[number];

const MARK = { type: 'ephemeral' } as const;

/** Two marks of the four that are allowed: one here, one on the end of the messages. */
export function claudeSystem(system: string): ClaudeText[] {
  return isBlank(system) ? [] : [{ type: 'text', text: system, cache_control: MARK }];
}

export function claudeTools(tools: readonly ToolDefinition[]): ClaudeTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
  }));
}

/** The last block that can hold a mark gets one. A message of which nothing is left is left out. */
export function claudeMessages(messages: readonly Message[]): ClaudeMessage[] {
  const converted = messages
    .map(({ role, content }) => ({ role, content: content.flatMap(claudeBlocks) }))
    .filter((message) => message.content.length > 0);
  const markable = converted.at(-1)?.content.findLast(canHoldMark);
  if (markable) markable.cache_control = MARK;
  return converted;
}

function claudeBlocks(block: Message['content'][number]): ClaudeBlock[] {
  if (block.type === 'text' || block.type === 'image') return plainBlocks(block);
  if (block.type === 'context') return plainBlocks({ type: 'text', text: block.text });
  if (block.type === 'tool_result') {
    return [{ ...block, content: block.content.flatMap(plainBlocks) }];
  }
  // A copy, since a mark may be added to it.
  return [{ ...block }];
}

/** The API refuses a text without words, and image types that it does not know. */
function plainBlocks(block: TextBlock | ImageBlock): Plain[] {
  if (block.type === 'text') return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
  const { media_type, data } = block.source;
  const known = MEDIA_TYPES.find((type) => type === media_type);
  return known
    ? [{ type: 'image', source: { type: 'base64', media_type: known, data } }]
    : [{ type: 'text', text: `(An image of the type ${media_type} cannot be shown.)` }];
}

function canHoldMark(
  block: ClaudeBlock,
): block is Exclude<ClaudeBlock, { type: 'thinking' | 'redacted_thinking' }> {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
