// Stage 5: puts a summary that a model writes in the place of what stands before a tail. The current request
// stays word for word; a summary that cannot be trusted is refused and the history left as it is.

import type { Said } from '../../base/sentence.ts';
import {
  messageText,
  type ContextBlock,
  type Message,
  type UserMessage,
} from '../../models/model.ts';
import { noteOf } from '../archiveNote.ts';
import { measure, measureBlock } from '../measure.ts';
import { isMarker } from '../removalMarker.ts';
import type { StageInput, StageResult } from '../stage.ts';
import { askForSummary } from '../summary.ts';
import { isSummary, summaryBlock } from '../summaryBlock.ts';
import { sizeProblem } from '../summaryCheck.ts';
import { hasMaterial } from '../summaryMaterial.ts';
import { lastRequestIndex, safeCut } from '../transcript.ts';

/** What became of an attempt. */
export type SummaryOutcome =
  | { readonly kind: 'summarised'; readonly result: StageResult }
  /** Nothing to summarise, or too little to be worth a question. */
  | { readonly kind: 'nothing' }
  /** `problem` is one sentence; the history is unchanged. */
  | { readonly kind: 'rejected'; readonly problem: Said };

export interface SummariseOptions {
  /** What stands before it is summarised, the current request excepted. It moves back to keep pairs together. */
  readonly keepFrom: number;
  /** Fewest tokens that are worth a question. */
  readonly least: number;
}

/** Throws when the archive could not be written, or `ModelError` of kind `cancelled`. */
export async function summarise(
  input: StageInput,
  { keepFrom, least }: SummariseOptions,
  signal: AbortSignal,
): Promise<SummaryOutcome> {
  const { messages } = input;
  const { leaving, request, tail } = split(messages, keepFrom);
  const replaced = measure(leaving);
  if (!hasMaterial(leaving) || replaced < least) return { kind: 'nothing' };

  // First, so that no model is paid for a summary that may not replace anything.
  const transcript = await input.saveTranscript();
  const current = messages[lastRequestIndex(messages)];
  const answer = await askForSummary(
    {
      model: input.summariser,
      leaving,
      request: current ? messageText(current) : '',
      said: saidByPerson(messages),
      focus: input.focus,
    },
    signal,
  );
  if (!answer.ok) return { kind: 'rejected', problem: answer.problem };

  const kept = request ? [request, ...tail] : tail;
  const note = noteOf(input, kept, input.archive.pointer(transcript));
  const block = summaryBlock(answer.value, note);
  const problem = sizeProblem(measureBlock(block), replaced);
  if (problem !== undefined) return { kind: 'rejected', problem };
  const shorter = request
    ? [{ ...request, content: [...request.content, block] }, ...tail]
    : inFront(block, tail);
  return { kind: 'summarised', result: { messages: shorter, archive: transcript } };
}

interface Split {
  /** What a summary replaces, an earlier summary beside the request included. */
  readonly leaving: readonly Message[];
  /** The current request when it stands before the tail, without what leaves of it. */
  readonly request: UserMessage | undefined;
  readonly tail: readonly Message[];
}

function split(messages: readonly Message[], keepFrom: number): Split {
  const requestIndex = lastRequestIndex(messages);
  const cut = tailStart(messages, { keepFrom, requestIndex });
  const tail = messages.slice(cut);
  const request = messages[requestIndex];
  if (request?.role !== 'user' || requestIndex >= cut) {
    return { leaving: messages.slice(0, cut), request: undefined, tail };
  }
  return {
    leaving: [
      ...messages.slice(0, requestIndex),
      { role: 'user', content: request.content.filter(isOld) },
      ...messages.slice(requestIndex + 1, cut),
    ],
    request: { role: 'user', content: request.content.filter((block) => !isOld(block)) },
    tail,
  };
}

/** The calls of results that were joined to a request stand before it, so they leave together. */
function isOld(block: UserMessage['content'][number]): boolean {
  return block.type === 'tool_result' || isSummary(block) || isMarker(block);
}

/** Behind the request a tail starts with a reply, since two messages of the user in a row are refused by some. */
function tailStart(
  messages: readonly Message[],
  { keepFrom, requestIndex }: { readonly keepFrom: number; readonly requestIndex: number },
): number {
  let cut = safeCut(messages, Math.min(keepFrom, messages.length));
  while (cut > requestIndex + 1 && messages[cut]?.role === 'user') {
    cut = safeCut(messages, cut - 1);
  }
  return cut;
}

function inFront(block: ContextBlock, tail: readonly Message[]): readonly Message[] {
  const [first, ...rest] = tail;
  if (first?.role !== 'user') return [{ role: 'user', content: [block] }, ...tail];
  return [{ role: 'user', content: [block, ...first.content] }, ...rest];
}

/** Newest first. */
function saidByPerson(messages: readonly Message[]): readonly string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map(messageText)
    .filter((text) => text !== '')
    .toReversed();
}
