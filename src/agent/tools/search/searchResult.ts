// What glob and grep say alike: paths below the searched folder, and what a search had to leave out.

import { printable } from '../places/pathProblem.ts';

/** A search that takes longer is one to narrow. */
export const TIME_LIMIT_MS = 10_000;

/** A file below a folder, as results name it. */
export function shownBelow(folder: string, relative: string): string {
  const shown = printable(relative);
  return folder === '.' ? shown : `${folder}/${shown}`;
}

/** What a search had to leave out. It counts while it runs. */
export interface SearchGaps {
  /** Folders that may not be entered. */
  unreadable: number;
  /** Files that are binary or not UTF-8. */
  notText: number;
  /** For each file that could not be read, the code the system gave. */
  readonly failed: string[];
  /** Files over the size limit, as results name them. */
  readonly tooLarge: string[];
  /** Lines of which only the beginning was searched. */
  cutLines: number;
  outOfTime: boolean;
}

/** Large files told by name. */
const MAX_NAMES = 5;

export function noGaps(): SearchGaps {
  return { unreadable: 0, notText: 0, failed: [], tooLarge: [], cutLines: 0, outOfTime: false };
}

export function gapNotes({
  unreadable,
  notText,
  failed,
  tooLarge,
  cutLines,
  outOfTime,
}: SearchGaps): string[] {
  const names = tooLarge.slice(0, MAX_NAMES).join(', ');
  const more = tooLarge.length > MAX_NAMES ? ', ...' : '';
  return [
    ...(outOfTime
      ? ['[Stopped after 10 s, so there may be more. Narrow the pattern or the path.]']
      : []),
    ...(unreadable > 0 ? [`[Folders that may not be read: ${unreadable}]`] : []),
    ...(failed.length > 0
      ? [`[Files that could not be read: ${failed.length} (${[...new Set(failed)].join(', ')})]`]
      : []),
    ...(notText > 0 ? [`[Skipped as binary or not UTF-8: ${notText}]`] : []),
    ...(cutLines > 0 ? [`[Of lines over 1 MB only the beginning was searched: ${cutLines}]`] : []),
    ...(tooLarge.length > 0
      ? [`[Skipped as larger than 100 MB: ${tooLarge.length} (${names}${more})]`]
      : []),
  ];
}
