// What was said, as side questions may see it: words of the person and the assistant. Tool calls, their
// results, thinking and recalled records are left out. What is too long for one question becomes several.

import { messageText, type Message } from '../models/model.ts';
import { wordsToRemember } from './extraction/rememberRequest.ts';

export interface Utterance {
  readonly from: 'person' | 'assistant';
  readonly text: string;
  /** It was learned from already, or will be as part of another dialogue. */
  readonly earlier?: true;
}

/** Only messages that hold words count: a request must not fall out of view behind tool calls. */
const MOST_MESSAGES = 12;
const MOST_CHARS = 8000;
/** The request that a dialogue is about is always there, whatever was said since. */
const REQUEST_CHARS = MOST_CHARS / 2;
/** What is shortened to less than this says less than the gap in it. */
const LEAST_SHARE = 200;
/** What is longer is no sentence. */
const MOST_ASKED = 1000;
/** Of a text that is too long: a request may stand before or behind what was pasted, more often behind. */
const HEAD_SHARE = 0.3;
const GAP = '\n[…]\n';

/** All messages that hold words, oldest first. The first `learned` messages are marked as earlier. */
export function utterances(log: readonly Message[], learned = 0): readonly Utterance[] {
  return log
    .map((message, index): Utterance => ({
      from: message.role === 'user' ? 'person' : 'assistant',
      text: messageText(message).trim(),
      ...(index < learned ? { earlier: true } : {}),
    }))
    .filter(({ text }) => text !== '');
}

/** Part of a conversation. `whole` is for checking quotes, `shown` fits into a prompt. */
export interface Dialogue {
  readonly whole: readonly Utterance[];
  readonly shown: readonly Utterance[];
}

/**
 * All that the person said and that was not learned from, in as many dialogues as it takes, oldest first: each ends
 * with a request of theirs and what came after it. When that would be more than `most`, the newest; `passedOver`
 * counts the messages of the person in the others.
 */
export function unlearnedDialogues(
  log: readonly Message[],
  learned: number,
  most: number,
): { readonly dialogues: readonly Dialogue[]; readonly passedOver: number } {
  const all = utterances(log, learned);
  const dialogues: Dialogue[] = [];
  let requestAt = all.findLastIndex(isUnlearned);
  let end = all.length;
  while (requestAt >= 0 && dialogues.length < most) {
    const { wholeFrom } = dialogueAround(all, requestAt, end);
    const next = all.slice(0, wholeFrom).findLastIndex(isUnlearned);
    // What an older dialogue ends with only explains this one, which is looked at later.
    const isAsked = dialogues.length + 1 < most;
    const marked = isAsked ? all.map((each, at) => (at > next ? each : asEarlier(each))) : all;
    dialogues.unshift(dialogueAround(marked, requestAt, end));
    end = all.findIndex((each, at) => at > next && each.from === 'person');
    requestAt = next;
  }
  const passedOver = all.slice(0, requestAt + 1).filter(isUnlearned).length;
  return { dialogues, passedOver };
}

function isUnlearned({ from, earlier }: Utterance): boolean {
  return from === 'person' && earlier === undefined;
}

function asEarlier(utterance: Utterance): Utterance {
  return { ...utterance, earlier: true };
}

/** The last messages before `end`, and the request though it be older. From `wholeFrom` on none is shortened. */
function dialogueAround(
  all: readonly Utterance[],
  requestAt: number,
  end: number,
): Dialogue & { readonly wholeFrom: number } {
  const said = all.slice(requestAt, requestAt + 1);
  const before = all.slice(Math.max(0, end - MOST_MESSAGES), requestAt);
  const after = all.slice(Math.max(requestAt + 1, end - MOST_MESSAGES + 1), end);

  const request = said.map((each) => ({ ...each, text: shortenedRequest(each.text) }));
  const shownAfter = newestWithin(after, MOST_CHARS - lengthOf(request));
  const shownBefore = newestWithin(before, MOST_CHARS - lengthOf([...request, ...shownAfter]));
  const kept = shownBefore.filter((each) => before.includes(each)).length;
  return {
    whole: [...before, ...said, ...after],
    shown: [...shownBefore, ...request, ...shownAfter],
    wholeFrom: requestAt - kept,
  };
}

/** The newest that fit into `most` characters, oldest first; the first of them may be shortened. */
export function newestWithin(spoken: readonly Utterance[], most: number): readonly Utterance[] {
  const kept: Utterance[] = [];
  let room = most;
  for (const utterance of spoken.toReversed()) {
    const whole = utterance.text.length <= room;
    if (!whole && room < LEAST_SHARE) break;
    kept.unshift(whole ? utterance : { ...utterance, text: shortened(utterance.text, room) });
    if (!whole) break;
    room -= utterance.text.length;
  }
  return kept;
}

/** With the sentence that asks to remember something, which may stand in the middle of what was pasted. */
function shortenedRequest(text: string): string {
  const plain = shortened(text, REQUEST_CHARS);
  const asked = plain === text ? undefined : wordsToRemember(text);
  if (asked === undefined || asked.length > MOST_ASKED || plain.includes(asked)) return plain;
  return shortened(text, REQUEST_CHARS, `${GAP}${asked}${GAP}`);
}

/** At most `most` characters: the beginning and, for the larger part, the end, with `gap` in between. */
function shortened(text: string, most: number, gap = GAP): string {
  if (text.length <= most) return text;
  const room = Math.max(0, most - gap.length);
  const head = Math.floor(room * HEAD_SHARE);
  // Well formed: a cut through a surrogate pair would not survive JSON.
  return (text.slice(0, head) + gap + text.slice(text.length - (room - head))).toWellFormed();
}

function lengthOf(spoken: readonly Utterance[]): number {
  return spoken.reduce((total, { text }) => total + text.length, 0);
}
