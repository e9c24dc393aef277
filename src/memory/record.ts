// One memory: a Markdown file with YAML front matter (name, description, type) and a body.
// Parsing never runs code from a file; writing keeps what the person wrote and changes only what it must.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import matter from 'gray-matter';
import { isMap, isNode, isScalar, parseDocument, stringify, type Document } from 'yaml';
import { decodeUtf8 } from '../base/files.ts';
import { errorText } from '../base/log.ts';
import { headline, isoDate, oneLine, tidyBody } from './fieldText.ts';

export { slugFor } from './slug.ts';

export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** What a new memory is made of. */
export interface NewRecord {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly type: MemoryType;
  /** Markdown. */
  readonly body: string;
  /** Who asked for it, kept in the front matter: `person` (a command), or `extraction`, `consolidation`. */
  readonly source?: string;
}

/** A memory as it stands on disk. */
export interface MemoryRecord extends NewRecord {
  /** File name in the store's folder, e.g. `user-preference-tabs.md`. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of the file's bytes, in hex. */
  readonly hash: string;
  readonly pinned: boolean;
  /** ISO dates, where the front matter has them. */
  readonly created?: string;
  readonly updated?: string;
  /** Time of the file's last change, milliseconds since 1970. */
  readonly modified: number;
}

/** A file in the folder that is not a readable memory. It is listed and left alone. */
export interface DamagedRecord {
  readonly file: string;
  readonly path: string;
  /** One sentence: what is wrong. */
  readonly problem: string;
}

/** What to change; what is left out stays. */
export interface RecordChanges {
  readonly name?: string;
  readonly description?: string;
  readonly type?: MemoryType;
  readonly body?: string;
  readonly pinned?: boolean;
}

/** A file that is not a readable memory, or values no memory may have. The message is one sentence. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

/** Characters. A description is one line of a list that stands in every prompt. */
export const MAX_DESCRIPTION = 150;
/** Characters. Several recalled records of this length still leave room for the work itself. */
export const MAX_BODY = 8_000;
/** Characters. Far above any real front matter; keeps hostile text away from the parsers' slow paths. */
const MAX_FRONT_MATTER = 10_000;
/** Enough for honest anchors, far from an expansion that fills the computer's memory. */
const MAX_ALIASES = 50;

/** Always passed: without options gray-matter shares results between calls, and it evaluates `---js`. */
const MATTER_OPTIONS = {
  language: 'yaml',
  engines: {
    yaml: readMapping,
    ...Object.fromEntries(
      ['javascript', 'js', 'json', 'coffee', 'coffeescript', 'cson', 'toml'].map((language) => [
        language,
        () => refuseLanguage(language),
      ]),
    ),
  },
};

/** Reads one file. Throws only RecordError. */
export function parseRecord(file: string, bytes: Uint8Array, modified: number): MemoryRecord {
  const { head, rest } = split(decode(bytes, file));
  const data = readData(head);
  const body = tidyBody(rest);
  const name = oneLine(data['name']) || path.parse(file).name;
  const source = oneLine(data['source']);
  const created = isoDate(data['created']);
  const updated = isoDate(data['updated']);
  return {
    file: path.basename(file),
    path: file,
    name,
    description: oneLine(data['description']) || headline(body) || name,
    type: readType(data['type']),
    body,
    pinned: data['pinned'] === true,
    hash: hashOf(bytes),
    modified,
    ...(source && { source }),
    ...(created && { created }),
    ...(updated && { updated }),
  };
}

/** The text of a new file. Throws RecordError when a field is missing or too long. */
export function printRecord(record: NewRecord, now: Date): string {
  const source = oneLine(record.source);
  const lines = [
    '---',
    `name: ${printScalar(checkName(record.name))}`,
    `description: ${printScalar(checkDescription(record.description))}`,
    `type: ${readType(record.type)}`,
    `created: ${now.toISOString()}`,
    ...(source ? [`source: ${printScalar(source)}`] : []),
    '---',
    '',
    checkBody(record.body),
    '',
  ];
  return lines.join('\n');
}

/**
 * The text with the changes made and `updated` set, or the same text when nothing differs. Limits hold for what
 * is changed, not for what stands. Throws RecordError.
 */
export function reviseRecord(text: string, changes: RecordChanges, now: Date): string {
  const { open, head, close, rest, lineEnd } = split(text);
  const data = readData(head);
  const edits: Record<string, string | boolean> = {};
  const differs = (key: 'name' | 'description' | 'type') =>
    changes[key] !== undefined && oneLine(changes[key]) !== oneLine(data[key]);
  if (differs('name')) edits['name'] = checkName(changes.name);
  if (differs('description')) edits['description'] = checkDescription(changes.description);
  if (differs('type')) edits['type'] = readType(changes.type);
  const { pinned } = changes;
  if (pinned !== undefined && pinned !== (data['pinned'] === true)) edits['pinned'] = pinned;
  const newBody = changes.body !== undefined && tidyBody(changes.body) !== tidyBody(rest);
  if (!newBody && Object.keys(edits).length === 0) return text;

  edits['updated'] = now.toISOString();
  const newHead = Object.entries(edits).reduce(
    (head, [key, value]) => setKey(head, key, printScalar(value), lineEnd),
    head,
  );
  checkEdit(newHead, { ...data, ...edits });
  if (!newBody) return open + newHead + close + rest;
  const body = `\n${checkBody(changes.body)}\n`.replaceAll('\n', lineEnd);
  return open + newHead + (close.endsWith('\n') ? close : close + lineEnd) + body;
}

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return decodeUtf8(bytes, file);
  } catch (error) {
    throw new RecordError('The file is not UTF-8 text.', { cause: error });
  }
}

