// The programs that names stand for, as the shell finds them: none of them may be a file of the workspace.

import path from 'node:path';
import { realPathInside } from '../../../base/containment.ts';
import { hasCode } from '../../../base/errorCode.ts';
import { realPathIfPresent } from '../../../base/files.ts';

/** Whether no name of a program could stand for a file in `folders`, wherever the shell looks. */
export async function findsProgramsOutside(
  env: NodeJS.ProcessEnv,
  folders: readonly string[],
): Promise<boolean> {
  for (const place of placesOf(env)) {
    if (!path.isAbsolute(place) || (await isOfWorkspace(place, folders))) return false;
  }
  return true;
}

/** Whether it is one of a small system, where all programs are the same file. */
export async function isOfSmallSystem(name: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  for (const place of placesOf(env)) {
    const file = await realPathIfPresent(path.join(place, name));
    if (file !== undefined) return /^(busybox|toybox)/.test(path.basename(file));
  }
  return false;
}

function placesOf(env: NodeJS.ProcessEnv): readonly string[] {
  return (env['PATH'] ?? '').split(path.delimiter);
}

async function isOfWorkspace(place: string, folders: readonly string[]): Promise<boolean> {
  try {
    return (await realPathInside(folders, place)) !== undefined;
  } catch (error) {
    // The shell finds nothing either where this user may not look.
    if (hasCode(error, 'EACCES')) return false;
    throw error;
  }
}
