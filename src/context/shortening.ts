// Puts short forms in the place of long tool results and calls, one by one, and knows at each moment how large the
// history is by now: only the block that changes is measured.

import {
  ModelError,
  type AssistantBlock,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  type UserBlock,
} from '../models/model.ts';
import { measure, measureBlock } from './measure.ts';
import type { OpenTodos } from './openTodos.ts';
import { standInForCall, standInForResult } from './standIn.ts';
import type { StageInput, StageResult } from './stage.ts';
import { lastRequestIndex, toolCalls } from './transcript.ts';

/** A tool result with its message's place in the history. */
interface PlacedResult {
  readonly block: ToolResultBlock;
  readonly index: number;
}

export class Shortening {
  readonly #input: StageInput;
  readonly #signal: AbortSignal;
  readonly #results = new Map<UserBlock, ToolResultBlock>();
  readonly #calls = new Map<AssistantBlock, ToolUseBlock>();
  #tokens: number;
  #file: string | undefined;
  #todos: OpenTodos | 'none' | undefined;

  constructor(input: StageInput, signal: AbortSignal) {
    this.#input = input;
    this.#signal = signal;
    this.#tokens = measure(input.messages);
  }

  /** Of the whole history as it is now, by estimate. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Leaves at most `beginning` characters of the result. Undefined, and nothing done, when that is not less. */
  async shortenResult(
    block: ToolResultBlock,
    beginning: number,
  ): Promise<ToolResultBlock | undefined> {
    this.#throwIfCancelled();
    const short = await standInForResult(block, beginning, this.#input.archive);
    if (!short) return undefined;
    this.#results.set(block, short.block);
    this.#count(block, short);
    return short.block;
  }

  /** Leaves at most `beginning` characters of each long string in the call's input. */
  async shortenCall(block: ToolUseBlock, beginning: number): Promise<void> {
    this.#throwIfCancelled();
    // A checklist that came in quotes is one long text, and no note tells of it while its call stands.
    if (this.#isOpenChecklist(block)) return;
    const short = await standInForCall(block, beginning, this.#input.archive);
    if (!short) return;
    this.#calls.set(block, short.block);
    this.#count(block, short);
  }

  /** Undefined when nothing became shorter. Messages in which nothing did are the same objects as before. */
  async result(): Promise<StageResult | undefined> {
    if (this.#results.size + this.#calls.size === 0) return undefined;
    const messages = this.#input.messages.map((message) => this.#shorter(message));
    // What was archived by an earlier stage stands in the transcript as well.
    return { messages, archive: this.#file ?? (await this.#input.saveTranscript()) };
  }

  #count(
    before: ToolResultBlock | ToolUseBlock,
    after: { readonly block: ToolResultBlock | ToolUseBlock; readonly file: string | undefined },
  ): void {
    this.#tokens += measureBlock(after.block) - measureBlock(before);
    this.#file ??= after.file;
  }

  #shorter(message: Message): Message {
    if (message.role === 'assistant') {
      if (!message.content.some((block) => this.#calls.has(block))) return message;
      const content = message.content.map((block) => this.#calls.get(block) ?? block);
      return { role: 'assistant', content };
    }
    if (!message.content.some((block) => this.#results.has(block))) return message;
    return {
      role: 'user',
      content: message.content.map((block) => this.#results.get(block) ?? block),
    };
  }

  #isOpenChecklist({ id, name }: ToolUseBlock): boolean {
    this.#todos ??= this.#input.openTodos() ?? 'none';
    if (this.#todos === 'none' || this.#todos.lines.length === 0) return false;
    const { call } = this.#todos;
    return id === call.id && name === call.name;
  }

  #throwIfCancelled(): void {
    if (!this.#signal.aborted) return;
    throw new ModelError('cancelled', 'Cancelled.', { cause: this.#signal.reason });
  }
}

/** All tool results in order, but for those in the message of the current request, which stays as it is. */
export function placedResults(messages: readonly Message[]): readonly PlacedResult[] {
  const request = lastRequestIndex(messages);
  return messages.flatMap((message, index) => {
    if (message.role === 'assistant' || index === request) return [];
    return message.content.flatMap((block) =>
      block.type === 'tool_result' ? [{ block, index }] : [],
    );
  });
}

/** The calls that have a result. */
export function answeredCalls(messages: readonly Message[]): readonly ToolUseBlock[] {
  const answered = new Set<string>();
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type === 'tool_result') answered.add(block.tool_use_id);
    }
  }
  return messages.flatMap((message) => toolCalls(message).filter(({ id }) => answered.has(id)));
}
