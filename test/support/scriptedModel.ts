// A Model that replays a script and records what it was asked. No network, no clock.

import assert from 'node:assert/strict';
import {
  ModelError,
  type AssistantBlock,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
  type Usage,
} from '../../src/models/model.ts';

/** What one request is answered with: words, blocks, or an error that is thrown before anything is streamed. */
type Reply = string | readonly AssistantBlock[] | ModelError | DetailedReply;

interface DetailedReply {
  readonly content: string | readonly AssistantBlock[];
  /** `tool_use` when a block is a tool call, else `end_turn`. */
  readonly stopReason?: StopReason;
  readonly usage?: Usage;
  /** Thrown after the content was streamed, in place of the end event: a cut stream. */
  readonly error?: ModelError;
}

export type Step = Reply | ((request: ModelRequest, signal: AbortSignal) => Reply | Promise<Reply>);

export interface ScriptedModelOptions {
  readonly id?: string;
  readonly name?: string;
  readonly limits?: Model['limits'];
  readonly structuredOutput?: boolean;
}

export interface ScriptedModel extends Model {
  /** Copies of what came in, oldest first; a request whose step failed is there too. */
  readonly requests: readonly ModelRequest[];
  push(...steps: readonly Step[]): void;
  /** Throws when steps are left over, or when a request came that no step was there for. */
  assertDone(): void;
}

const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function scriptedModel(
  steps: readonly Step[] = [],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const script = [...steps];
  const requests: ModelRequest[] = [];
  let unscripted = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    requests.push(structuredClone(request));
    throwIfCancelled(signal);
    const step = script.shift();
    if (step === undefined) {
      unscripted += 1;
      assert.fail(
        `Request ${requests.length} is not scripted: ${JSON.stringify(request.messages)}`,
      );
    }
    const given = typeof step === 'function' ? step(request, signal) : step;
    const reply = await unlessCancelled(Promise.resolve(given), signal);
    if (reply instanceof ModelError) throw reply;
    yield* events(detailed(reply), signal);
  }

  return {
    id: options.id ?? 'scripted',
    name: options.name ?? 'Scripted model',
    limits: options.limits ?? { input: 200_000, output: 32_000 },
    structuredOutput: options.structuredOutput ?? true,
    stream,
    requests,
    push: (...more) => void script.push(...more),
    assertDone() {
      assert.equal(unscripted, 0, `${unscripted} request(s) came that no step was there for`);
      assert.equal(script.length, 0, `${script.length} step(s) of the script were not asked for`);
    },
  };
}

/** All events of one reply. */
export async function readEvents(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of stream) all.push(event);
  return all;
}

async function* events(reply: DetailedReply, signal: AbortSignal): AsyncIterable<ModelEvent> {
  const content: readonly AssistantBlock[] =
    typeof reply.content === 'string' ? [{ type: 'text', text: reply.content }] : reply.content;
  for (const block of content) {
    if (block.type === 'text') {
      for (const text of pieces(block.text)) {
        yield { type: 'text', text };
        throwIfCancelled(signal);
      }
    } else if (block.type === 'thinking') {
      yield { type: 'thinking', text: block.thinking };
      throwIfCancelled(signal);
    }
  }
  if (reply.error) throw reply.error;
  const calls = content.some((block) => block.type === 'tool_use');
  yield {
    type: 'end',
    message: { role: 'assistant', content },
    stopReason: reply.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    usage: reply.usage ?? NO_USAGE,
  };
}

function detailed(reply: string | readonly AssistantBlock[] | DetailedReply): DetailedReply {
  return typeof reply === 'object' && 'content' in reply ? reply : { content: reply };
}

/** Three pieces, so that a caller which keeps only one event of a text is seen. */
function pieces(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / 3));
  const starts = [0, size, 2 * size].filter((start) => start < characters.length);
  return starts.map((start) => characters.slice(start, start + size).join(''));
}

async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfCancelled(signal);
  const cancelled = Promise.withResolvers<never>();
  const stop = (): void => cancelled.reject(new ModelError('cancelled', 'Cancelled.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelError('cancelled', 'Cancelled.');
}
