// The matching lines of a search as text, with lines around them, up to the caps of a result.

import { partOf } from './lines.ts';

const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 300;
const MAX_CHARS = 30_000;
/** Of a long line, what stands before the match. */
const LEAD_CHARS = 80;

export interface SearchedFile {
  /** As results name it. */
  readonly shown: string;
  readonly lines: readonly string[];
}

export interface MatchList {
  /** Takes a match at a character of a line. Lines of a file come in order, and files one after the other. */
  add(file: SearchedFile, index: number, at: number): void;
  full(): boolean;
  empty(): boolean;
  /** The text, with a note when it is full. */
  rows(): string[];
}

export function createMatchList(context: number): MatchList {
  const rows: string[] = [];
  let matches = 0;
  let chars = 0;
  /** The line printed last. */
  let last: { readonly file: SearchedFile; readonly index: number } | undefined;

  const full = () => matches >= MAX_MATCHES || chars >= MAX_CHARS;
  const push = (row: string) => {
    if (chars + row.length + 1 > MAX_CHARS) chars = MAX_CHARS;
    if (chars >= MAX_CHARS) return;
    chars += row.length + 1;
    rows.push(row);
  };
  const around = (file: SearchedFile, index: number) =>
    push(`${file.shown}-${index + 1}-${excerpt(file.lines[index] ?? '', 0)}`);
  /** The lines after the last match, up to `end`. */
  const trail = (end: number) => {
    if (!last) return;
    const { file, index } = last;
    for (
      let next = index + 1;
      next < Math.min(end, index + 1 + context, file.lines.length);
      next += 1
    ) {
      around(file, next);
      last = { file, index: next };
    }
  };

  return {
    full,
    empty: () => matches === 0,
    add(file, index, at) {
      if (full()) return;
      trail(last?.file === file ? index : Infinity);
      const start = Math.max(0, index - context);
      const from = last?.file === file ? Math.max(start, last.index + 1) : start;
      if (context > 0 && last && (last.file !== file || from > last.index + 1)) push('--');
      for (let before = from; before < index; before += 1) around(file, before);
      push(`${file.shown}:${index + 1}:${excerpt(file.lines[index] ?? '', at)}`);
      matches += 1;
      last = { file, index };
    },
    rows() {
      const stopped = full();
      trail(Infinity);
      return stopped
        ? [
            ...rows,
            `[Stopped at ${matches} matching lines, so there may be more. Narrow the search.]`,
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
