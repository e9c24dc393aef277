// What differs between two texts, line by line, in the form of `diff -u`: for a person who is asked, and for a model
// whose file was changed further. Line ends do not count.

import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import { anchoredChanges, type LineChange } from './anchoredChanges.ts';

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
  if (!patch) return quickDiff(old, now);
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = lines.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS).replace(/\n$/, '');
  return { ...counted(lines), text };
}

/** The same without a search for the shortest. */
function quickDiff(before: string, after: string): LineDiff {
  const [old, now] = [toLines(before), toLines(after)];
  const hunks: LineChange[][] = [];
  for (const change of anchoredChanges(old, now)) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk && last && change.oldStart - last.oldEnd <= 2 * CONTEXT_LINES) hunk.push(change);
    else hunks.push([change]);
  }
  const lines = hunks.flatMap((changes) => hunkText(changes, old, now));
  return { ...counted(lines), text: lines.join('\n') };
}

/** By the mark that each line begins with. */
function counted(lines: readonly string[]): Pick<LineDiff, 'added' | 'removed'> {
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

function hunkText(
  changes: readonly LineChange[],
  old: readonly string[],
  now: readonly string[],
): string[] {
  const lines: string[] = [];
  const from = Math.max(0, (changes[0]?.oldStart ?? 0) - CONTEXT_LINES);
  let at = from;
  const stay = (to: number) => {
    lines.push(...old.slice(at, to).map((line) => ` ${line}`));
    at = to;
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    stay(oldStart);
    for (const line of old.slice(oldStart, oldEnd)) lines.push(`-${line}`);
    for (const line of now.slice(newStart, newEnd)) lines.push(`+${line}`);
    at = oldEnd;
  }
  stay(Math.min(old.length, at + CONTEXT_LINES));
  const shift = (changes[0]?.newStart ?? 0) - (changes[0]?.oldStart ?? 0);
  const newCount = lines.filter((line) => !line.startsWith('-')).length;
  return [`@@ -${range(from, at - from)} +${range(from + shift, newCount)} @@`, ...lines];
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
