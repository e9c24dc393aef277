// Builds a reply from the events it is streamed in. The SDK could do it, but it completes the JSON of a call that
// was cut: `{"path":"a","content":"half` would write a file. Here the input of a call is whole or not there.

import type { ClaudeReply, ReplyBlock } from './claudeReply.ts';

/** What is read of the SDK's events. Compatible servers fill in less than its types say. */
export interface ReplyEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: { readonly usage?: ReplyUsage | null };
  readonly content_block?: ReplyBlock;
  readonly delta?: ReplyDelta;
  readonly usage?: ReplyUsage | null;
}

interface ReplyDelta {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly partial_json?: string;
  readonly stop_reason?: string | null;
  readonly stop_details?: ClaudeReply['stop_details'];
}

type ReplyUsage = { readonly [Counter in keyof ClaudeReply['usage']]?: number | null };

interface ReplyCollector {
  add(event: ReplyEvent): void;
  /** The reply, or undefined when the stream ended before it did. */
  reply(): ClaudeReply | undefined;
  /** As far as it was told by now: the output is told at the end. */
  usage(): ClaudeReply['usage'];
}

interface CollectedBlock {
  block: ReplyBlock;
  /** What came of a call's input. */
  json: string;
}

export function collectReply(): ReplyCollector {
  const collected: CollectedBlock[] = [];
  // By the server's number, which need not be the place: some leave gaps, begin at 1, or use one twice.
  const numbered = new Map<number, CollectedBlock>();
  let usage: ClaudeReply['usage'] = { input_tokens: 0, output_tokens: 0 };
  let stop: Pick<ClaudeReply, 'stop_reason' | 'stop_details'> = { stop_reason: null };
  let ended = false;

  return {
    add(event) {
      switch (event.type) {
        case 'message_start':
          usage = { ...usage, ...counted(event.message?.usage) };
          break;
        case 'content_block_start': {
          if (!event.content_block) break;
          const started = { block: event.content_block, json: '' };
          numbered.set(event.index ?? collected.length, started);
          collected.push(started);
          break;
        }
        case 'content_block_delta': {
          const { index } = event;
          const current = typeof index === 'number' ? numbered.get(index) : collected.at(-1);
          if (current && event.delta) grow(current, event.delta);
          break;
        }
        case 'message_delta': {
          // May come more than once, and a later one need not repeat why the reply stopped.
          stop = {
            stop_reason: event.delta?.stop_reason ?? stop.stop_reason,
            stop_details: event.delta?.stop_details ?? stop.stop_details ?? null,
          };
          // The counts are of the whole message, and those that do not apply are left out.
          usage = { ...usage, ...counted(event.usage) };
          break;
        }
        case 'message_stop':
          ended = true;
      }
    },
    usage: () => usage,
    reply: () => (ended ? { ...stop, usage, content: collected.map(finished) } : undefined),
  };
}

function grow(collected: CollectedBlock, delta: ReplyDelta): void {
  const { block } = collected;
  switch (delta.type ?? '') {
    case 'text_delta':
      collected.block = { ...block, text: (block.text ?? '') + (delta.text ?? '') };
      break;
    case 'thinking_delta':
      collected.block = { ...block, thinking: (block.thinking ?? '') + (delta.thinking ?? '') };
      break;
    case 'signature_delta':
      collected.block = { ...block, signature: delta.signature ?? '' };
      break;
    case 'input_json_delta':
      collected.json += delta.partial_json ?? '';
  }
}

/** A call without arguments has no JSON at all; some servers send the input whole, with the block's start. */
function finished({ block, json }: CollectedBlock): ReplyBlock {
  if (block.type !== 'tool_use') return block;
  return { ...block, input: json === '' ? (block.input ?? {}) : parsed(json) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Not a failure yet: what becomes of a call without input is for the reader of the reply to say.
    return undefined;
  }
}

/** Anything else than a count, as some compatible servers send it, could not be added up. */
function counted(usage: ReplyUsage | null | undefined): Partial<ClaudeReply['usage']> {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => isCount(count)));
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
