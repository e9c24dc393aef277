// Asks the model, runs its tools, and repeats until it answers without a call. Whatever happens, the session
// is left valid: every call has a result, and what the person saw of a reply is kept.

import { sentence } from '../base/sentence.ts';
import { toolCalls } from '../context/transcript.ts';
import {
  controlText,
  ModelError,
  type AssistantMessage,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../models/model.ts';
import type { SessionTurn } from '../sessions/session.ts';
import type { Caller } from './caller.ts';
import type { ContextWindow } from './contextWindow.ts';
import type { Emit } from './events.ts';
import { runToolCall, toolResult, type Tool } from './tools.ts';
import { COMPACT_TOOL, compactFocus } from './tools/compact.ts';
import { withUsableCalls } from './usableCalls.ts';

/** Calls that only read. Of more, all would wait for one another: for the disk, for the editor, for a provider. */
const MAX_TOGETHER = 8;

/** A reply cut at the output limit goes on this often; more is a model that does not come to an end. */
const MAX_CONTINUATIONS = 3;

const CONTINUE = 'Your reply was cut at the output limit. Go on exactly where it stopped.';
/** After a cut that left no text to go on from: a tool call too long for the reply. */
const CONTINUE_SMALLER =
  'Your reply was cut at the output limit before it was complete, and nothing of it was run. Try again in smaller steps.';

/** Models answer with nothing now and then when they have read results, as if all were said. */
const GO_ON =
  'Your reply was empty. Go on with the task; if it is done, say in a sentence what came of it.';

export type Outcome =
  | { readonly kind: 'completed' }
  | { readonly kind: 'cancelled' }
  /** The turn used all its rounds and can be continued. */
  | { readonly kind: 'roundLimit'; readonly rounds: number }
  | { readonly kind: 'failed'; readonly error: ModelError };

export interface LoopOptions {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly turn: SessionTurn;
  readonly window: ContextWindow;
  readonly maxRounds: number;
  readonly emit: Emit;
  /** As the tools know this turn. */
  readonly caller?: Caller;
}

/** Runs rounds to the turn's end. Never throws for what a model or a tool does. */
export async function runLoop(options: LoopOptions, signal: AbortSignal): Promise<Outcome> {
  const { turn } = options;
  let hasMadeRoom = false;
  let continuations = 0;
  for (let round = 0; round < options.maxRounds;) {
    const reply = await askModel(options, signal);
    if (reply.kind === 'failed') {
      const kept = keepPartial(turn, reply);
      if (hasMadeRoom) return outcomeOf(reply.error);
      const outcome = await makeRoom(options, reply.error, signal);
      if (outcome) return outcome;
      hasMadeRoom = true;
      // A request must not end with the assistant's own words.
      if (kept) askToContinue(turn, CONTINUE);
      continue;
    }
    hasMadeRoom = false;
    round++;
    // A message of thinking alone, or of nothing, would make the next request invalid.
    if (hasText(reply.message) || toolCalls(reply.message).length > 0) turn.append(reply.message);
    switch (reply.stopReason) {
      case 'tool_use': {
        // It got on, so another cut is that of another reply.
        continuations = 0;
        const results = await runCalls(options, toolCalls(reply.message), signal);
        turn.append({ role: 'user', content: results });
        if (signal.aborted) return { kind: 'cancelled' };
        const outcome = await compactIfAsked(options, reply.message, results, signal);
        if (outcome) return outcome;
        break;
      }
      case 'max_tokens': {
        if (++continuations > MAX_CONTINUATIONS) return cutOff();
        askToContinue(turn, hasText(reply.message) ? CONTINUE : CONTINUE_SMALLER);
        break;
      }
      case 'pause_turn':
        // Nothing was added, so the same would be asked again and again.
        if (!hasText(reply.message)) return emptyReply();
        break;
      case 'end_turn':
        if (hasText(reply.message)) return { kind: 'completed' };
        if (!endsWithResults(turn)) return emptyReply();
        askToContinue(turn, GO_ON);
    }
  }
  return { kind: 'roundLimit', rounds: options.maxRounds };
}

type Reply =
  | {
      readonly kind: 'replied';
      readonly message: AssistantMessage;
      readonly stopReason: Extract<ModelEvent, { type: 'end' }>['stopReason'];
    }
  | { readonly kind: 'failed'; readonly error: ModelError; readonly text: string };

async function askModel(options: LoopOptions, signal: AbortSignal): Promise<Reply> {
  let text = '';
  try {
    const request: ModelRequest = await options.window.request(signal);
    for await (const event of options.model.stream(request, signal)) {
      if (event.type === 'end') {
        options.window.answered(event.usage);
        const message = withUsableCalls(event.message, options.turn.log());
        return { kind: 'replied', message, stopReason: event.stopReason };
      }
      if (event.type === 'text') text += event.text;
      options.emit(event);
    }
    throw new ModelError('network', sentence`The model closed its answer before it was complete.`);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (error.usage) options.window.answered(error.usage);
    return { kind: 'failed', error, text };
  }
}

/**
 * What the person has seen of a reply that broke off stays in the session. Not so of one that was refused: it would be
 * refused with every later request.
 */
function keepPartial(
  turn: SessionTurn,
  { text, error }: Extract<Reply, { kind: 'failed' }>,
): boolean {
  if (text.trim() === '' || error.kind === 'refused') return false;
  turn.append({ role: 'assistant', content: [{ type: 'text', text }] });
  return true;
}

/** Only the model sees it: nobody said it, so it stands in no log. */
function askToContinue(turn: SessionTurn, text: string): void {
  turn.appendWorking({ role: 'user', content: [controlText(text)] });
}

/** Not so any more once the model was asked to go on. */
function endsWithResults(turn: SessionTurn): boolean {
  const last = turn.working().at(-1);
  return last?.content.some((block) => block.type === 'tool_result') ?? false;
}

function hasText(message: AssistantMessage): boolean {
  return message.content.some((block) => block.type === 'text' && block.text.trim() !== '');
}

/** Undefined when the request can be sent again, smaller. */
async function makeRoom(
  { window }: LoopOptions,
  error: ModelError,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  if (error.kind !== 'overflow') return outcomeOf(error);
  try {
    return (await window.makeRoom(signal)) ? undefined : outcomeOf(error);
  } catch (failure) {
    if (failure instanceof ModelError) return outcomeOf(failure);
    throw failure;
  }
}

/** Only once all results of the batch are in, so that no call loses its result. Undefined: the turn goes on. */
async function compactIfAsked(
  { window }: LoopOptions,
  message: AssistantMessage,
  results: readonly ToolResultBlock[],
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const asked = toolCalls(message).find(
    ({ id, name }) =>
      name === COMPACT_TOOL &&
      results.some((result) => result.tool_use_id === id && !result.is_error),
  );
  if (!asked) return undefined;
  try {
    await window.compact(compactFocus(asked.input), signal);
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return outcomeOf(error);
    throw error;
  }
}

function outcomeOf(error: ModelError): Outcome {
  return error.kind === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', error };
}

/** Results in the order of the calls. Neighbouring calls that only read run some together, all others one by one. */
async function runCalls(
  options: LoopOptions,
  calls: readonly ToolUseBlock[],
  signal: AbortSignal,
): Promise<readonly ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  for (const batch of batches(calls, options.tools)) {
    const batchResults = batch.map(async (call) => {
      options.emit({ type: 'toolStarted', id: call.id, name: call.name });
      const result = await runCall(options, call, signal);
      const isError = result.is_error;
      options.emit({ type: 'toolFinished', id: call.id, name: call.name, isError });
      return result;
    });
    results.push(...(await Promise.all(batchResults)));
  }
  return results;
}

