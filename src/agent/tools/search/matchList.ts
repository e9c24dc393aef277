// The matching lines of a search as text, with lines around them, up to the caps of a result.

import type { FilePart } from './filePart.ts';
import { partOf } from '../../../base/lines.ts';

const MAX_ROWS = 200;
const MAX_LINE_CHARS = 300;
const MAX_CHARS = 30_000;
/** Of what stands behind a file. */
const COUNT_CHARS = 16;
/** Of a long line, what stands before the match. */
const LEAD_CHARS = 80;

/** What a search finds, in the order of files and lines. */
export interface MatchList {
  /** Takes a match at a character of one of the part's lines. */
  add(part: FilePart, index: number, at: number): void;
  full(): boolean;
  /** What was found so far, what is skipped included. */
  count(): number;
  /** The text, with a note when it is full. */
  rows(): string[];
}

interface MatchListOptions {
  /** Lines to show around each match. */
  readonly context: number;
  /** Matching lines to leave out: an earlier call has shown them. */
  readonly offset: number;
}

export function createMatchList({ context, offset }: MatchListOptions): MatchList {
  const rows: string[] = [];
  let count = 0;
  let shown = 0;
  let chars = 0;
  /** The line printed last, counted from 0 in its file. */
  let last: { readonly part: FilePart; readonly line: number } | undefined;

  const full = () => shown >= MAX_ROWS || chars >= MAX_CHARS;
  /** Whether there was room. */
  const push = (row: string): boolean => {
    if (chars + row.length + 1 > MAX_CHARS) chars = MAX_CHARS;
    if (chars >= MAX_CHARS) return false;
    chars += row.length + 1;
    rows.push(row);
    return true;
  };
  const around = (part: FilePart, line: number) => {
    push(`${part.shown}-${line + 1}-${excerpt(part.lines[line - part.before] ?? '', 0)}`);
    last = { part, line };
  };
  /** The lines after the last match, up to `end`. */
  const trail = (end: number) => {
    if (!last) return;
    const { part, line } = last;
    const stop = Math.min(end, line + 1 + context, part.before + part.lines.length);
    for (let next = line + 1; next < stop; next += 1) around(part, next);
  };

  return {
    full,
    count: () => count,
    add(part, index, at) {
      if (full()) return;
      count += 1;
      if (count <= offset) return;
      const line = part.before + index;
      const isSameFile = last?.part.shown === part.shown;
      trail(isSameFile ? line : Infinity);
      const first = Math.max(part.before, line - context);
      const from = isSameFile && last ? Math.max(first, last.line + 1) : first;
      if (context > 0 && last && (!isSameFile || from > last.line + 1)) push('--');
      for (let before = from; before < line; before += 1) around(part, before);
      if (push(`${part.shown}:${line + 1}:${excerpt(part.lines[index] ?? '', at)}`)) shown += 1;
      last = { part, line };
    },
    rows() {
      const isFull = full();
      trail(Infinity);
      return isFull
        ? [
            ...rows,
            `[Stopped at ${shown} matching lines, so there may be more. Narrow the search, or go on with offset ${offset + shown}.]`,
          ]
        : rows;
    },
  };
}

/** Files with the number of their matching lines, in place of the lines. */
export function createFileList({ offset }: Pick<MatchListOptions, 'offset'>): MatchList {
  const files: { readonly shown: string; lines: number }[] = [];
  let count = 0;
  let chars = 0;
  /** The file looked at last, shown or not. */
  let last: string | undefined;
  let isFull = false;
  return {
    full: () => isFull,
    count: () => count,
    add({ shown }) {
      const file = files.at(-1);
      if (shown === last) {
        if (file?.shown === shown) file.lines += 1;
        return;
      }
      last = shown;
      count += 1;
      if (count <= offset) return;
      chars += shown.length + COUNT_CHARS;
      if (files.length < MAX_ROWS && chars <= MAX_CHARS) files.push({ shown, lines: 1 });
      else isFull = true;
    },
    rows() {
      const rows = files.map(
        ({ shown, lines }) => `${shown}: ${lines === 1 ? '1 line' : `${lines} lines`}`,
      );
      const next = offset + files.length;
      return isFull
        ? [
            ...rows,
            `[Stopped at ${files.length} files, and there are more. Narrow the search, or go on with offset ${next}.]`,
          ]
        : rows;
    },
  };
}

/** At most 300 characters of a line, with the match in sight. */
function excerpt(line: string, at: number): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const start = at < MAX_LINE_CHARS - LEAD_CHARS ? 0 : at - LEAD_CHARS;
  const end = start + MAX_LINE_CHARS;
  return `${start > 0 ? '...' : ''}${partOf(line, start, end)}${end < line.length ? '...' : ''}`;
}
