// Our messages in Claude's form. Pure. The prefix comes out byte-identical from request to request, but for the
// marks that move with the end, so that the prompt cache holds. What the API would refuse for good is mended on
// the way, since it stays in the history; thinking is signed and passes byte by byte.

import type {
  ImageBlock,
  JsonObject,
  Message,
  TextBlock,
  ToolDefinition,
  ToolResultBlock,
} from './model.ts';
import { withNewestImages } from './sentImages.ts';
import { wellFormed } from './wellFormed.ts';

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

interface ClaudeMessage {
  role: Message['role'];
  content: ClaudeBlock[];
}

interface ClaudeTool extends CacheMark {
  name: string;
  description: string;
  input_schema: { type: 'object'; [key: string]: unknown };
}

/** The image types that the API takes. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
type MediaType = (typeof IMAGE_TYPES)[number];

const MARK = { type: 'ephemeral' } as const;
const GO_ON = 'Go on.';
const FAILED = { type: 'text', text: 'The call failed.' } as const;

/** The second of the four marks that are allowed. It comes after the tools in the cache. */
export function claudeSystem(system: string): ClaudeText[] {
  return isBlank(system) ? [] : [{ type: 'text', text: wellFormed(system), cache_control: MARK }];
}

/** The first mark, on the last tool: it keeps the tools cached when a compaction renews the system prompt. */
export function claudeTools(tools: readonly ToolDefinition[]): ClaudeTool[] {
  return wellFormed(tools).map(({ name, description, inputSchema }, index) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
    ...(index === tools.length - 1 && { cache_control: MARK }),
  }));
}

/**
 * The last two marks: on the end of the request before this one, and on the end of this one. A message of which
 * nothing is left is left out, and the last one is always the user's.
 */
export function claudeMessages(messages: readonly Message[]): ClaudeMessage[] {
  const converted = claudeQuestion(messages);
  markEnd(previousEnd(converted));
  markEnd(converted.at(-1));
  return converted;
}

/** The same without marks, for a question that is asked once: writing to the cache costs more than not. */
export function claudeQuestion(messages: readonly Message[]): ClaudeMessage[] {
  const converted = withNewestImages(messages)
    .map(({ role, content }) => ({
      role,
      content: withoutLastThoughts(content.flatMap(claudeBlocks)),
    }))
    .filter((message) => message.content.length > 0);
  endWithUser(converted);
  return converted;
}

/**
 * Where the request before this one ended: right before the last reply. From a mark the cache is looked for some 20
 * blocks back, and one round may add more; only a mark on the very end of the old request is sure to find it.
 */
function previousEnd(messages: readonly ClaudeMessage[]): ClaudeMessage | undefined {
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.findLast(({ role }, index) => role === 'user' && index < reply);
}

function markEnd(message: ClaudeMessage | undefined): void {
  const markable = message?.content.findLast(canHoldMark);
  if (markable) markable.cache_control = MARK;
}

/** Without the thinking at its end: the API refuses a message that ends with it, as when a call was cut off. */
export function withoutLastThoughts<Block extends { readonly type: string }>(
  blocks: readonly Block[],
): Block[] {
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1);
}

/** Only a user is answered. A call without its result cannot be sent at all; words can be gone on from. */
function endWithUser(messages: ClaudeMessage[]): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  if (last.content.some((block) => block.type === 'tool_use')) messages.pop();
  else messages.push({ role: 'user', content: [{ type: 'text', text: GO_ON }] });
}

/** Copies, since a mark may be added to them. */
function claudeBlocks(block: Message['content'][number]): ClaudeBlock[] {
  switch (block.type) {
    case 'text':
    case 'image':
      return plainBlocks(block);
    case 'context':
    case 'attachment':
      return plainBlocks({ type: 'text', text: block.text });
    case 'tool_result':
      return [wellFormed(toolResult(block))];
    case 'tool_use':
      return [wellFormed(block)];
    case 'thinking':
    case 'redacted_thinking':
      return [{ ...block }];
  }
}

function toolResult({ tool_use_id, content, is_error }: ToolResultBlock) {
  const plain = content.flatMap(plainBlocks);
  const result = { type: 'tool_result' as const, tool_use_id, content: plain, is_error };
  if (!is_error) return result;
  // The API takes an error neither without words nor with an image, so the words have to say what it is.
  if (plain.length === 0) return { ...result, content: [FAILED] };
  return plain.every((block) => block.type === 'text')
    ? result
    : { ...result, content: [FAILED, ...plain], is_error: false };
}

/** The API refuses a text without words, and image types that it does not know. */
function plainBlocks(block: TextBlock | ImageBlock): Plain[] {
  if (block.type === 'text') {
    return isBlank(block.text) ? [] : [{ type: 'text', text: wellFormed(block.text) }];
  }
  const { media_type, data } = block.source;
  const known = IMAGE_TYPES.find((type) => type === media_type);
  return known
    ? [{ type: 'image', source: { type: 'base64', media_type: known, data } }]
    : [{ type: 'text', text: `(An image of the type ${media_type} cannot be shown.)` }];
}

function canHoldMark(
  block: ClaudeBlock,
): block is Exclude<ClaudeBlock, { type: 'thinking' | 'redacted_thinking' }> {
  return !isThinking(block);
}

function isThinking({ type }: { readonly type: string }): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
