// From a path a model wrote to a place in the workspace. Nothing outside the workspace folders (and, for
// reading, the archives) ever passes, links resolved; each refusal says what to write instead.

import path from 'node:path';
import { isInside, realPathInside } from '../../../base/containment.ts';
import { hasCode } from '../../../base/errorCode.ts';
import { infoIfPresent, type FileInfo } from '../../../base/files.ts';
import type { Workspace } from '../../workspace.ts';
import { filledText } from '../declareTool.ts';
import { newNameProblem, pathProblem, printable, quoted } from './pathProblem.ts';
import { writeProblem } from './protectedPlaces.ts';
import { asSpelled } from './spelling.ts';

export interface Place {
  /** Absolute, links not resolved: the editor knows its documents by this path. */
  readonly absolute: string;
  /** The same with links resolved. */
  readonly real: string;
  /** As results name it, and as a later call can give it back: relative to the first folder where possible. */
  readonly shown: string;
  /** What stands there now, if anything. */
  readonly info: FileInfo | undefined;
}

export const filePathInput = filledText(
  'The file, relative to the workspace folder, or absolute inside it.',
);

export async function placeToRead(workspace: Workspace, written: string): Promise<Place> {
  return place(workspace, written, [...workspace.folders, ...workspace.readable]);
}

/** For a file that is to be changed, or made; its folders need not be there yet. */
export async function placeToWrite(workspace: Workspace, written: string): Promise<Place> {
  const found = await place(workspace, written, workspace.folders);
  const problem =
    (await writeProblem(workspace, found.absolute)) ??
    (found.info ? undefined : await newFileProblem(found.absolute));
  if (problem !== undefined) throw new Error(problem);
  return found;
}

/** A path as results name it. */
export function shownPath(workspace: Workspace, absolute: string): string {
  const first = workspace.folders[0];
  if (first === undefined || !isInside(first, absolute)) return printable(absolute);
  return printable(path.relative(first, absolute).replaceAll(path.sep, '/')) || '.';
}

/** The first workspace folder. Throws when there is none. */
export function workingFolder(workspace: Workspace): string {
  const first = workspace.folders[0];
  if (first === undefined) throw new Error('No folder is open, so there are no files to work on.');
  return first;
}

/** The workspace folder a place lies in, whose .gitignore counts there. Undefined for an archive. */
export function folderOf(workspace: Workspace, absolute: string): string | undefined {
  if (workspace.readable.some((folder) => isInside(folder, absolute))) return undefined;
  return workspace.folders.find((folder) => isInside(folder, absolute));
}

async function place(
  workspace: Workspace,
  written: string,
  allowed: readonly string[],
): Promise<Place> {
  const first = workingFolder(workspace);
  const problem = pathProblem(written, process.platform, allowed);
  if (problem !== undefined) throw new Error(problem);
  const named = await looking(written, asSpelled(allowed, path.resolve(first, written)));
  const real = await looking(written, realPathInside(allowed, named));
  if (real === undefined) {
    const folders = workspace.folders.join(' or ');
    throw new Error(`${quoted(written)} is outside the workspace. Paths must lie in ${folders}.`);
  }
  const absolute = await belowFolder(allowed, named, real);
  const info = await looking(written, infoIfPresent(absolute));
  return { absolute, real, shown: shownPath(workspace, absolute), info };
}

/**
 * A path by which the folders of the workspace are not known is one with their links resolved, as a shell prints it.
 * The editor, and what git ignores, go by the folder as it was opened.
 */
async function belowFolder(
  folders: readonly string[],
  named: string,
  real: string,
): Promise<string> {
  if (folders.some((folder) => isInside(folder, named))) return named;
  for (const folder of folders) {
    const root = await realPathInside([folder], folder);
    if (root !== undefined && isInside(root, real)) {
      return path.join(folder, path.relative(root, real));
    }
  }
  return named;
}

/** Why the system cannot even say what stands at a path, for a model. */
async function looking<T>(written: string, look: Promise<T>): Promise<T> {
  try {
    return await look;
  } catch (error) {
    const reason = LOOK_PROBLEMS.find(([code]) => hasCode(error, code))?.[1];
    if (reason === undefined) throw error;
    throw new Error(`${quoted(written)} ${reason}`, { cause: error });
  }
}

const LOOK_PROBLEMS: readonly (readonly [code: string, reason: string])[] = [
  ['ELOOP', 'leads through links in a circle. Choose another path.'],
  ['EACCES', 'lies in a folder that may not be entered. Choose another path.'],
  ['EPERM', 'lies in a folder that may not be entered. Choose another path.'],
  ['ENAMETOOLONG', 'is too long for a path.'],
];

/** What keeps a file from being made, in a sentence. */
async function newFileProblem(absolute: string): Promise<string | undefined> {
  let above = path.dirname(absolute);
  let info = await infoIfPresent(above);
  while (!info && path.dirname(above) !== above) {
    above = path.dirname(above);
    info = await infoIfPresent(above);
  }
  if (info && info.kind !== 'folder') {
    return `${quoted(path.basename(above))} is a file, so nothing can be in it.`;
  }
  return newNameProblem(path.relative(above, absolute).split(path.sep));
}
