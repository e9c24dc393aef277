// What a language model is to the rest of the code: messages in, events out, errors with a kind.
// The block shapes are a narrow subset of Claude's own, so that signed thinking survives untouched.

import { SentenceError, type Said } from '../base/sentence.ts';

/** A JSON Schema object, as Claude and VS Code take it. */
export type JsonSchema = { readonly [key: string]: unknown };
export type JsonObject = { readonly [key: string]: unknown };

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  /** `data` is base64. */
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

/**
 * What a turn adds in front of the person's words: recalled records, the date. It is part of the working
 * history only. It never enters the session log, and adapters send it as plain text.
 */
export interface ContextBlock {
  readonly type: 'context';
  readonly text: string;
  /** The records that stand in `text`: record path to content hash. A deleted record has the hash ''. */
  readonly records: { readonly [path: string]: string };
}

/**
 * What the person attached to a request: a file, a selection, a folder, or what they look at in the editor. It is in
 * the session log, but it is not their words: neither recall nor extraction reads it. Adapters send it as plain text.
 */
export interface AttachmentBlock {
  readonly type: 'attachment';
  /** For people, e.g. `src/a.ts:10-20`. */
  readonly name: string;
  /** As the model is sent it, fenced. */
  readonly text: string;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly is_error: boolean;
  /**
   * Where the full text stands when `content` holds only its beginning or a pointer, in the working history. No
   * text that a tool prints can pass for it. Adapters leave it out.
   */
  readonly archived?: ArchivedText;
}

export interface ArchivedText {
  /** As the model is told of it: a path that its tool for reading takes. */
  readonly place: string;
  /** Of the full text, in UTF-16 units. */
  readonly characters: number;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export type UserBlock = TextBlock | ImageBlock | ContextBlock | AttachmentBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserBlock[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
}

export type Message = UserMessage | AssistantMessage;

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Most output tokens; the model's own limit when left out. */
  readonly maxOutputTokens?: number;
  /** Asks for an answer that is JSON of this shape. Honoured where `structuredOutput` is true, else ignored. */
  readonly outputSchema?: JsonSchema;
}

/** `max_tokens` is also the end of a reply with half a call in it: such a reply is never whole. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'pause_turn';

/** Tokens as the API reports them. Whole input = input + cacheWrite + cacheRead. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** The request failed before its first byte and goes out again after `delayMs`. */
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly attempts: number;
      readonly delayMs: number;
      readonly reason: Said;
    }
  /** Always last, and always there unless the stream throws. `usage` is undefined where the host hides it. */
  | {
      readonly type: 'end';
      readonly message: AssistantMessage;
      readonly stopReason: StopReason;
      readonly usage: Usage | undefined;
    };

export interface Model {
  readonly id: string;
  /** For people, as the model picker shows it. */
  readonly name: string;
  /** In tokens. */
  readonly limits: { readonly input: number; readonly output: number };
  /** Whether `outputSchema` is honoured. */
  readonly structuredOutput: boolean;
  /** Taken for granted when left out. Where it is false, a note is sent in place of each image. */
  readonly seesImages?: boolean;
  /** Streams one reply. Throws only `ModelError`; aborting `signal` throws kind `cancelled`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelErrorKind =
  'auth' | 'rateLimit' | 'overloaded' | 'overflow' | 'refused' | 'network' | 'cancelled' | 'other';

/** Every failure of a model, with the original error as `cause`. The message is one sentence for a person. */
export class ModelError extends SentenceError {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  /** What was counted of a reply that had begun, e.g. of a refused one: it was paid for. */
  readonly usage: Usage | undefined;

  constructor(
    kind: ModelErrorKind,
    said: Said,
    options?: { readonly cause?: unknown; readonly usage?: Usage | undefined },
  ) {
    super(said, options);
    this.kind = kind;
    this.usage = options?.usage;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A user message that holds only these words. */
export function userText(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Text for the model alone, which nobody said: it holds no memories. */
export function controlText(text: string): ContextBlock {
  return { type: 'context', text, records: {} };
}

/** The words of a message: its text blocks, one a line. Tool results, attachments, thinking and context are none. */
export function messageText(message: Message): string {
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
