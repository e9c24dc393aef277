// A workspace over the disk alone, with no editor.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import { changedMeanwhile, decodeText, type Workspace } from '../../src/agent/workspace.ts';
import { realPathInside } from '../../src/base/containment.ts';
import { makeFolder, readBytesIfPresent, writeFileAtomically } from '../../src/base/files.ts';

const MARK = '\uFEFF';

export function diskWorkspace(
  folders: readonly string[],
  readable: readonly string[] = [],
): Workspace {
  const readText = async (file: string) => {
    const bytes = await readBytesIfPresent(file);
    return bytes === undefined ? undefined : decodeText(bytes, file);
  };
  return {
    folders,
    readable,
    readText,
    unsavedTexts: () => new Map(),
    // UTF-8 holds all.
    refuseUnwritable: () => Promise.resolve(),
    async writeText(file, { before, after }) {
      // The real path, since an atomic write would put a plain file in the place of a link.
      const real = await realPathInside(folders, file);
      if (real === undefined) throw new Error(`${file} is outside the workspace.`);
      if ((await readText(file)) !== before) throw changedMeanwhile(file);
      await makeFolder(path.dirname(real));
      // A new one as an editor makes it: with the mode that the person's mask leaves.
      if (before === undefined) await fs.writeFile(real, after);
      else await writeFileAtomically(real, ((await isMarked(real)) ? MARK : '') + after);
      return { text: after, savedEdits: false };
    },
  };
}

async function isMarked(file: string): Promise<boolean> {
  return (await fs.readFile(file, 'utf8')).startsWith(MARK);
}
