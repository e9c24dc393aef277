// The text of a command's streams, in the order it came. Memory stays bounded whatever a command prints: the
// middle of a long output goes, and the whole of it to whoever takes it, at the pace at which they do.

import { Writable, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

interface CollectOptions {
  /** From a text longer than this the middle is left out. */
  readonly maxChars: number;
  /** Is given all of a longer text, from its beginning on, piece by piece. Never throws. */
  readonly takeAll?: (text: string) => Promise<void>;
}

/** Returns what ends the collecting and gives the text. */
export function collectOutput(
  streams: readonly Readable[],
  { maxChars, takeAll }: CollectOptions,
): () => Promise<string> {
  const half = Math.floor(maxChars / 2);
  let head = '';
  let tail = '';
  let dropped = 0;
  let isLong = false;
  const keepTail = (chars: number) => {
    dropped += Math.max(0, tail.length - chars);
    tail = tail.slice(-chars);
  };
  const add = async (chunk: string) => {
    const before = head + tail;
    const room = half - head.length;
    head += chunk.slice(0, room);
    tail += chunk.slice(room);
    if (isLong) await takeAll?.(chunk);
    else if (tail.length > half) {
      isLong = true;
      await takeAll?.(before + chunk);
    }
    // Cutting at twice the length makes the cost of a long output linear.
    if (tail.length > 2 * half) keepTail(half);
  };
  const sink = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      add(String(chunk)).then(() => done(), done);
    },
  });
  for (const stream of streams) stream.setEncoding('utf8').pipe(sink, { end: false });
  return async () => {
    for (const stream of streams) stream.unpipe(sink);
    sink.end();
    await finished(sink);
    if (tail.length > half) keepTail(half);
    return dropped === 0
      ? head + tail
      : `${head.toWellFormed()}\n[... ${dropped} characters left out ...]\n${tail.toWellFormed()}`;
  };
}
