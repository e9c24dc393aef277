// The files of a person's workspace as the agent's tools see them. `src/vscode` implements it over the editor;
// the implementation here is for a disk with no editor, and for tests.

import path from 'node:path';
import {
  decodeUtf8,
  makeFolder,
  readBytesIfPresent,
  realPathInside,
  writeFileAtomically,
} from '../base/files.ts';
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
/** As an editor would make it; the system takes away what the person's mask forbids. */
const NEW_FILE_MODE = 0o666;

export function diskWorkspace(
  folders: readonly string[],
  readable: readonly string[] = [],
): Workspace {
  return {
    folders,
    readable,
    async readText(file) {
      const bytes = await readBytesIfPresent(file);
      return bytes === undefined ? undefined : decodeText(bytes, file);
    },
    async writeText(file, text) {
      // The real path, since an atomic write would put a plain file in the place of a link.
      const real = await realPathInside(folders, file);
      if (real === undefined) throw new Error(`${file} is outside the workspace.`);
      await makeFolder(path.dirname(real));
      await writeFileAtomically(real, text, NEW_FILE_MODE);
    },
  };
}

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
