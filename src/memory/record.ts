// One memory: a Markdown file with YAML front matter (name, description, type) and a body.
// Parsing never runs code from a file; writing keeps what the person wrote and changes only what it must.

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

/** Reads one file. Throws only RecordError. */
export function parseRecord(path: string, bytes: Uint8Array, modified: number): MemoryRecord {
  throw new RecordError(`Not written yet: ${path} ${bytes.length} ${modified}`);
}

/** The text of a new file. Throws RecordError when a field is missing or too long. */
export function printRecord(record: NewRecord, now: Date): string {
  throw new RecordError(`Not written yet: ${record.name} ${now.toISOString()}`);
}

/** The text with the changes made and `updated` set; the same text when nothing differs. */
export function reviseRecord(text: string, changes: RecordChanges, now: Date): string {
  throw new RecordError(
    `Not written yet: ${text.length} ${changes.name ?? ''} ${now.toISOString()}`,
  );
}

/** The file name, without `.md`, that a memory's name leads to. */
export function slugFor(name: string): string {
  return name;
}

/** The record's line in MEMORY.md. */
export function indexLine(record: MemoryRecord): string {
  return `- [${record.name}](${record.file}) — ${record.description} [${record.type}]`;
}

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array): string {
  return String(bytes.length);
}
