// The last resort, which needs no model: the current request and the last few messages stay, and what stood before
// them leaves. Long texts among those few become shorter too, else they would fill the window again.

import type { Message } from '../../models/model.ts';
import { noteOf } from '../archiveNote.ts';
import { measure } from '../measure.ts';
import { joinAround, removalMarker, removedCount, withoutMarkers } from '../removalMarker.ts';
import { answeredCalls, placedResults, Shortening } from '../shortening.ts';
import { isSummary } from '../summaryBlock.ts';
import { isOverLimit, type Stage, type StageInput, type StageResult } from '../stage.ts';
import {
  unreadStart,
  lastRequestIndex,
  requestSpan,
  safeCut,
  safeCutAfter,
} from '../transcript.ts';

export const mechanicalCut: Stage = {
  name: 'mechanicalCut',
  run: async (input, signal) => (isOverLimit(input) ? cutMechanically(input, signal) : undefined),
};

/** Also for a history that is not over by estimate, after the model said that it is too long. */
export async function cutMechanically(
  input: StageInput,
  signal: AbortSignal,
): Promise<StageResult | undefined> {
  const { messages, policy, budget } = input;
  const before = measure(messages);
  const fits = (cut: readonly Message[], most: number) =>
    measure(cut) <= most && measure(cut) < before;

  const starts = tailStarts(messages, policy.reactiveTail);
  const [first = messages.length] = starts;
  const shortest = async (tail: readonly Message[], most: number) => {
    let cut: readonly Message[] = messages;
    for (const start of starts) {
      cut = await cutBefore(input, start, tail.slice(start - first));
      if (fits(cut, most)) break;
    }
    return cut;
  };
  const tail = await shorterTail(input, messages.slice(first), policy.largePreviewChars, signal);
  let cut = await shortest(tail, budget.target);
  // A result of which nothing is shown is read again and again, so that comes last.
  if (!fits(cut, budget.limit)) {
    cut = await shortest(await shorterTail(input, tail, 0, signal), budget.target);
  }
  if (measure(cut) >= before) return undefined;
  return { messages: cut, archive: await input.saveTranscript() };
}

/** Where a kept tail may start, the longest tail first. What the model has not read yet is in each. */
function tailStarts(messages: readonly Message[], longest: number): readonly number[] {
  const latest = safeCut(messages, unreadStart(messages));
  const starts: number[] = [];
  let start = safeCut(messages, messages.length - longest);
  for (; start < latest; start = safeCutAfter(messages, start + 1)) {
    // Behind the request a tail starts with a reply, else two messages of the user stood side by side.
    if (messages[start]?.role === 'assistant' || start <= lastRequestIndex(messages))
      starts.push(start);
  }
  return [...starts, latest];
}

async function shorterTail(
  input: StageInput,
  tail: readonly Message[],
  beginning: number,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const shortening = new Shortening({ ...input, messages: tail }, signal);
  for (const { block } of placedResults(tail)) await shortening.shortenResult(block, beginning);
  for (const call of answeredCalls(tail)) {
    await shortening.shortenCall(call, input.policy.fitPreviewChars);
  }
  return (await shortening.result())?.messages ?? tail;
}

/** A marker, the current request, and the tail, or only those two when nothing else stood before the tail. */
async function cutBefore(
  input: StageInput,
  start: number,
  tail: readonly Message[],
): Promise<readonly Message[]> {
  const { messages, archive } = input;
  const head = messages.slice(0, start);
  const span = requestSpan(messages);
  const request = withoutMarkers(head.slice(span.start, span.end));
  const leaving = withoutMarkers(head).length - request.length;
  if (leaving === 0) return [...head, ...tail];

  const transcript = archive.pointer(await input.saveTranscript());
  const kept = [...request, ...withoutMarkers(tail)];
  const count = leaving + removedCount(messages);
  const marker = removalMarker(count, noteOf(input, kept, transcript));
  // What was summed up once can be summed up no better without a model.
  const summaries = [...head.slice(0, span.start), ...head.slice(span.end)].flatMap(({ content }) =>
    content.filter(isSummary),
  );
  return joinAround([], [marker, ...summaries], kept);
}
