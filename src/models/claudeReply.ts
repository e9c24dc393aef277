// Claude's finished reply in our form. Pure. A call leaves here only when the reply ended in order and all its
// calls are whole, so that half a call never runs; thinking passes untouched.

import { sentence } from '../base/sentence.ts';
import { withoutLastThoughts } from './claudeMessages.ts';
import {
  isJsonObject,
  ModelError,
  type AssistantBlock,
  type ModelEvent,
  type StopReason,
  type Usage,
} from './model.ts';

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

export interface ReplyBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string | null;
  readonly signature?: string | null;
  readonly data?: string;
  /** Some compatible servers number their calls, or leave the name out. */
  readonly id?: string | number | null;
  readonly name?: string | null;
  /** Undefined when what came of it is not JSON. */
  readonly input?: unknown;
}

/** Throws `ModelError` when the reply is none: refused, or cut by the end of the window. */
export function endEvent(reply: ClaudeReply): Extract<ModelEvent, { type: 'end' }> {
  const usage = usageOf(reply.usage);
  const stopReason = stopReasonOf(reply, usage);
  const content = reply.content
    .filter((block) => stopReason === 'tool_use' || block.type !== 'tool_use')
    .flatMap(assistantBlocks);
  const message = { role: 'assistant', content: withoutLastThoughts(content) } as const;
  return { type: 'end', message, stopReason, usage };
}

/** Undefined where the server counts nothing: no reply takes no token at all. */
export function usageOf(usage: ClaudeReply['usage']): Usage | undefined {
  const told = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
  };
  return Object.values(told).some((tokens) => tokens > 0) ? told : undefined;
}

function stopReasonOf(reply: ClaudeReply, usage: Usage | undefined): StopReason {
  const reason = reply.stop_reason ?? '';
  switch (reason) {
    case 'max_tokens':
    case 'pause_turn':
      return reason;
    case 'refusal': {
      const why = reply.stop_details?.explanation;
      const message = why
        ? sentence`The model declined to answer: ${why}`
        : sentence`The model declined to answer.`;
      throw new ModelError('refused', message, { usage });
    }
    case 'model_context_window_exceeded':
      throw new ModelError(
        'overflow',
        sentence`The answer did not fit into what the model can hold.`,
        { usage },
      );
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
      return stopReasonOfCalls(reply.content.filter((block) => block.type === 'tool_use'));
    default:
      // A reason that is not known yet may mean that the reply was cut, so it counts as an end without calls.
      return 'end_turn';
  }
}

function stopReasonOfCalls(calls: readonly ReplyBlock[]): StopReason {
  // Some compatible servers say end_turn beside a call.
  if (calls.length === 0) return 'end_turn';
  // Half a call is a reply that was cut, whatever the server says of it. The caller then asks to go on, a few
  // times at most, which neither runs what nobody wrote nor ends the turn.
  return calls.every(({ input }) => isJsonObject(input)) ? 'tool_use' : 'max_tokens';
}

function assistantBlocks(block: ReplyBlock): AssistantBlock[] {
  switch (block.type) {
    case 'text':
      return block.text ? [{ type: 'text', text: block.text }] : [];
    case 'thinking': {
      const { thinking, signature } = block;
      return [{ type: 'thinking', thinking: thinking ?? '', signature: signature ?? '' }];
    }
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: block.data ?? '' }];
    case 'tool_use': {
      const { input } = block;
      if (!isJsonObject(input)) return [];
      return [{ type: 'tool_use', id: String(block.id ?? ''), name: block.name ?? '', input }];
    }
    default:
      // Blocks of the server's own tools, which are never asked for.
      return [];
  }
}
