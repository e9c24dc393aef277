// A workspace over the disk alone, with no editor.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import { decodeText, type Workspace } from '../../src/agent/workspace.ts';
import { realPathInside } from '../../src/base/containment.ts';
import {
  kindIfPresent,
  makeFolder,
  readBytesIfPresent,
  writeFileAtomically,
} from '../../src/base/files.ts';

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
      // A new one as an editor makes it: with the mode that the person's mask leaves.
      if ((await kindIfPresent(real)) === undefined) await fs.writeFile(real, text);
      else await writeFileAtomically(real, text);
    },
  };
}
