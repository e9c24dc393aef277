// One memory: a Markdown file with YAML front matter (name, description, type) and a body.
// Says what a memory must have; how the file is read and edited without loss is in frontMatter.ts.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { decodeUtf8 } from '../base/decodeUtf8.ts';
import { sentence, type Said, type Sentence } from '../base/sentence.ts';
import { headline, isoDate, isoDeadline, oneLine, tidyBody } from './fieldText.ts';
import { editMarkdown, printScalar, readMarkdown, RecordError } from './frontMatter.ts';
import { withoutHidden } from './hiddenText.ts';
import { slugFor } from './slug.ts';

export { RecordError } from './frontMatter.ts';
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
  /**
   * Who wrote its text, kept in the front matter: `person` (by a command), `extraction`,
   * `consolidation`, `import`, or `agent`: another one of the editor, with the person's consent.
   */
  readonly source?: string;
  /** Kept at the top of the index, and changed by nobody but the person. */
  readonly pinned?: boolean;
  /** ISO date after which it is no longer true, where a person gave one. A day stands as its last moment in UTC. */
  readonly expires?: string;
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
  readonly problem: Said;
  /** It is the folder, and no file in it. */
  readonly isFolder?: true;
}

/** What to change; what is left out stays. */
export interface RecordChanges {
  readonly name?: string;
  readonly description?: string;
  readonly type?: MemoryType;
  readonly body?: string;
  readonly pinned?: boolean;
  /** As in a new record. */
  readonly expires?: string;
  /** Who makes the change; set only when there is one. */
  readonly source?: string;
}

/** Characters. More than any file name takes, and little enough for the front matter to be read again. */
const MAX_NAME = 1_000;
/** Characters. A description is one line of a list that stands in every prompt. */
export const MAX_DESCRIPTION = 150;
/** Characters. Several recalled records of this length still leave room for the work itself. */
export const MAX_BODY = 8_000;

/** Reads one file, without what a person cannot see in it, such as a repository may ship. Throws only RecordError. */
export function parseRecord(file: string, bytes: Uint8Array, modified: number): MemoryRecord {
  const { data, rest } = readMarkdown(decode(bytes, file));
  const body = seenBody(rest);
  const stem = path.parse(file).name;
  const name = seenLine(data['name']) || seenLine(stem) || slugFor(stem);
  const source = oneLine(data['source']);
  const created = isoDate(data['created']);
  const updated = isoDate(data['updated']);
  const expires = isoDeadline(data['expires']);
  return {
    file: path.basename(file),
    path: file,
    name,
    description: seenLine(data['description']) || cut(headline(body), MAX_DESCRIPTION) || name,
    type: readType(toldType(data)),
    body,
    pinned: data['pinned'] === true,
    hash: hashOf(bytes),
    modified,
    ...(source && { source }),
    ...(created && { created }),
    ...(updated && { updated }),
    ...(expires && { expires }),
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
    ...(record.pinned ? ['pinned: true'] : []),
    ...(record.expires === undefined ? [] : [`expires: ${printScalar(record.expires)}`]),
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
  const file = readMarkdown(text);
  const { data } = file;
  const edits: Record<string, string | boolean> = {};
  const differs = (key: 'name' | 'description' | 'source') =>
    changes[key] !== undefined && seenLine(changes[key]) !== seenLine(data[key]);
  if (differs('name')) edits['name'] = checkName(changes.name);
  if (differs('description')) edits['description'] = checkDescription(changes.description);
  const { type, pinned } = changes;
  if (type !== undefined && type !== oneLine(toldType(data)).toLowerCase())
    edits['type'] = readType(type);
  if (pinned !== undefined && pinned !== (data['pinned'] === true)) edits['pinned'] = pinned;
  const { expires } = changes;
  if (expires !== undefined && isoDeadline(expires) !== isoDeadline(data['expires']))
    edits['expires'] = expires;
  const newBody = changes.body !== undefined && seenBody(changes.body) !== seenBody(file.rest);
  if (!newBody && Object.keys(edits).length === 0) return text;

  if (differs('source')) edits['source'] = oneLine(changes.source);
  edits['updated'] = now.toISOString();
  return editMarkdown(file, edits, newBody ? checkBody(changes.body) : undefined);
}

/** The type as the front matter has it: at the top, else where newer versions of Claude Code write it, below `metadata`. */
export function toldType({ type, metadata }: Readonly<Record<string, unknown>>): unknown {
  if (oneLine(type) !== '') return type;
  const isMap = typeof metadata === 'object' && metadata !== null;
  return isMap && 'type' in metadata ? metadata.type : undefined;
}

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return decodeUtf8(bytes, file);
  } catch (error) {
    throw new RecordError(sentence`The file is not UTF-8 text.`, { cause: error });
  }
}

/** What a model is told and a person sees are the same. */
function seenLine(value: unknown): string {
  return oneLine(withoutHidden(oneLine(value)));
}

function seenBody(text: string): string {
  return tidyBody(withoutHidden(text));
}

function checkName(name: string | undefined): string {
  return withinLimit('name', seenLine(name) || missing('name'), MAX_NAME);
}

function checkDescription(description: string | undefined): string {
  const line = seenLine(description) || missing('description');
  return withinLimit('description', line, MAX_DESCRIPTION);
}

function checkBody(body: string | undefined): string {
  return withinLimit('text', seenBody(body ?? '') || missing('text'), MAX_BODY);
}

type Field = 'name' | 'description' | 'text';

function missing(field: Field): never {
  throw new RecordError(MISSING[field]);
}

const MISSING: Readonly<Record<Field, Sentence>> = {
  name: sentence`A memory needs a name.`,
  description: sentence`A memory needs a description.`,
  text: sentence`A memory needs a text.`,
};

function withinLimit(field: Field, text: string, limit: number): string {
  const { length } = Array.from(text);
  if (length <= limit) return text;
  throw new RecordError(tooLong(field, length, limit));
}

function tooLong(field: Field, length: number, limit: number): Sentence {
  switch (field) {
    case 'name':
      return sentence`The name has ${length} characters; at most ${limit} are allowed.`;
    case 'description':
      return sentence`The description has ${length} characters; at most ${limit} are allowed.`;
    case 'text':
      return sentence`The text has ${length} characters; at most ${limit} are allowed.`;
  }
}

function cut(text: string, limit: number): string {
  // A character takes two units at most.
  return Array.from(text.slice(0, 2 * limit))
    .slice(0, limit)
    .join('')
    .trimEnd();
}

function readType(value: unknown): MemoryType {
  const text = oneLine(value).toLowerCase();
  const type = MEMORY_TYPES.find((type) => type === text);
  if (type) return type;
  const types = MEMORY_TYPES.join(', ');
  throw new RecordError(
    text
      ? sentence`The type "${text.slice(0, 30)}" is unknown; it must be one of ${types}.`
      : sentence`There is no type; it must be one of ${types}.`,
  );
}
