// Finds the repository that a folder lies in, without asking git.

import path from 'node:path';
import { infoIfPresent } from './files.ts';

/** The nearest folder at or above this one that is the top of a repository; undefined when there is none. */
export async function repositoryTop(folder: string): Promise<string | undefined> {
  // A file in a worktree, a folder elsewhere.
  if (await infoIfPresent(path.join(folder, '.git'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : repositoryTop(parent);
}