/** The parts of a file, which joined give the text again. Only a whole line of `---` is a fence. */
function split(text: string) {
  const opening = /^\uFEFF?---([^\r\n]*)(\r?\n)/.exec(text);
  const label = opening?.[1]?.trim() ?? '';
  if (!opening || label.startsWith('-')) throw new RecordError('The file has no front matter.');
  if (label !== '' && !/^ya?ml$/i.test(label)) refuseLanguage(label);
  const [open] = opening;
  const inner = text.slice(open.length);
  const closing = /(^|\n)---([^\n]*)(?:\n|$)/.exec(inner);
  if (!closing) throw new RecordError('The front matter is not closed by a line of ---.');
  if (closing[2]?.trim() !== '')
    throw new RecordError('A line of the front matter starts with ---, which only closes it.');
  const headEnd = closing.index + (closing[1] ?? '').length;
  const closeEnd = closing.index + closing[0].length;
  if (headEnd > MAX_FRONT_MATTER)
    throw new RecordError(`The front matter has more than ${MAX_FRONT_MATTER} characters.`);
  return {
    open,
    head: inner.slice(0, headEnd),
    close: inner.slice(headEnd, closeEnd),
    rest: inner.slice(closeEnd),
    lineEnd: opening[2] ?? '\n',
  };
}

function refuseLanguage(language: string): never {
  throw new RecordError(
    `The front matter is written in "${language.slice(0, 20)}", and only YAML is read.`,
  );
}

function readData(head: string): Record<string, unknown> {
  try {
    // The added line end is the one gray-matter takes away; a block scalar at the end keeps its own.
    return matter(`---\n${head}\n---\n`, MATTER_OPTIONS).data;
  } catch (error) {
    if (error instanceof RecordError) throw error;
    throw new RecordError(`The front matter cannot be read: ${errorText(error)}`, { cause: error });
  }
}

/** The YAML engine of gray-matter. */
function readMapping(source: string): object {
  const data: unknown = readDocument(source).toJS({ maxAliasCount: MAX_ALIASES });
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  throw new RecordError('The front matter is not made of `key: value` lines.');
}

/** YAML 1.2 core: dates stay the text they are, and no tag can make anything but plain values. */
function readDocument(source: string): Document {
  const document = parseDocument(source, { schema: 'core', uniqueKeys: true, stringKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (!problem) return document;
  const reason = problem.message.split('\n')[0]?.replace(/:$/, '');
  throw new RecordError(`The front matter is not valid YAML: ${reason}.`, { cause: problem });
}

/** Replaces the value of a key where it stands, or adds a line at the end. */
function setKey(head: string, key: string, printed: string, lineEnd: string): string {
  const { contents } = readDocument(head);
  if (!isMap(contents)) throw notEditable();
  const pair = contents.items.find(({ key: node }) => isScalar(node) && node.value === key);
  if (!pair) return `${head}${key}: ${printed}${lineEnd}`;
  if (!isNode(pair.value) || !pair.value.range) throw notEditable();
  const [start, end] = pair.value.range;
  const after = head.slice(end);
  const gap = /\s/.test(head.charAt(start - 1)) ? '' : ' ';
  const tail = head.slice(start, end).endsWith('\n') ? lineEnd : after.startsWith('#') ? ' ' : '';
  return head.slice(0, start) + gap + printed + tail + after;
}

/** The edit works on lines. Reading it back proves that YAML understands it as meant, whatever the style. */
function checkEdit(head: string, wanted: Record<string, unknown>): void {
  try {
    if (isDeepStrictEqual(readData(head), wanted)) return;
  } catch (error) {
    throw notEditable(error);
  }
  throw notEditable();
}

function notEditable(cause?: unknown): RecordError {
  return new RecordError('The front matter has a style that only a person can edit.', { cause });
}

/** Quoted where a reader of any YAML version would take the text for something else. */
function printScalar(value: string | boolean): string {
  if (typeof value === 'string' && isoDate(value) === value) return value;
  return stringify(value, { schema: 'core', compat: 'yaml-1.1', lineWidth: 0 }).trimEnd();
}

function checkName(name: string | undefined): string {
  return oneLine(name) || missing('name');
}

function checkDescription(description: string | undefined): string {
  const line = oneLine(description) || missing('description');
  return withinLimit('description', line, MAX_DESCRIPTION);
}

function checkBody(body: string | undefined): string {
  return withinLimit('text', tidyBody(body ?? '') || missing('text'), MAX_BODY);
}

function missing(field: string): never {
  throw new RecordError(`A memory needs a ${field}.`);
}

function withinLimit(field: string, text: string, limit: number): string {
  const { length } = Array.from(text);
  if (length <= limit) return text;
  throw new RecordError(`The ${field} has ${length} characters; at most ${limit} are allowed.`);
}

function readType(value: unknown): MemoryType {
  const text = oneLine(value).toLowerCase();
  const type = MEMORY_TYPES.find((type) => type === text);
  if (type) return type;
  const choice = `it must be one of ${MEMORY_TYPES.join(', ')}`;
  throw new RecordError(
    text
      ? `The type "${text.slice(0, 30)}" is unknown; ${choice}.`
      : `There is no type; ${choice}.`,
  );
}
