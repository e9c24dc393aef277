// The replacing of edit_file. Line ends do not count for what is looked for; what stands outside of a place keeps its
// own. No regular expression: one made of a few thousand lines is too large for the engine.

import { withEndsOf, withLf } from './lineEnds.ts';

/** Line numbers told when a text occurs in several places. */
const MAX_PLACES_TOLD = 20;

interface Replaced {
  readonly text: string;
  readonly count: number;
  /** Of the first places. */
  readonly lines: readonly number[];
}

/** Every place of `wanted`, which is not empty, replaced, in one pass over a text of any size. */
export function replaceIn(text: string, wanted: string, replacement: string): Replaced {
  const flat = withLf(text);
  const sought = withLf(wanted);
  const put = withEndsOf(text, replacement);
  const toOriginal = originalOffsets(text);
  const pieces: string[] = [];
  const lines: number[] = [];
  let line = 1;
  let kept = 0;
  let count = 0;
  let lineEnd = flat.indexOf('\n');
  for (let at = flat.indexOf(sought); at >= 0; at = flat.indexOf(sought, at + sought.length)) {
    count += 1;
    if (lines.length < MAX_PLACES_TOLD) {
      for (; lineEnd >= 0 && lineEnd < at; lineEnd = flat.indexOf('\n', lineEnd + 1)) line += 1;
      lines.push(line);
    }
    pieces.push(text.slice(kept, toOriginal(at)), put);
    kept = toOriginal(at + sought.length);
  }
  pieces.push(text.slice(kept));
  return { text: pieces.join(''), count, lines };
}

/** From an offset in the text with LF alone to that in the text; to be asked for in rising order. */
function originalOffsets(text: string): (flat: number) => number {
  let returns = 0;
  let next = text.indexOf('\r\n');
  return (flat) => {
    while (next >= 0 && next - returns < flat) {
      returns += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return flat + returns;
  };
}

/** The places of a replacement, in words. */
export function placesTold({ count, lines }: Replaced): string {
  const more = count - lines.length;
  return `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
