// A reply of the Messages API as the events it is streamed in, named and shaped as the API does it.

type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: object;
      /** Sent in place of the input's JSON: cut or broken. */
      readonly rawInput?: string;
    };

/** One reply. The numbers of the faults count events: 0 is `message_start`, 1 a ping. */
export interface ReplyStep {
  readonly blocks: readonly ReplyBlock[];
  /** `tool_use` when there is a call, else `end_turn`. */
  readonly stop?: string;
  readonly stopDetails?: object;
  readonly usage?: Readonly<Record<string, number>>;
  /** Characters a delta holds. */
  readonly chunk?: number;
  readonly delayMs?: number;
  /** How many pings come before the first block; 1 when left out, as the API does it. */
  readonly pings?: number;
  /** The connection is torn. */
  readonly cutAfter?: number;
  /** The response ends early, in good order. */
  readonly endAfter?: number;
  /** Nothing comes any more, but the connection stays. */
  readonly stallAfter?: number;
  readonly errorEventAfter?: number;
  readonly errorEvent?: { readonly type: string; readonly message: string };
  readonly hold?: Hold;
}

/** Stops a reply before one of its events until the test lets it go on. */
interface Hold {
  readonly event: number;
  /** Resolves when the reply stands at the hold, all earlier events written. */
  readonly reached: Promise<void>;
  open(): void;
  /** For the server: waits until opened or hung up. */
  pass(hungUp: Promise<void>): Promise<void>;
}

export interface StreamedEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export function text(words: string): ReplyBlock {
  return { type: 'text', text: words };
}

export function toolUse(
  id: string,
  name: string,
  input: object,
): Extract<ReplyBlock, { type: 'tool_use' }> {
  return { type: 'tool_use', id, name, input };
}

export function holdBefore(event: number): Hold {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    event,
    reached: reached.promise,
    open: () => opened.resolve(),
    async pass(hungUp) {
      reached.resolve();
      await Promise.race([opened.promise, hungUp]);
    },
  };
}

/** The whole message, and the events that build it. */
export function streamedEvents(
  step: ReplyStep,
  { id, model }: { id: string; model: string },
): { message: object; events: readonly StreamedEvent[] } {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...step.usage,
  };
  const calls = step.blocks.some((block) => block.type === 'tool_use');
  const stop_reason = step.stop ?? (calls ? 'tool_use' : 'end_turn');
  const stop = { stop_reason, stop_sequence: null, stop_details: step.stopDetails ?? null };
  const base = { id: `msg_${id}`, type: 'message', role: 'assistant', model, usage };
  const start = { stop_reason: null, stop_sequence: null, stop_details: null };
  return {
    message: { ...base, ...stop, content: step.blocks },
    events: [
      { type: 'message_start', message: { ...base, ...start, content: [] } },
      ...Array.from({ length: step.pings ?? 1 }, () => ({ type: 'ping' })),
      ...step.blocks.flatMap((block, index) => blockEvents(block, index, step.chunk ?? 8)),
      { type: 'message_delta', delta: stop, usage: { output_tokens: usage.output_tokens } },
      { type: 'message_stop' },
    ],
  };
}

export function eventText(event: StreamedEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function blockEvents(block: ReplyBlock, index: number, chunk: number): StreamedEvent[] {
  const delta = (change: object): StreamedEvent => ({
    type: 'content_block_delta',
    index,
    delta: change,
  });
  return [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltas(block, chunk).map(delta),
    { type: 'content_block_stop', index },
  ];
}

function emptied(block: ReplyBlock): object {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  if (block.type === 'redacted_thinking') return block;
  return { type: 'tool_use', id: block.id, name: block.name, input: {} };
}

function deltas(block: ReplyBlock, chunk: number): object[] {
  if (block.type === 'redacted_thinking') return [];
  if (block.type === 'text') {
    return pieces(block.text, chunk).map((piece) => ({ type: 'text_delta', text: piece }));
  }
  if (block.type === 'thinking') {
    const thoughts = pieces(block.thinking, chunk);
    return [
      ...thoughts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ];
  }
  const json = block.rawInput ?? JSON.stringify(block.input);
  return pieces(json, chunk).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
}

/** Never cuts a character in half, as JSON would carry the halves as they are. */
function pieces(words: string, size: number): string[] {
  return words.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? [];
}
