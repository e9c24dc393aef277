// Checks the text of one memory, as it stands in an editor, and says what is wrong and where. Pure; it never throws,
// whatever the text, and every span lies inside it.

import { isoDate, isoDeadline, oneLine } from '../fieldText.ts';
import { hiddenIn } from '../hiddenText.ts';
import { canExpire, endOf } from '../expiry.ts';
import { readMarkdown } from '../frontMatter.ts';
import { MAX_BODY, MAX_DESCRIPTION, MEMORY_TYPES, parseRecord, RecordError } from '../record.ts';
import { slugFor, toldType, type MemoryRecord } from '../record.ts';
import { findSecrets } from '../secrets/secrets.ts';
import { longPart } from './longPart.ts';
import type { Neighbours } from './neighbours.ts';
import type { RecordProblem } from './problem.ts';
import { isKeyOfOthers, isRecordKey, meantKey, meantType } from './recordKeys.ts';
import { keyPart, partsOf, type RecordParts, type Span } from './recordParts.ts';
import { meantBoolean, meantDate } from './meantValue.ts';

export interface RecordCheck {
  /** Absolute path of the file that the text is of. */
  readonly path: string;
  readonly text: string;
  /** Of the scope that the file lies in. */
  readonly neighbours: Neighbours;
  readonly now: Date;
}

/** Characters. A kebab-case name is never near it, and lists cut what is longer. */
const LONG_NAME = 80;
/** Characters. What stands behind is far over the limit of a memory, which is said; it is not looked through too. */
const MAX_CHECKED = 12 * MAX_BODY;

