// What differs between two texts, line by line, in the form of `diff -u`: for a person who is asked, and for a model
// whose file was changed further. Line ends do not count.

import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

/** Lines that stay the same around a change, as in git. */
const CONTEXT_LINES = 3;
/** Lines that are new or gone before the search for the shortest difference is given up: it takes their square. */
const MOST_CHANGED_LINES = 2_000;

export interface LineDiff {
  /** Lines that are new. */
  readonly added: number;
  /** Lines that are gone. */
  readonly removed: number;
  /** Hunks, each with a head that tells its lines. Empty when only line ends differ. */
  readonly text: string;
}

export function lineDiff(before: string, after: string): LineDiff {
  const [old, now] = [withLf(before), withLf(after)];
  const patch = structuredPatch('', '', old, now, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_CHANGED_LINES,
  });
  if (!patch) return wholeDiff(old, now);
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    text: patch.hunks.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS).trimEnd(),
  };
}

/** The lines between the first and the last that differ, as one hunk. */
function wholeDiff(before: string, after: string): LineDiff {
  const [old, now] = [toLines(before), toLines(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  return {
    added: come.length,
    removed: gone.length,
    text: [
      `@@ -${range(head, gone.length)} +${range(head, come.length)} @@`,
      ...gone.map((line) => `-${line}`),
      ...come.map((line) => `+${line}`),
    ].join('\n'),
  };
}

/** An empty range stands behind the line that it names. */
function range(head: number, count: number): string {
  return `${count === 0 ? head : head + 1},${count}`;
}

function toLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A lone CR too: what is a line to an editor must not stand in a diff without its mark. */
function withLf(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
