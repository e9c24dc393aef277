// Stage 2. Takes the middle out of a history of many messages: how it began stays, and what it is about now. The
// current request stays in its place wherever that is.

import { noteOf } from '../archiveNote.ts';
import { measure } from '../measure.ts';
import { joinAround, removalMarker, removedCount, withoutMarkers } from '../removalMarker.ts';
import { isOver, type Stage, type StageInput, type StageResult } from '../stage.ts';
import type { Message } from '../../models/model.ts';
import { lastAssistantIndex, requestSpan, safeCut, safeCutAfter } from '../transcript.ts';

/** Of the person's setting, so that the next cut is some rounds off and the provider's cache is of use until then. */
const KEPT_SHARE = 0.8;

export const snip: Stage = { name: 'snip', run };

async function run(input: StageInput): Promise<StageResult | undefined> {
  const { messages, archive } = input;
  const most = mostMessages(input);
  if (most === undefined) return undefined;
  const { head, request, tail } = keptParts(messages, input.policy.snipHead, most);
  const after = withoutMarkers([...request, ...tail]);
  const before = withoutMarkers(head);
  const leaving = withoutMarkers(messages).length - before.length - after.length;
  if (leaving === 0) return undefined;

  const count = leaving + removedCount(messages);
  const kept = [...before, ...after];
  const cut = (transcript: string) =>
    joinAround(before, [removalMarker(count, noteOf(input, kept, transcript))], after);
  // Few short messages may be less than the marker, wherever it leads.
  if (measure(cut('')) >= measure(messages)) return undefined;
  const transcript = await input.saveTranscript();
  const shorter = cut(archive.pointer(transcript));
  return measure(shorter) < measure(messages)
    ? { messages: shorter, archive: transcript }
    : undefined;
}

/** How many messages to keep, or undefined when there are not too many. */
function mostMessages(input: StageInput): number | undefined {
  const { messages, maxMessages, policy } = input;
  const limits: number[] = [];
  if (maxMessages > 0 && messages.length > maxMessages)
    limits.push(Math.floor(maxMessages * KEPT_SHARE));
  if (messages.length > policy.maxMessages && isOver(input)) limits.push(policy.maxMessages);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

interface KeptParts {
  readonly head: readonly Message[];
  /** When it stands in the middle: the current request, with the pairs that it is a part of. */
  readonly request: readonly Message[];
  readonly tail: readonly Message[];
}

function keptParts(messages: readonly Message[], headLength: number, most: number): KeptParts {
  const lastReply = lastAssistantIndex(messages);
  // The place of the marker is counted in. What the model has not read yet never leaves.
  const wanted = Math.min(messages.length - (most - headLength - 1), lastReply);
  const headEnd = safeCutAfter(messages, headLength);
  const tailStart = startBehind(messages, headEnd, safeCut(messages, wanted));
  const { start, end } = requestSpan(messages);
  const isBetween = start >= headEnd && end <= tailStart;
  return {
    head: messages.slice(0, headEnd),
    request: isBetween ? messages.slice(startBehind(messages, headEnd, start), end) : [],
    tail: messages.slice(isBetween ? startBehind(messages, end, tailStart) : tailStart),
  };
}

/** `wanted`, or earlier: behind a message of the user, up to `end`, no other of the user starts what follows. */
function startBehind(messages: readonly Message[], end: number, wanted: number): number {
  let start = Math.max(end, wanted);
  while (start > end && messages[end - 1]?.role === 'user' && messages[start]?.role === 'user') {
    start = Math.max(end, safeCut(messages, start - 1));
  }
  return start;
}
