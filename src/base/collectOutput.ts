// The text of a command's streams, in the order it came. Memory stays bounded whatever a command prints.

import type { Readable } from 'node:stream';

/** Returns what reads the text so far. From one longer than `maxChars` the middle is left out. */
export function collectOutput(streams: readonly Readable[], maxChars: number): () => string {
  const half = Math.floor(maxChars / 2);
  let head = '';
  let tail = '';
  let dropped = 0;
  const keepTail = (chars: number) => {
    dropped += Math.max(0, tail.length - chars);
    tail = tail.slice(-chars);
  };
  const add = (chunk: string) => {
    const room = half - head.length;
    head += chunk.slice(0, room);
    tail += chunk.slice(room);
    // Cutting at twice the length makes the cost of a long output linear.
    if (tail.length > 2 * half) keepTail(half);
  };
  for (const stream of streams) stream.setEncoding('utf8').on('data', add);
  return () => {
    if (tail.length > half) keepTail(half);
    return dropped === 0
      ? head + tail
      : `${head.toWellFormed()}\n[... ${dropped} characters left out ...]\n${tail.toWellFormed()}`;
  };
}
