// Takes a text that is longer than a memory may be apart, at the best places there are: before headings, else
// between paragraphs, else between lines, else anywhere. Nothing is left out and nothing added.

import { linesOf, markdownLines, type MarkdownLine } from './importMarkdown.ts';

/** Takes a text apart; the pieces together are the text. */
type Cut = (text: string, limit: number) => readonly string[];

/** From the best place to the last resort. */
const CUTS: readonly Cut[] = [
  ...[1, 2, 3, 4, 5, 6].map((level) =>
    cutBefore(({ heading }) => heading !== undefined && heading.level <= level),
  ),
  cutBefore((_line, previous) => previous?.blank === true),
  linesOf,
  cutAnywhere,
];

/** Parts of at most `limit` characters, which together are the text. One part when it fits. */
export function partsOf(text: string, limit: number): readonly string[] {
  return cut(text, limit, CUTS);
}

function cut(text: string, limit: number, [best, ...others]: readonly Cut[]): readonly string[] {
  if (!best || lengthOf(text) <= limit) return [text];
  return joined(
    best(text, limit).flatMap((piece) => cut(piece, limit, others)),
    limit,
  );
}

/** Fewer parts: neighbours that fit into one are one. */
function joined(pieces: readonly string[], limit: number): readonly string[] {
  const parts: string[][] = [];
  let length = Infinity;
  for (const piece of pieces) {
    const added = lengthOf(piece);
    if (length + added > limit) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(piece);
    length += added;
  }
  return parts.map((part) => part.join(''));
}

function cutBefore(isStart: (line: MarkdownLine, previous?: MarkdownLine) => boolean): Cut {
  return (text) => {
    const pieces: string[][] = [[]];
    let previous: MarkdownLine | undefined;
    for (const line of markdownLines(text)) {
      if (previous && isStart(line, previous)) pieces.push([]);
      pieces.at(-1)?.push(line.text);
      previous = line;
    }
    return pieces.map((piece) => piece.join(''));
  };
}

function cutAnywhere(text: string, limit: number): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / limit);
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * limit, (at + 1) * limit).join(''),
  );
}

/** As a memory's text is measured. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
