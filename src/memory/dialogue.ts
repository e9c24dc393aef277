// What was said, as side questions may see it: words of the person and the assistant. Tool calls, their
// results, thinking and recalled records are left out, and when it is too long the newest words are kept.

import { messageText, type Message } from '../models/model.ts';

export interface Utterance {
  readonly from: 'person' | 'assistant';
  readonly text: string;
  /** Said in an earlier turn that was already learned from. */
  readonly earlier?: true;
}

/** Only messages that hold words count: a request must not fall out of view behind tool calls. */
const TURN_MESSAGES = 12;
const TURN_CHARS = 8000;
/** The request of the turn is always there, whatever was said since. */
const REQUEST_CHARS = TURN_CHARS / 2;
/** What is shortened to less than this says less than the gap in it. */
const LEAST_SHARE = 200;
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

/**
 * What a turn is learned from: the last messages, and the request of the turn though it be older. `whole` is for
 * checking quotes, `shown` fits into a prompt.
 */
export function turnDialogue(
  log: readonly Message[],
  learned: number,
): {
  readonly whole: readonly Utterance[];
  readonly shown: readonly Utterance[];
} {
  const all = utterances(log, learned);
  const requestAt = all.findLastIndex(({ from }) => from === 'person');
  const said = all[requestAt];
  if (!said) return { whole: [], shown: [] };
  const windowAt = Math.max(0, all.length - TURN_MESSAGES);
  const before = all.slice(windowAt, requestAt);
  const after = all.slice(Math.max(windowAt, requestAt + 1));

  const request = { ...said, text: shortened(said.text, REQUEST_CHARS) };
  const shownAfter = newestWithin(after, TURN_CHARS - lengthOf([request]));
  const shownBefore = newestWithin(before, TURN_CHARS - lengthOf([request, ...shownAfter]));
  return {
    whole: [...before, said, ...after],
    shown: [...shownBefore, request, ...shownAfter],
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

/** At most `most` characters: the beginning and, for the larger part, the end. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = Math.max(0, most - GAP.length);
  const head = Math.floor(room * HEAD_SHARE);
  // Well formed: a cut through a surrogate pair would not survive JSON.
  return (text.slice(0, head) + GAP + text.slice(text.length - (room - head))).toWellFormed();
}

function lengthOf(spoken: readonly Utterance[]): number {
  return spoken.reduce((total, { text }) => total + text.length, 0);
}
