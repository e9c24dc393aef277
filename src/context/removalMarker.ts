// The block that stands where messages left the history: how many, and where they can be read. There is one at most,
// so a later removal replaces it. Tools write no context blocks: nothing that they print is taken for one.

import type { ContextBlock, Message, UserBlock } from '../models/model.ts';

/** Enough to go on with the work; the transcript has them all. */
const MAX_FILES = 50;
const START = /^\[Moved out of this conversation: (\d+) /;

export interface Removal {
  /** All messages that have left, up to now. */
  readonly count: number;
  /** Their transcript, as the model is told of it. */
  readonly place: string;
  /** Newest last. */
  readonly changedFiles: readonly string[];
}

export function removalMarker({ count, place, changedFiles }: Removal): ContextBlock {
  const lines = [
    `[Moved out of this conversation: ${count} ${count === 1 ? 'message' : 'messages'}.`,
    `They stand verbatim in ${place}, one JSON message a line:`,
    'read parts of it with read_file (offset and limit), or find words in it with search_history.]',
  ];
  return { type: 'context', text: lines.join(' ') + filesText(changedFiles), records: {} };
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
 * `head`, the marker, `tail`. It joins a message of the user where one is beside it, and is one only between two
 * of the assistant, so that the roles alternate as they did.
 */
export function joinAround(
  head: readonly Message[],
  marker: ContextBlock,
  tail: readonly Message[],
): readonly Message[] {
  // What stood in front of it was a marker alone, and a history begins with the user.
  if (head[0]?.role === 'assistant') return joinAround([], marker, [...head, ...tail]);
  const [next, ...rest] = tail;
  const last = head.at(-1);
  if (next?.role === 'user')
    return [...head, { role: 'user', content: [marker, ...next.content] }, ...rest];
  if (last?.role === 'user')
    return [...head.slice(0, -1), { role: 'user', content: [...last.content, marker] }, ...tail];
  return [...head, { role: 'user', content: [marker] }, ...tail];
}

function filesText(changedFiles: readonly string[]): string {
  if (changedFiles.length === 0) return '';
  const shown = changedFiles.slice(-MAX_FILES).toReversed();
  const more = changedFiles.length - shown.length;
  return [
    '\nFiles written so far, the newest first:',
    ...shown.map((file) => `- ${file}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}

function isMarker(block: UserBlock): boolean {
  return block.type === 'context' && START.test(block.text);
}

function contextTexts(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === 'context' ? [block.text] : []));
}
