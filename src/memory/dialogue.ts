// What was said, as side questions may see it: words of the person and the assistant. Tool calls, their
// results, thinking and recalled records are left out, and when it is too long the newest words are kept.

import { messageText, type Message } from '../models/model.ts';

export interface Utterance {
  readonly from: 'person' | 'assistant';
  readonly text: string;
}

/** A beginning shorter than this says less than the gap in it. */
const LEAST_SHARE = 200;
/** Of a text that is too long: a request may stand before or behind what was pasted, more often behind. */
const HEAD_SHARE = 0.3;
const GAP = '\n[…]\n';

/** All messages that hold words, oldest first. */
export function utterances(log: readonly Message[]): readonly Utterance[] {
  return log
    .map((message): Utterance => ({
      from: message.role === 'user' ? 'person' : 'assistant',
      text: messageText(message).trim(),
    }))
    .filter(({ text }) => text !== '');
}

/** The newest that fit into `most` characters, oldest first; the first of them may be shortened. */
export function newestWithin(spoken: readonly Utterance[], most: number): readonly Utterance[] {
  const kept: Utterance[] = [];
  let room = most;
  for (const utterance of spoken.toReversed()) {
    const whole = utterance.text.length <= room;
    if (!whole && kept.length > 0 && room < LEAST_SHARE) break;
    kept.unshift(whole ? utterance : { ...utterance, text: shortened(utterance.text, room) });
    if (!whole) break;
    room -= utterance.text.length;
  }
  return kept;
}

/** At most `most` characters: the beginning and, for the larger part, the end. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = Math.max(0, most - GAP.length);
  const head = Math.floor(room * HEAD_SHARE);
  // Well formed: a cut through a surrogate pair would not survive JSON.
  return (text.slice(0, head) + GAP + text.slice(text.length - (room - head))).toWellFormed();
}
