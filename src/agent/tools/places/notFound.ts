// What to tell of a path that is not there, with the files it may have meant.

import path from 'node:path';
import { kindIfPresent, listFolder } from '../../../base/files.ts';
import { walk } from '../../../base/walk.ts';
import type { Workspace } from '../../workspace.ts';
import { folderOf, shownPath, workingFolder, type Place } from './paths.ts';

const MAX_NAMES = 5;
/** A look around, not a search: enough for most projects, and quick in the largest. */
const MAX_FILES_SEEN = 20_000;

/** For the model: why a file cannot be read, and what to try. */
export async function notFound(
  workspace: Workspace,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  return `There is no file ${place.shown}. ${await whatElse(workspace, place, signal)}`;
}

/** What to try in place of a path that is not there. */
export async function whatElse(
  workspace: Workspace,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  const names = await nearestNames(workspace, place.absolute, signal);
  return names.length > 0 ? `Did you mean ${names.join(', ')}?` : 'Use glob to find the file.';
}

/** Up to five existing files or folders with the same or a similar name, likeliest first, as results name them. */
async function nearestNames(
  workspace: Workspace,
  absolute: string,
  signal: AbortSignal,
): Promise<string[]> {
  const candidates = new Map<string, number>();
  const consider = (there: string, wanted: string, isNear: boolean) => {
    const distance = distanceOf(path.basename(there), path.basename(wanted), isNear);
    if (distance === undefined) return;
    // What is missing below a folder is looked for below the one that it may have meant.
    const meant = path.join(there, path.relative(wanted, absolute));
    candidates.set(shownPath(workspace, meant), isNear ? distance - 0.5 : distance);
  };
  // The folder itself first, since the walk leaves out what git ignores.
  const missing = await firstMissing(absolute);
  const parent = path.dirname(missing);
  for (const entry of await listFolder(parent)) {
    const there = path.join(parent, entry.name);
    if (
      missing === absolute ||
      (await kindIfPresent(path.join(there, path.relative(missing, absolute))))
    )
      consider(there, missing, true);
  }
  const folders = new Set<string>();
  for await (const there of filesAround(workspace, absolute, signal)) {
    if (path.dirname(there) !== parent) consider(there, absolute, false);
    folders.add(path.dirname(there));
  }
  for (const there of folders) if (path.dirname(there) !== parent) consider(there, absolute, false);
  return [...candidates]
    .toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}

/** Files of the workspace folder that a path lies in, then of the others, whose name it may begin with. */
async function* filesAround(
  workspace: Workspace,
  absolute: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const first = folderOf(workspace, absolute) ?? workingFolder(workspace);
  let seen = 0;
  for (const top of new Set([first, ...workspace.folders])) {
    for await (const file of walk({ folder: top, rulesFrom: top }, signal)) {
      if (seen >= MAX_FILES_SEEN) return;
      seen += 1;
      yield path.join(top, file);
    }
  }
}

/** The topmost part of a path that is not there. */
async function firstMissing(absolute: string): Promise<string> {
  const parent = path.dirname(absolute);
  return parent === absolute || (await kindIfPresent(parent)) ? absolute : firstMissing(parent);
}

/** How far a name is from the one that was wanted, or undefined when it is another. */
function distanceOf(name: string, wanted: string, isNear: boolean): number | undefined {
  const [there, meant] = [name.toLowerCase(), asName(wanted).toLowerCase()];
  if (there === meant) return 0;
  // Elsewhere only the very name counts: a slip of the fingers stays in the folder that was meant.
  if (!isNear) return undefined;
  const most = Math.max(2, Math.floor(meant.length / 4));
  if (Math.abs(there.length - meant.length) > most) return undefined;
  const distance = editDistance(there, meant);
  return distance <= most ? distance : undefined;
}

/** Without what small models put around a path: quotes, a line number, folders of another system. */
function asName(wanted: string): string {
  const bare = wanted.replace(/^["'`@]+|["'`]*(:\d+)*$/g, '');
  return bare.split('\\').at(-1) ?? bare;
}

/** Levenshtein's: how many letters to insert, delete or change. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
