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
   * The text as the person sees it: an open unsaved document wins over the disk. Undefined when there is no
   * such file. Throws a NotTextError when it is binary or not UTF-8.
   */
  readText(file: string): Promise<string | undefined>;
  /** Creates or replaces the file through the editor; missing folders are made. */
  writeText(file: string, text: string): Promise<void>;
}

/** Where git looks for a NUL byte before it calls a file binary. */
const BINARY_PROBE_BYTES = 8_000;

export class NotTextError extends Error {
  override readonly name = 'NotTextError';
}

/** The text in a file's bytes, a byte order mark kept. Throws a NotTextError when they are binary or not UTF-8. */
export function decodeText(bytes: Uint8Array, file: string): string {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    throw new NotTextError(`${path.basename(file)} is binary, not text.`);
  }
  try {
    return decodeUtf8(bytes, file);
  } catch (error) {
    throw new NotTextError(errorText(error), { cause: error });
  }
}
