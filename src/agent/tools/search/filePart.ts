// A file as it is searched: whole, or of a large one some lines at a time, with those around them.

import { NotTextError } from '../../workspace.ts';
import { linesOf } from '../../../base/lines.ts';

export interface FilePart {
  /** As results name the file. */
  readonly shown: string;
  readonly lines: readonly string[];
  /** How many lines of the file stand before them. */
  readonly before: number;
  /** Of `lines`, the first to search and the one behind the last: the others are searched with another part. */
  readonly from: number;
  readonly to: number;
}

/** As many as a result shows around a match. */
export const MAX_CONTEXT = 10;
/** A line that is longer is data, and its beginning does for a search. */
const MAX_LINE_CHARS = 1_000_000;
/** Where git looks for a NUL byte. */
const PROBE_BYTES = 8_000;

export function wholeFile(shown: string, text: string): FilePart {
  const lines = linesOf(text);
  return { shown, lines, before: 0, from: 0, to: lines.length };
}

/**
 * The parts of a file of UTF-8 text. Throws a NotTextError where it is none. `onCut` is told of each line that is too
 * long to hold, of which only the beginning is there.
 */
export async function* partsOf(
  shown: string,
  chunks: AsyncIterable<Uint8Array>,
  onCut: () => void,
): AsyncGenerator<FilePart> {
  let lead: readonly string[] = [];
  let waiting: string[] = [];
  let before = 0;
  const partUpTo = (to: number): FilePart => {
    const part = {
      shown,
      lines: [...lead, ...waiting],
      before,
      from: lead.length,
      to: lead.length + to,
    };
    const next = part.lines.slice(Math.max(0, part.to - MAX_CONTEXT), part.to);
    before += part.to - next.length;
    lead = next;
    waiting = waiting.slice(to);
    return part;
  };
  for await (const lines of linesOfChunks(shown, chunks, onCut)) {
    waiting = [...waiting, ...lines];
    // What comes after a match is shown with it.
    if (waiting.length > MAX_CONTEXT) yield partUpTo(waiting.length - MAX_CONTEXT);
  }
  if (waiting.length > 0) yield partUpTo(waiting.length);
}

async function* linesOfChunks(
  shown: string,
  chunks: AsyncIterable<Uint8Array>,
  onCut: () => void,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.subarray(0, PROBE_BYTES).includes(0)) {
      throw new NotTextError(`${shown} is binary, not text.`);
    }
    isFirst = false;
    const text = decoded(shown, () => decoder.decode(chunk, { stream: true }));
    const isCut = rest.length > MAX_LINE_CHARS;
    const [end = '', ...lines] = text.split('\n');
    if (!isCut) rest += end;
    if (!isCut && rest.length > MAX_LINE_CHARS) onCut();
    const last = lines.pop();
    if (last === undefined) continue;
    yield [rest, ...lines].map(withoutReturn);
    rest = last;
  }
  rest += decoded(shown, () => decoder.decode());
  if (rest !== '') yield [withoutReturn(rest)];
}

function decoded(shown: string, decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    throw new NotTextError(`${shown} is not UTF-8 text.`, { cause: error });
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