/** In the order of the text. */
export function checkRecord(check: RecordCheck): readonly RecordProblem[] {
  const { path, text } = check;
  const parts = partsOf(text);
  const reading = read(path, text);
  const problems = [
    ...duplicateKeys(parts),
    ...unreadable(reading, parts, text),
    ...secretsIn(text),
    ...hiddenParts(text),
    ...unknownKeys(parts),
    ...longPart('body', text.slice(parts.body.start), MAX_BODY).map((span) => ({
      ...span,
      start: parts.body.start + span.start,
      end: parts.body.start + span.end,
    })),
    ...(reading.data ? fieldProblems(reading.data, parts, text) : []),
    ...(reading.record ? recordProblems(reading, reading.record, parts, check) : []),
  ];
  return problems.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

interface Reading {
  /** Undefined when the file is no memory. */
  readonly record?: MemoryRecord;
  /** Undefined when the front matter cannot be read. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: RecordError;
}

function read(path: string, text: string): Reading {
  try {
    const { data } = readMarkdown(text);
    try {
      return { data, record: parseRecord(path, Buffer.from(text.toWellFormed()), 0) };
    } catch (error) {
      // The front matter is fine, so it is the type, which is looked at by itself.
      if (error instanceof RecordError) return { data };
      throw error;
    }
  } catch (error) {
    if (error instanceof RecordError) return { error };
    throw error;
  }
}

function unreadable(
  { error }: Reading,
  parts: RecordParts,
  text: string,
): readonly RecordProblem[] {
  if (!error) return [];
  const { opening, closing, language } = parts;
  const said = error.sentence;
  if (!opening) return [{ kind: 'noFrontMatter', ...firstLine(text), said }];
  if (language !== undefined) return [{ kind: 'otherLanguage', ...opening, said }];
  if (!closing) return [{ kind: 'notClosed', ...opening, said }];
  // Said where the second one stands.
  if (/\bunique\b/.test(String(said)) && duplicateKeys(parts).length > 0) return [];
  return [{ kind: 'unreadable', ...placeIn(String(said), text, parts), said }];
}

/** The parser names a line of the file and a column; else the opening line stands for the whole. */
function placeIn(said: string, text: string, { opening, closing }: RecordParts): Span {
  const whole = opening ?? firstLine(text);
  if (closing && text.slice(closing.start, closing.end).trim() !== '---') return closing;
  const place = / at line (\d+), column (\d+)/.exec(said);
  if (!place) return whole;
  let start = 0;
  for (let line = Number(place[1]); line > 1; line--) {
    const next = text.indexOf('\n', start);
    if (next < 0) return whole;
    start = next + 1;
  }
  const end = start + (/^[^\r\n]*/.exec(text.slice(start))?.[0].trimEnd().length ?? 0);
  const column = Math.min(start + Number(place[2]) - 1, end);
  // Behind the last character there is nothing to mark.
  return column < end ? { start: column, end } : end > start ? { start, end } : whole;
}

function firstLine(text: string): Span {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return { start, end: start + (/^[^\r\n]*/.exec(text.slice(start))?.[0].length ?? 0) };
}

function duplicateKeys({ keys }: RecordParts): readonly RecordProblem[] {
  return keys
    .filter(({ key }, i) => keys.findIndex((other) => other.key === key) < i)
    .map(({ key, name }) => ({ kind: 'duplicateKey', key, ...name }));
}

function unknownKeys({ keys }: RecordParts): readonly RecordProblem[] {
  return keys
    .filter(({ key }) => !isRecordKey(key) && !isKeyOfOthers(key))
    .map(({ key, name }) => {
      const meant = meantKey(key);
      const isThere = keys.some((other) => other.key === meant);
      return { kind: 'unknownKey', key, meant: isThere ? undefined : meant, ...name };
    });
}

function secretsIn(text: string): readonly RecordProblem[] {
  return findSecrets(text.slice(0, MAX_CHECKED)).map(({ rule, start, end }) => ({
    kind: 'secret',
    rule,
    start,
    end,
  }));
}

function hiddenParts(text: string): readonly RecordProblem[] {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  return hiddenIn(text.slice(mark, MAX_CHECKED)).map(({ start, end }) => ({
    kind: 'hidden',
    start: mark + start,
    end: mark + end,
  }));
}

/** Of what can be read, also when the file is no memory yet. */
function fieldProblems(
  data: Readonly<Record<string, unknown>>,
  parts: RecordParts,
  text: string,
): readonly RecordProblem[] {
  const { closing, body } = parts;
  const at = (key: string): Span => valueOrKey(parts, key);
  const problems: RecordProblem[] = [];
  const type = oneLine(toldType(data));
  for (const [key, value] of [
    ['name', data['name']],
    ['description', data['description']],
    ['type', type],
  ] as const)
    if (oneLine(value) === '') problems.push({ kind: 'missing', key, ...at(key) });

  if (type !== '' && !MEMORY_TYPES.some((known) => known === type.toLowerCase())) {
    problems.push({
      kind: 'unknownType',
      written: type,
      meant: meantType(type),
      ...at('type'),
    });
  }
  if (text.slice(body.start).trim() === '')
    problems.push({ kind: 'emptyBody', ...(closing ?? at('name')) });
  for (const [field, limit] of [
    ['name', LONG_NAME],
    ['description', MAX_DESCRIPTION],
  ] as const) {
    const { start, end } = at(field);
    const raw = text.slice(start, end);
    problems.push(
      ...longPart(field, oneLine(data[field]), limit).map((found) => {
        // The words behind the limit where the text stands as it is read, else the whole value.
        const shift = raw.indexOf(oneLine(data[field]));
        const part = shift < 0 ? { start, end } : { start: start + shift + found.start, end };
        return { ...found, ...part };
      }),
    );
  }
  for (const key of ['created', 'updated', 'expires'] as const) {
    const written = data[key];
    if (written === undefined || (key === 'expires' ? isoDeadline : isoDate)(written)) continue;
    problems.push({ kind: 'noDate', key, meant: meantDate(oneLine(written)), ...at(key) });
  }
  const { pinned } = data;
  if (pinned !== undefined && typeof pinned !== 'boolean')
    problems.push({ kind: 'noBoolean', meant: meantBoolean(oneLine(pinned)), ...at('pinned') });
  return problems;
}

/** Of a text that can be read as a memory. */
function recordProblems(
  { data }: Reading,
  record: MemoryRecord,
  parts: RecordParts,
  { neighbours, now }: RecordCheck,
): readonly RecordProblem[] {
  const at = (key: string): Span => valueOrKey(parts, key);
  // In place of a description stands the beginning of the text, a heading perhaps, which others may well share.
  const said = oneLine(data?.['description']) ? record : { ...record, description: '' };
  const problems: RecordProblem[] = neighbours.like(said).map(({ other, by }) => {
    const key = by === 'name' ? 'name' : 'description';
    return { kind: 'duplicate', other, by, ...at(keyPart(parts, key) ? key : 'name') };
  });
  const { name, file, type, pinned, expires } = record;
  if (keyPart(parts, 'name') && !isNamedFor(file, name))
    problems.push({ kind: 'otherFile', file, wanted: `${slugFor(name)}.md`, ...at('name') });

  const end = endOf(expires);
  if (end === undefined) return problems;
  const kept = type === 'user' || type === 'feedback' ? 'type' : pinned ? 'pinned' : undefined;
  if (end < now.getTime()) problems.push({ kind: 'expired', at: end, kept, ...at('expires') });
  else if (!canExpire({ type, pinned: false }))
    problems.push({ kind: 'neverExpires', type, ...at('expires') });
  return problems;
}

/** Whether a file has the name that its memory would get, perhaps with a number, or in another way of writing. */
function isNamedFor(file: string, name: string): boolean {
  const stem = slugFor(file.replace(/\.md$/i, ''));
  return [stem, stem.replace(/-\d+$/, '')].includes(slugFor(name));
}

function valueOrKey(parts: RecordParts, key: string): Span {
  const part = keyPart(parts, key);
  if (!part) return parts.opening ?? parts.head;
  return part.value.end > part.value.start ? part.value : part.name;
}
