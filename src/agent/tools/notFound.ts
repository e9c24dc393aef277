// What to tell of a path that is not there, with the files it may have meant.

import path from 'node:path';
import { listFolder } from '../../base/files.ts';
import { walk } from '../../base/walk.ts';
import type { Workspace } from '../workspace.ts';
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
  const names = await nearestNames(workspace, place.absolute, signal);
  const advice =
    names.length > 0 ? `Did you mean ${names.join(', ')}?` : 'Use glob to find the file.';
  return `There is no file ${place.shown}. ${advice}`;
}

/** Up to five existing files with the same or a similar name, likeliest first, as results name them. */
async function nearestNames(
  workspace: Workspace,
  absolute: string,
  signal: AbortSignal,
): Promise<string[]> {
  const parent = path.dirname(absolute);
  const wanted = path.basename(absolute).toLowerCase();
  const tolerance = Math.max(2, Math.floor(wanted.length / 4));
  const candidates = new Map<string, number>();
  const consider = (file: string) => {
    const name = path.basename(file).toLowerCase();
    const near = path.dirname(file) === parent;
    // Elsewhere only the very name counts: a slip of the fingers stays in the folder that was meant.
    const distance = name === wanted ? 0 : near ? editDistance(name, wanted) : Infinity;
    if (distance > tolerance) return;
    candidates.set(shownPath(workspace, file), near ? distance - 0.5 : distance);
  };
  // The folder itself first, since the walk leaves out what git ignores.
  for (const entry of await listFolder(parent)) consider(path.join(parent, entry.name));
  const top = folderOf(workspace, absolute) ?? workingFolder(workspace);
  let seen = 0;
  for await (const file of walk({ folder: top, rulesFrom: top }, signal)) {
    consider(path.join(top, file));
    seen += 1;
    if (seen >= MAX_FILES_SEEN) break;
  }
  return [...candidates]
    .toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
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
