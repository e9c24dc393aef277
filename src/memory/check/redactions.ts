// Edits that put the kind of a secret in its place, as a refused memory is saved without it.

import { oneLine } from '../fieldText.ts';
import { printScalar } from '../frontMatter.ts';
import type { TextEdit } from './keyEdits.ts';
import type { RecordParts, Span } from './recordParts.ts';

interface Secret extends Span {
  readonly rule: string;
}

/** `secrets` are in the order of the text, and none overlaps another. */
export function redactions(
  text: string,
  { keys, head }: RecordParts,
  secrets: readonly Secret[],
): readonly TextEdit[] {
  const plain = keys
    .filter(({ name, value }) => !text.slice(name.end, value.start).includes('\n'))
    .map(({ value }) => value)
    .filter(({ start, end }) => isPlain(text.slice(start, end)));
  const around = (secret: Secret) =>
    plain.find(({ start, end }) => start <= secret.start && secret.end <= end);
  // A plain value would be read in another way with the brackets and the colon in it, so it is quoted as a whole.
  const whole = [...Map.groupBy(secrets, around)].flatMap(([value, some]) =>
    value ? [{ ...value, text: printScalar(oneLine(replaced(text, value, some))) }] : [],
  );
  // Elsewhere in front matter they would make a list of a text, or end it.
  const isText = ({ start, end }: Span) =>
    start < head.start ||
    head.end <= start ||
    keys.some(({ value }) => value.start <= start && end <= value.end && isWhole(text, value));
  const single = secrets
    .filter((secret) => !around(secret))
    .map((secret) => ({ ...redaction(secret), ...(!isText(secret) && { text: PLAIN }) }));
  return [...whole, ...single].toSorted((a, b) => a.start - b.start);
}

/** Reads the same wherever YAML takes a text. */
const PLAIN = '(redacted)';

/** In quotation marks from end to end, or a block of text. */
function isWhole(text: string, { start, end }: Span): boolean {
  return /^(?:"(?:[^"\\]|\\.)*"$|'(?:[^']|'')*'$|[|>])/.test(text.slice(start, end));
}

/** On one line, and not in quotation marks. */
function isPlain(value: string): boolean {
  return /^[^\r\n"'|>[{&*!%@`][^\r\n]*$/.test(value);
}

function replaced(text: string, within: Span, secrets: readonly Secret[]): string {
  let end = within.start;
  let result = '';
  for (const secret of secrets) {
    result += text.slice(end, secret.start) + redaction(secret).text;
    ({ end } = secret);
  }
  return result + text.slice(end, within.end);
}

function redaction({ rule, start, end }: Secret): TextEdit {
  return { start, end, text: `[redacted: ${rule}]` };
}
