// Whether edits that mend one thing in a memory leave the rest as it is. YAML has styles without end, and edits that
// work on lines know only the usual ones, so what they make is read again.

import { isDeepStrictEqual } from 'node:util';
import { commentsIn, readMarkdown, RecordError } from '../frontMatter.ts';
import type { TextEdit } from './keyEdits.ts';

type MarkdownFile = ReturnType<typeof readMarkdown>;

/** Whether a text that can be read still can. True for one that cannot. */
export function staysReadable(text: string, edits: readonly TextEdit[]): boolean {
  return readIfPossible(text) === undefined || readIfPossible(applied(text, edits)) !== undefined;
}

/** The same, and no more than so many keys differ. */
export function changesOnly(count: number, text: string, edits: readonly TextEdit[]): boolean {
  const before = readIfPossible(text);
  if (!before) return true;
  const after = readIfPossible(applied(text, edits));
  return after !== undefined && changedKeys(before, after) <= count;
}

/** The same for the one key that is set, and no comment goes with its value. */
export function changesOneValue(text: string, edits: readonly TextEdit[]): boolean {
  const before = readIfPossible(text);
  if (!before) return true;
  const after = readIfPossible(applied(text, edits));
  return (
    after !== undefined &&
    changedKeys(before, after) <= 1 &&
    isDeepStrictEqual(commentsIn(after.head), commentsIn(before.head))
  );
}

/** Undefined for a text whose front matter cannot be read. */
export function readIfPossible(text: string): MarkdownFile | undefined {
  try {
    return readMarkdown(text);
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

function changedKeys({ data: before }: MarkdownFile, { data: after }: MarkdownFile): number {
  const keys = Object.keys({ ...before, ...after });
  return keys.filter((key) => !isDeepStrictEqual(before[key], after[key])).length;
}

/** The text with edits of which none overlaps another. */
function applied(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text: now } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(done, start), now);
    done = end;
  }
  return parts.join('') + text.slice(done);
}
