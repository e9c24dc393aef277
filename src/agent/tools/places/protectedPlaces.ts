// What in a workspace no tool writes, since others live by it: memories, archives and what git keeps. Looked at as
// written and with links resolved, and whatever the case, since many disks do not know one.

import path from 'node:path';
import { isInside, realPathInside } from '../../../base/containment.ts';
import { archiveFolders } from '../../../context/archive.ts';
import { MEMORY_FOLDER } from '../../../memory/store.ts';
import type { Workspace } from '../../workspace.ts';

const MEMORIES = 'Memories are saved by themselves after the turn; do not write them.';
const ARCHIVES =
  'What is archived is kept as it was said and done; do not write there. Choose another folder.';
/** A hook or a setting in there would be run by the next git command, whoever gives it. */
const GIT = 'Files of .git are written by git alone. Run the git command with bash.';

/** Some disks leave them out of a name, so that it is another one than it seems. */
const LEFT_OUT_OF_NAMES = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Why nothing may be written at a place, in a sentence, or undefined. */
export async function writeProblem(
  { folders }: Workspace,
  absolute: string,
): Promise<string | undefined> {
  for (const folder of folders) {
    const named = problemBelow(folder, absolute);
    if (named !== undefined) return named;
    const root = await realPathInside([folder], folder);
    const real = await realPathInside([folder], absolute);
    if (root === undefined || real === undefined) continue;
    const problem = problemBelow(root, real);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemBelow(folder: string, absolute: string): string | undefined {
  if (!isInside(folder, absolute)) return undefined;
  const names = path.relative(folder, absolute).split(path.sep).map(plain);
  if (names.includes(MEMORY_FOLDER)) return MEMORIES;
  if (names.includes('.git')) return GIT;
  const archives = archiveFolders(folder).map((archive) => path.basename(archive));
  return archives.some((archive) => archive === names[0]) ? ARCHIVES : undefined;
}

function plain(name: string): string {
  return name.replaceAll(LEFT_OUT_OF_NAMES, '').toLowerCase();
}