/** A model that compacts again and again would never come to its task. */
async function runCall(
  { tools, window, caller }: LoopOptions,
  call: ToolUseBlock,
  signal: AbortSignal,
): Promise<ToolResultBlock> {
  if (call.name === COMPACT_TOOL && !window.isWorthCompacting()) {
    return toolResult(call, 'Not done: the conversation was compacted just before. Go on.', true);
  }
  return runToolCall(tools, call, signal, caller);
}

function batches(calls: readonly ToolUseBlock[], tools: readonly Tool[]): ToolUseBlock[][] {
  const onlyReads = (call: ToolUseBlock | undefined) =>
    tools.some((tool) => tool.name === call?.name && tool.readOnly);
  const list: ToolUseBlock[][] = [];
  for (const call of calls) {
    const last = list.at(-1);
    const isJoined = onlyReads(call) && onlyReads(last?.[0]);
    if (last && isJoined && last.length < MAX_TOGETHER) last.push(call);
    else list.push([call]);
  }
  return list;
}

function cutOff(): Outcome {
  const message = sentence`The answer was cut at the output limit again and again. Ask for less at once.`;
  return { kind: 'failed', error: new ModelError('other', message) };
}

function emptyReply(): Outcome {
  const message = sentence`The model answered with nothing. Send the request again.`;
  return { kind: 'failed', error: new ModelError('other', message) };
}
