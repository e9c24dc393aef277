// A difference as a question shows it: of a long line the place that changed, of a long stretch that goes its
// beginning, so that what comes instead is in sight. All that is left out is counted.

import * as vscode from 'vscode';
import { figure } from '../text/figures.ts';

/** A longer line is generated or data, or a whole paragraph, and would leave no room for the next. */
const SHOWN_OF_LINE = 400;
/** Of what stands before the change in a long line: lines do not wrap, and a narrow chat shows about 30 characters. */
const LEAD = 20;
/** Lines that a question has room for, and of them those for what goes. */
const MANY_LINES = 60;
const SHOWN_OF_GONE = 25;

/** `diff`: hunks in the form of `diff -u`. */
export function shortDiff(diff: string): string {
  const lines = diff.split('\n');
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    const gone = stretch(lines, at, /^[-\\]/);
    const come = stretch(lines, at + gone.length, /^[+\\]/);
    shown.push(...shortChange(gone, come, lines.length > MANY_LINES));
    at += gone.length + come.length;
    const line = lines[at];
    if (line !== undefined && gone.length + come.length === 0) {
      shown.push(shortLine(line, ''));
      at += 1;
    }
  }
  return shown.join('\n');
}

/** Lines of a file that is new. */
export function shortLines(text: string): string {
  return text
    .split('\n')
    .map((line) => shortText(line, '', SHOWN_OF_LINE))
    .join('\n');
}

function stretch(lines: readonly string[], from: number, sign: RegExp): readonly string[] {
  let to = from;
  while (to < lines.length && sign.test(lines[to] ?? '')) to += 1;
  return lines.slice(from, to);
}

function shortChange(
  gone: readonly string[],
  come: readonly string[],
  isLong: boolean,
): readonly string[] {
  const leftOut = isLong && come.length > 0 ? gone.length - SHOWN_OF_GONE : 0;
  const shownGone = leftOut > 1 ? gone.slice(0, SHOWN_OF_GONE) : gone;
  return [
    ...shownGone.map((line, index) => shortLine(line, come[index] ?? '')),
    ...(leftOut > 1 ? [vscode.l10n.t('… and {0} more lines that go', figure(leftOut))] : []),
    ...come.map((line, index) => shortLine(line, gone[index] ?? '')),
  ];
}

/** `other`: the line that stands there before or afterwards. Both with their sign. */
function shortLine(line: string, other: string): string {
  return line.slice(0, 1) + shortText(line.slice(1), other.slice(1), SHOWN_OF_LINE - 1);
}

function shortText(text: string, other: string, limit: number): string {
  if (text.length <= limit) return text;
  const same = commonStart(text, other);
  const start = same > limit - LEAD ? same - LEAD : 0;
  const excerpt = text.slice(start, start + limit).toWellFormed();
  const more = text.length - start - limit;
  const isSame = more <= commonEnd(text, other, same);
  return inLine(start, more <= 0 ? excerpt : cut(excerpt, more, isSame));
}

function inLine(before: number, excerpt: string): string {
  return before === 0
    ? excerpt
    : vscode.l10n.t('… {0} (the {1} characters before it stay the same)', excerpt, figure(before));
}

function cut(excerpt: string, more: number, isSame: boolean): string {
  return isSame
    ? vscode.l10n.t('{0} … and {1} more characters that stay the same', excerpt, figure(more))
    : vscode.l10n.t('{0} … and {1} more characters', excerpt, figure(more));
}

function commonStart(text: string, other: string): number {
  const shorter = Math.min(text.length, other.length);
  let at = 0;
  while (at < shorter && text[at] === other[at]) at += 1;
  return at;
}

function commonEnd(text: string, other: string, start: number): number {
  const shorter = Math.min(text.length, other.length) - start;
  let count = 0;
  while (count < shorter && text.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}
