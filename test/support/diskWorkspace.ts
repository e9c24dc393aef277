// A workspace over the disk alone, with no editor.

import path from 'node:path';
import { decodeText, type Workspace } from '../../src/agent/workspace.ts';
import { realPathInside } from '../../src/base/containment.ts';
import { makeFolder, readBytesIfPresent, writeFileAtomically } from '../../src/base/files.ts';

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
