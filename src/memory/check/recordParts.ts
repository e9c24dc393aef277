// Where the parts of a memory stand in its text: the lines around the front matter, its keys and their values, the
// body. By lines and not as YAML, so that it also holds while a person is typing and nothing can be parsed yet.

import { isRecordKey } from './recordKeys.ts';

/** Offsets into the text; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface KeyPart {
  readonly key: string;
  readonly name: Span;
  /** What stands behind the colon, further lines included, without the white space around it and a comment behind. */
  readonly value: Span;
  /** Whole lines with their line ends. */
  readonly lines: Span;
}

export interface RecordParts {
  /** The line that opens the front matter, without its end; undefined when the text begins in another way. */
  readonly opening?: Span;
  /** Names another language than YAML, e.g. `js`. */
  readonly language?: string;
  readonly keys: readonly KeyPart[];
  /** The line that closes the front matter, without its end. */
  readonly closing?: Span;
  /** Between the two lines; as far as it looks like front matter where nothing closes it. */
  readonly head: Span;
  readonly body: Span;
  readonly lineEnd: string;
}

export function partsOf(text: string): RecordParts {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const lines = linesFrom(text, start);
  const { value: first } = lines.next();
  const label = first && /^---(?!-)(.*)$/.exec(first.line)?.[1]?.trim();
  if (!first || label === undefined || label.startsWith('-')) {
    const nothing = { start, end: start };
    return { keys: [], head: nothing, body: { start, end: text.length }, lineEnd: lineEndOf(text) };
  }
  const inner: Line[] = [];
  let closing: Line | undefined;
  for (const line of lines) {
    if (line.line.startsWith('---')) {
      closing = line;
      break;
    }
    inner.push(line);
  }
  const headLines = closing ? inner : inner.slice(0, openLength(inner));
  const headEnd = headLines.at(-1)?.next ?? first.next;
  return {
    opening: { start: first.start, end: first.end },
    ...(label !== '' && !/^ya?ml$/i.test(label) && { language: label }),
    keys: keysIn(headLines),
    ...(closing && { closing: { start: closing.start, end: closing.end } }),
    head: { start: first.next, end: headEnd },
    body: { start: closing?.next ?? headEnd, end: text.length },
    lineEnd: lineEndOf(text),
  };
}

/** The part of a key; of several with this name the first. */
export function keyPart(parts: RecordParts, key: string): KeyPart | undefined {
  return parts.keys.find((part) => part.key === key);
}

/** How many lines look like front matter: a blank one does where a key of ours comes next. */
function openLength(lines: readonly Line[]): number {
  const length = lines.findIndex(({ line }, i) => {
    if (line.trim() === '')
      return !isRecordKey(KEY.exec(lines[i + 1]?.line ?? '')?.[2]?.trim() ?? '');
    return !KEY.test(line) && !/^(?:[ \t]|#|- )/.test(line);
  });
  return length < 0 ? lines.length : length;
}

interface Line extends Span {
  /** Without its end. */
  readonly line: string;
  /** Where the next one begins. */
  readonly next: number;
}

function* linesFrom(text: string, from: number): Generator<Line, undefined> {
  for (let start = from; start < text.length;) {
    const found = text.indexOf('\n', start);
    const next = found < 0 ? text.length : found + 1;
    const end = found < 0 ? next : found - (text[found - 1] === '\r' && found > start ? 1 : 0);
    yield { line: text.slice(start, end), start, end, next };
    start = next;
  }
}

/** A quoted or plain key with its colon. What cannot begin a plain text in YAML begins no key. */
const KEY =
  /^( *)("[^"\\]{0,200}"|'[^']{0,200}'|[^\s#'"[\]{}&*!|>%@`,:?-][^:]{0,200}?)[ \t]*:(?=[ \t]|$)/;

/** Far more than front matter that is read can hold; keeps a log or a dump that ended up here from costing time. */
const MAX_LINES = 1_000;

function keysIn(head: readonly Line[]): readonly KeyPart[] {
  const lines = head.slice(0, MAX_LINES);
  const indent = indentOf(lines);
  return lines.flatMap((line, at) => {
    const found = KEY.exec(line.line);
    const [all = '', before, written = ''] = found ?? [];
    if (!found || before !== indent) return [];
    const next = lines.findIndex(({ line }, i) => i > at && !goesOn(line, indent));
    const more = lines.slice(at + 1, next < 0 ? lines.length : next);
    const start = line.start + indent.length;
    return [
      {
        key: written.replace(/^(["'])(.*)\1$/, '$2'),
        name: { start, end: start + written.length },
        value: valueSpan(line, more, all.length),
        lines: { start: line.start, end: more.at(-1)?.next ?? line.next },
      },
    ];
  });
}

/** Of the first key. */
function indentOf(lines: readonly Line[]): string {
  for (const { line } of lines) {
    const found = KEY.exec(line);
    if (found) return found[1] ?? '';
  }
  return '';
}

/** Whether a line belongs to the value of the key above it. */
function goesOn(line: string, indent: string): boolean {
  if (!line.startsWith(indent)) return line.trim() === '';
  return /^(?:[ \t]|- |-$|$)/.test(line.slice(indent.length));
}

function valueSpan(first: Line, more: readonly Line[], colonEnd: number): Span {
  const behind = first.line.slice(colonEnd);
  const text = withoutComment(behind).trimEnd();
  const last = more.findLast(({ line }) => line.trim() !== '');
  const colon = first.start + colonEnd;
  if (text === '' && !last) return { start: colon, end: colon };
  // Behind a comment on the line of the key the value begins on a line of its own.
  const below = text === '' ? more.find(({ line }) => /^[ \t]*[^\s#]/.test(line)) : undefined;
  const start = below
    ? below.start + below.line.length - below.line.trimStart().length
    : colon + behind.length - behind.trimStart().length;
  return { start, end: last ? last.start + last.line.trimEnd().length : colon + text.length };
}

/** A `#` begins a comment behind a space, and never within quotation marks. */
function withoutComment(text: string): string {
  const quoted = /^[ \t]*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text)?.[0] ?? '';
  const comment = /(?:^|[ \t])#/.exec(text.slice(quoted.length));
  return comment ? text.slice(0, quoted.length + comment.index) : text;
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
