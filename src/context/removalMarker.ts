// The block that stands where messages left the history: how many, and where they can be read. There is one at most,
// so a later removal replaces it. Tools write no context blocks: nothing that they print is taken for one.

import { controlText, type ContextBlock, type Message, type UserBlock } from '../models/model.ts';
import { archiveNote, type ArchiveNote } from './archiveNote.ts';

const START = /^\[Moved out of this conversation: (\d+) /;

/** `count` is that of all messages that have left, up to now. */
export function removalMarker(count: number, note: ArchiveNote): ContextBlock {
  const moved = `[Moved out of this conversation: ${count} ${count === 1 ? 'message' : 'messages'}.]`;
  return controlText([moved, ...archiveNote(note)].join('\n\n'));
}

/** How many messages have left the history, as its marker says. */
export function removedCount(messages: readonly Message[]): number {
  return messages.flatMap(contextTexts).reduce((sum, text) => {
    const [, count = '0'] = START.exec(text) ?? [];
    return sum + Number(count);
  }, 0);
}

/** Messages of which nothing is left are left out; those without a marker are the same objects as before. */
export function withoutMarkers(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => {
    if (message.role === 'assistant' || !message.content.some(isMarker)) return [message];
    const content = message.content.filter((block) => !isMarker(block));
    return content.length === 0 ? [] : [{ role: 'user', content }];
  });
}

/**
 * `head`, the blocks, `tail`. They join a message of the user where one is beside them, and are one only between two
 * of the assistant, so that the roles alternate as they did.
 */
export function joinAround(
  head: readonly Message[],
  blocks: readonly ContextBlock[],
  tail: readonly Message[],
): readonly Message[] {
  // What stood in front of it was a marker alone, and a history begins with the user.
  if (head[0]?.role === 'assistant') return joinAround([], blocks, [...head, ...tail]);
  const [next, ...rest] = tail;
  const last = head.at(-1);
  if (next?.role === 'user')
    return [...head, { role: 'user', content: [...blocks, ...next.content] }, ...rest];
  if (last?.role === 'user')
    return [...head.slice(0, -1), { role: 'user', content: [...last.content, ...blocks] }, ...tail];
  return [...head, { role: 'user', content: blocks }, ...tail];
}

export function isMarker(block: UserBlock): boolean {
  return block.type === 'context' && START.test(block.text);
}

function contextTexts(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === 'context' ? [block.text] : []));
}
