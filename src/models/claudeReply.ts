// Claude's finished reply in our form. Pure. A call leaves here only when the reply ended in order, so that half
// a call never runs; thinking passes untouched.

import {
  ModelError,
  type AssistantBlock,
  type JsonObject,
  type ModelEvent,
  type StopReason,
} from './model.ts';

/** What is read of the SDK's message. Compatible servers fill in less than its types say. */
export interface ClaudeReply {
  readonly content: readonly ReplyBlock[];
  readonly stop_reason: string | null;
  readonly stop_details?: { readonly explanation?: string | null } | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens?: number | null;
    readonly cache_creation_input_tokens?: number | null;
  };
}

interface ReplyBlock {
  readonly type: string;
  readonly text?: unknown;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}

/** Throws `ModelError` when the reply is none: refused, or cut by the end of the window. */
export function endEvent(reply: ClaudeReply): ModelEvent {
  const stopReason = stopReasonOf(reply);
  const blocks = reply.content.flatMap(assistantBlocks);
  // The input of a call that was cut looks whole: its JSON is completed.
  const content =
    stopReason === 'tool_use' ? blocks : blocks.filter((block) => block.type !== 'tool_use');
  const { usage } = reply;
  return {
    type: 'end',
    message: { role: 'assistant', content },
    stopReason,
    usage: {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    },
  };
}

function stopReasonOf(reply: ClaudeReply): StopReason {
  const reason = reply.stop_reason ?? '';
  switch (reason) {
    case 'max_tokens':
    case 'pause_turn':
      return reason;
    case 'refusal': {
      const why = reply.stop_details?.explanation;
      throw new ModelError('refused', `The model declined to answer${why ? `: ${why}` : '.'}`);
    }
    case 'model_context_window_exceeded':
      throw new ModelError('overflow', 'The answer did not fit into what the model can hold.');
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
      // Some compatible servers say end_turn beside a call.
      return reply.content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
    default:
      // A reason that is not known yet may mean that the reply was cut, so it counts as an end without calls.
      return 'end_turn';
  }
}

function assistantBlocks(block: ReplyBlock): AssistantBlock[] {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' && block.text !== ''
        ? [{ type: 'text', text: block.text }]
        : [];
    case 'thinking': {
      const { thinking = '', signature = '' } = block;
      return [{ type: 'thinking', thinking, signature }];
    }
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: block.data ?? '' }];
    case 'tool_use': {
      const { id = '', name = '', input } = block;
      return [{ type: 'tool_use', id, name, input: toolInput(name, input) }];
    }
    default:
      // Blocks of the server's own tools, which are never asked for.
      return [];
  }
}

function toolInput(name: string, input: unknown): JsonObject {
  if (isJsonObject(input)) return input;
  throw new ModelError(
    'other',
    `The model called ${name} with something that is no object. Try again.`,
  );
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
