// A folder that the person attached, as a listing: what git ignores is left out, and what lies too deep to be told
// in full is told as its folder and how many files are in there.

import { isInside } from '../../base/containment.ts';
import { walk } from '../../base/walk.ts';
import { printable } from '../tools/places/pathProblem.ts';

/** What of a folder is told at most. */
const MAX_ENTRIES = 200;
/** A walk through more would keep the person waiting. */
const MAX_FILES = 20_000;

interface FolderToList {
  readonly folder: string;
  /** Whose .gitignore counts when the folder lies in one of them. */
  readonly workspaceFolders: readonly string[];
}

export async function folderListing(
  { folder, workspaceFolders }: FolderToList,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const rulesFrom = workspaceFolders.find((root) => isInside(root, folder));
  const files: string[] = [];
  const options = rulesFrom === undefined ? { folder } : { folder, rulesFrom };
  for await (const file of walk(options, signal)) {
    files.push(file);
    if (files.length === MAX_FILES) break;
  }
  if (files.length === 0) return ['[No files in it that git does not ignore.]'];
  const more =
    files.length === MAX_FILES ? [`[Only its first ${MAX_FILES} files are counted.]`] : [];
  return [...more, ...entriesOf(files)];
}

/** As deep as there is room for, everywhere alike. */
function entriesOf(files: readonly string[]): readonly string[] {
  const deepest = Math.max(...files.map((file) => file.split('/').length));
  for (let depth = deepest; depth > 1; depth--) {
    const entries = entriesDownTo(files, depth);
    if (entries.length <= MAX_ENTRIES) return entries;
  }
  const entries = entriesDownTo(files, 1);
  const more = entries.length - MAX_ENTRIES;
  return more <= 0
    ? entries
    : [...entries.slice(0, MAX_ENTRIES), `[${more} more; use glob with a pattern.]`];
}

function entriesDownTo(files: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const names = file.split('/');
    const entry = names.length > depth ? `${names.slice(0, depth).join('/')}/` : file;
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  return Array.from(counts, ([entry, count]) => {
    const shown = printable(entry);
    if (!entry.endsWith('/')) return shown;
    return `${shown} (${count} ${count === 1 ? 'file' : 'files'})`;
  });
}
