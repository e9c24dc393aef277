// From a path a model wrote to a place in the workspace. Nothing outside the workspace folders (and, for
// reading, the archives) ever passes, links resolved; each refusal says what to write instead.

import path from 'node:path';
import { isInside, realPathInside } from '../../base/containment.ts';
import { infoIfPresent, type FileInfo } from '../../base/files.ts';
import { MEMORY_FOLDER } from '../../memory/store.ts';
import type { Workspace } from '../workspace.ts';
import { filledText } from './declareTool.ts';

export interface Place {
  /** Absolute, links not resolved: the editor knows its documents by this path. */
  readonly absolute: string;
  /** As results name it, and as a later call can give it back: relative to the first folder where possible. */
  readonly shown: string;
  /** What stands there now, if anything. */
  readonly info: FileInfo | undefined;
}

export const filePathInput = filledText(
  'The file, relative to the workspace folder, or absolute inside it.',
);

/** Control characters, line ends, and marks that turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

export async function placeToRead(workspace: Workspace, written: string): Promise<Place> {
  return place(workspace, written, [...workspace.folders, ...workspace.readable]);
}

export async function placeToWrite(workspace: Workspace, written: string): Promise<Place> {
  const found = await place(workspace, written, workspace.folders);
  if (await liesInMemories(workspace, found.absolute)) {
    throw new Error('Memories are saved by themselves after the turn; do not write them.');
  }
  return found;
}

/** A path as results name it. */
export function shownPath(workspace: Workspace, absolute: string): string {
  const first = workspace.folders[0];
  if (first === undefined || !isInside(first, absolute)) return printable(absolute);
  return printable(path.relative(first, absolute).replaceAll(path.sep, '/')) || '.';
}

/** A name on one line, whatever it holds: a line break in it could pass for a further line of a result. */
export function printable(name: string): string {
  return name.replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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

/** What is wrong with a path as text, in a sentence, whatever stands there. */
export function pathProblem(written: string, platform: NodeJS.Platform): string | undefined {
  const segments = written.split(platform === 'win32' ? /[\\/]/ : '/');
  if (written.includes('\0')) return 'The path holds a NUL character.';
  if (segments.includes('..')) {
    return `"${written}" holds "..". Write the path from the workspace folder down.`;
  }
  if (segments[0] === '~') return `"${written}" starts with "~", which is not a workspace folder.`;
  if (platform !== 'win32') return undefined;
  const odd = segments.find(
    (segment, index) =>
      DEVICE_NAME.test(segment) ||
      // "name:stream" is a hidden part of a file; a trailing dot or space is dropped by the system.
      (segment.includes(':') && !(index === 0 && /^[a-z]:$/i.test(segment))) ||
      (segment !== '.' && /[. ]$/.test(segment)),
  );
  return odd === undefined ? undefined : `"${odd}" is not a file name that Windows can have.`;
}

/**
 * The store alone may write memories, since a bad one would speak in every later session. Looked at as written and
 * with links resolved, and whatever the case, since many disks do not know one.
 */
async function liesInMemories({ folders }: Workspace, absolute: string): Promise<boolean> {
  for (const folder of folders) {
    if (namesMemories(folder, absolute)) return true;
    const root = await realPathInside([folder], folder);
    const real = await realPathInside([folder], absolute);
    if (root !== undefined && real !== undefined && namesMemories(root, real)) return true;
  }
  return false;
}

function namesMemories(folder: string, absolute: string): boolean {
  if (!isInside(folder, absolute)) return false;
  const names = path.relative(folder, absolute).split(path.sep);
  return names.some((name) => name.toLowerCase() === MEMORY_FOLDER);
}

async function place(
  workspace: Workspace,
  written: string,
  allowed: readonly string[],
): Promise<Place> {
  const first = workingFolder(workspace);
  const problem = pathProblem(written, process.platform);
  if (problem !== undefined) throw new Error(problem);
  const absolute = path.resolve(first, written);
  if ((await realPathInside(allowed, absolute)) === undefined) {
    throw new Error(
      `"${written}" is outside the workspace. Paths must lie in ${workspace.folders.join(' or ')}.`,
    );
  }
  const info = await infoIfPresent(absolute);
  // Elsewhere such a name is legal, and old projects have it; none is made, since Windows could not check it out.
  const device = path.basename(absolute);
  if (info === undefined && absolute.split(path.sep).some((name) => DEVICE_NAME.test(name))) {
    throw new Error(`"${device}" is a device name on Windows. Choose another name.`);
  }
  return { absolute, shown: shownPath(workspace, absolute), info };
}
