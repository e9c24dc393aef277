// The smallest replacement that turns one text into another, so that an edit leaves cursors, marks and the undo
// history of everything around it alone. No 'vscode' import, so it is tested without a host.

interface ChangedSpan {
  /** Offsets into the old text. */
  readonly start: number;
  readonly end: number;
  /** What stands between them in the new text. */
  readonly text: string;
}

/** Undefined when nothing changed. Never cuts a line break or a character of two units in half. */
export function changedSpan(before: string, after: string): ChangedSpan | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  if (isInside(before, head) || isInside(after, head)) head--;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (isInside(before, before.length - tail) || isInside(after, after.length - tail)) tail--;
  return {
    start: head,
    end: before.length - tail,
    text: after.slice(head, after.length - tail),
  };
}

/** Whether an offset falls between CR and LF, or between the halves of a surrogate pair. */
function isInside(text: string, offset: number): boolean {
  const pair = text.slice(Math.max(0, offset - 1), offset + 1);
  return pair === '\r\n' || /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair);
}
