// Where Claude Code keeps what it learned about a project: below the home folder, in a folder whose name is made
// of the project's path.

import path from 'node:path';
import { realPathInside } from '../../base/containment.ts';
import { listFolder } from '../../base/files.ts';
import { repositoryTop } from '../../base/repositoryTop.ts';

/** A longer name is cut here, and something that tells such names apart follows. */
const MAX_NAME = 200;

/** The folders there may be memories in, for the folder itself and for the repository it lies in. */
export async function claudeMemoryFolders(
  folder: string,
  home: string,
): Promise<readonly string[]> {
  const projects = path.join(home, '.claude', 'projects');
  const names = (await listFolder(projects)).map(({ name }) => name);
  const wanted = new Set((await projectPaths(folder)).map(nameKey));
  return names
    .filter((name) => wanted.has(nameKey(name)))
    .toSorted()
    .map((name) => path.join(projects, name, 'memory'));
}

/** With links followed too: which of both the name was made of depends on how the project was opened. */
async function projectPaths(folder: string): Promise<readonly string[]> {
  const real = (await realPathInside([folder], folder)) ?? folder;
  const tops = [await repositoryTop(folder), await repositoryTop(real)];
  return [folder, real, ...tops.filter((top) => top !== undefined)];
}

/** Without case: the editor writes the letter of a drive small, others write it large. */
function nameKey(pathOrName: string): string {
  return pathOrName
    .replaceAll(/[^a-zA-Z0-9]/g, '-')
    .slice(0, MAX_NAME)
    .toLowerCase();
}
