// The files below a folder whose path fits a pattern: what glob lists and grep reads.

import path from 'node:path';
import { runWithin } from '../../../base/timeLimit.ts';
import { walk } from '../../../base/walk.ts';
import type { Workspace } from '../../workspace.ts';
import { quoted } from '../places/pathProblem.ts';
import { folderOf, type Place } from '../places/paths.ts';
import type { SearchGaps } from './searchResult.ts';

interface FileSearch {
  readonly workspace: Workspace;
  readonly folder: Place;
  /** Every file when left out. */
  readonly pattern?: string | undefined;
  readonly gaps: SearchGaps;
}

/** Matching them together costs one time limit; a caller that has enough leaves the rest unwalked. */
const BATCH = 512;
/** A pattern such as `*a*a*a*a*a*b` can take for ever on one name. */
const MATCH_LIMIT_MS = 500;
/** Each brace doubles what is to be tried on every name, so a long pattern is a mistake. */
const MAX_PATTERN_CHARS = 1_000;

/** Yields paths relative to the folder, in order, some at a time. Throws when the pattern is of no use. */
export async function* findFiles(
  search: FileSearch,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const { workspace, folder, pattern, gaps } = search;
  const matches = pattern === undefined ? undefined : globMatcher(pattern);
  const rulesFrom = folderOf(workspace, folder.absolute);
  let batch: string[] = [];
  const onUnreadable = () => (gaps.unreadable += 1);
  const from = rulesFrom === undefined ? {} : { rulesFrom };
  const files = walk({ folder: folder.absolute, onUnreadable, ...from }, signal);
  for await (const file of files) {
    if (batch.push(file) < BATCH) continue;
    yield matching(batch, matches);
    batch = [];
  }
  yield matching(batch, matches);
}

/**
 * Whether a relative path fits a glob pattern. A pattern without a slash, but for a leading `**`, is for the
 * name alone, at any depth. As in a shell, `*` does not stand for a leading dot.
 */
export function globMatcher(
  pattern: string,
  platform: NodeJS.Platform = process.platform,
): (relative: string) => boolean {
  if (pattern.length > MAX_PATTERN_CHARS) {
    throw new Error(`${quoted(pattern)} is too long for a glob pattern. Search in several calls.`);
  }
  const trimmed = withSlashes(pattern)
    .replace(/^(\.\/)+/, '')
    .replace(/\/$/, '/**');
  const isAbsolute = trimmed.startsWith('/') || (platform === 'win32' && /^[a-z]:/i.test(trimmed));
  if (isAbsolute || trimmed.split(/[/{,}]/).includes('..')) {
    throw new Error(
      `${quoted(pattern)} must be relative and without "..". Give the folder to search as "path".`,
    );
  }
  const name = trimmed.replace(/^(\*\*\/)+(?=[^/]+$)/, '');
  // Brackets are also names, as of pages whose path holds a variable.
  return name.includes('/')
    ? (relative) => relative === trimmed || path.posix.matchesGlob(relative, name)
    : (relative) => fitsName(path.posix.basename(relative), name);
}

function fitsName(base: string, pattern: string): boolean {
  return base === pattern || path.posix.matchesGlob(base, pattern);
}

/**
 * With `/` between folders. A backslash in front of a bracket takes its meaning; elsewhere it parts folders, on every
 * system, since a model cannot see which one it works on.
 */
function withSlashes(pattern: string): string {
  return pattern.replaceAll(/\\([[\]{}()])/g, '[$1]').replaceAll('\\', '/');
}

function matching(
  files: readonly string[],
  matches: ((relative: string) => boolean) | undefined,
): readonly string[] {
  if (!matches) return files;
  const found: string[] = [];
  const done = runWithin(MATCH_LIMIT_MS, () => {
    for (const file of files) if (matches(file)) found.push(file);
  });
  if (!done) throw new Error('The glob pattern takes too long to match. Use fewer wildcards.');
  return found;
}
