// The files of a person's workspace as the agent's tools see them. `src/vscode` implements it over the editor.
// What is text and what is not is decided here, for every implementation.

import path from 'node:path';
import { decodeUtf8 } from '../base/decodeUtf8.ts';
import { errorText } from '../base/log.ts';

export interface Workspace {
  /** Absolute paths of the workspace folders. The first is the working folder. */
  readonly folders: readonly string[];
  /** Folders outside that the agent may read (archives). */
  readonly readable: readonly string[];
  /**
   * The text as the person sees it: an open unsaved document wins over the disk. Its byte order mark belongs to the
   * encoding and is left out. Undefined when there is no such file. Throws a NotTextError when it is binary or not in
   * its encoding.
   */
  readText(file: string): Promise<string | undefined>;
  /** The texts of open documents with changes that are not saved, by path: what is searched in place of the disk. */
  unsavedTexts(): ReadonlyMap<string, string>;
  /**
   * Throws what would keep a text from being written: a character that the encoding of the file cannot hold, or unsaved
   * changes that the text would not have in it.
   */
  refuseUnwritable(file: string, text: string): Promise<void>;
  /**
   * Creates or replaces the file through the editor, in the encoding that it has; missing folders are made. Throws,
   * and writes nothing, when the file does not read as `before` any more, or when its encoding cannot hold the text.
   */
  writeText(file: string, change: TextChange): Promise<Written>;
}

export interface TextChange {
  /** Undefined for a file that is not there yet. */
  readonly before: string | undefined;
  readonly after: string;
}

export interface Written {
  /** As `readText` gives it now: saving may have changed it further, as a formatter does. */
  readonly text: string;
  /** The person had edited it without saving, and their edits were saved with it. */
  readonly savedEdits: boolean;
}

/** Where git looks for a NUL byte before it calls a file binary. */
const BINARY_PROBE_BYTES = 8_000;

export class NotTextError extends Error {
  override readonly name = 'NotTextError';
}

/** What a write throws that would undo what somebody else has just written. */
export function changedMeanwhile(file: string): Error {
  return new Error(
    `${path.basename(file)} changed while it was being written, so nothing was. Read it again.`,
  );
}

/** The text in a file's bytes without its mark. Throws a NotTextError when they are neither UTF-8 nor marked UTF-16. */
export function decodeText(bytes: Uint8Array, file: string): string {
  const utf16 = UTF_16.find(({ mark }) => startsWith(bytes, mark));
  if (utf16) return decodeUtf16(bytes, utf16.name, file);
  refuseBinary(bytes, file);
  try {
    return decodeUtf8(bytes, file).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new NotTextError(errorText(error), { cause: error });
  }
}

/** Throws a NotTextError for bytes that are no text in any encoding but UTF-16. */
export function refuseBinary(bytes: Uint8Array, file: string): void {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) throw binary(file);
}

/** Whether a file says by its first bytes how it is encoded. */
export function isMarked(bytes: Uint8Array): boolean {
  return MARKS.some((mark) => startsWith(bytes, mark));
}

/** Only with its mark: without, its zeros look like those of any binary file. */
const UTF_16 = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
] as const;
const MARKS: readonly (readonly number[])[] = [
  [0xef, 0xbb, 0xbf],
  ...UTF_16.map(({ mark }) => mark),
];

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function decodeUtf16(bytes: Uint8Array, name: string, file: string): string {
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    throw new NotTextError(`${path.basename(file)} is not UTF-16 text.`, { cause: error });
  }
  throw binary(file);
}

function binary(file: string): NotTextError {
  return new NotTextError(`${path.basename(file)} is binary, not text.`);
}
