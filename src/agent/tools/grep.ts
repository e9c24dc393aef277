// grep: the lines of workspace files that fit a regular expression. Bounded in every direction: files open at a
// time, file size, lines, characters, and time, also for an expression that would never come to an end.

import path from 'node:path';
import * as z from 'zod/mini';
import { infoIfPresent } from '../../base/files.ts';
import { runWithin } from '../../base/timeLimit.ts';
import type { Tool } from '../tools.ts';
import { NotTextError, type Workspace } from '../workspace.ts';
import { declareTool, filledText, implementTool } from './declareTool.ts';
import { findFiles } from './findFiles.ts';
import { linesOf } from './lines.ts';
import { createMatchList, type MatchList, type SearchedFile } from './matchList.ts';
import { placeToRead, type Place } from './paths.ts';
import { gapNotes, noGaps, shownBelow, TIME_LIMIT_MS, type SearchGaps } from './searchResult.ts';

const MAX_FILE_BYTES = 2_000_000;
/** Read together, then searched together, so that the memory held stays small. */
const FILES_AT_ONCE = 64;
/** The longest the editor's extension host may be kept busy by one expression. */
const MATCH_LIMIT_MS = 2_000;

const grepDeclaration = declareTool({
  name: 'grep',
  description:
    'Searches the lines of workspace files for a JavaScript regular expression. Returns path:line:text, at most ' +
    '200 matching lines and 300 characters a line. Leaves out what .gitignore names (name an ignored folder as ' +
    'path to search it), binary files and files over 2 MB.',
  readOnly: true,
  input: z.strictObject({
    pattern: filledText('Regular expression, matched line by line, e.g. export function \\w+.'),
    path: z.optional(filledText('File or folder to search. Default: the workspace folder.')),
    glob: z.optional(
      filledText('Only files whose path below the folder fits this, e.g. *.{ts,tsx}.'),
    ),
    ignore_case: z.optional(z.boolean().check(z.describe('Default: false.'))),
    context: z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.maximum(10),
          z.describe('Lines to show around each match. Default: 0.'),
        ),
    ),
  }),
});

interface GrepOptions {
  readonly workspace: Workspace;
  /** In milliseconds, for the time limit. */
  readonly now?: () => number;
}

interface Search {
  readonly workspace: Workspace;
  readonly place: Place;
  readonly pattern: string | undefined;
  readonly gaps: SearchGaps;
}

export function createGrep({ workspace, now = () => performance.now() }: GrepOptions): Tool {
  return implementTool(grepDeclaration, async (input, signal) => {
    const expression = compile(input.pattern, input.ignore_case === true ? 'i' : '');
    const place = await placeToRead(workspace, input.path ?? '.');
    if (!place.info) throw new Error(`There is no file or folder ${place.shown}.`);
    const deadline = now() + TIME_LIMIT_MS;
    const gaps = noGaps();
    const matches = createMatchList(input.context ?? 0);
    let searched = 0;
    let stuckIn: string | undefined;

    for await (const files of openedFiles(
      { workspace, place, pattern: input.glob, gaps },
      signal,
    )) {
      const finished = runWithin(MATCH_LIMIT_MS, () => {
        for (const file of files) {
          stuckIn = file.shown;
          addMatches(matches, file, expression);
          searched += 1;
          if (matches.full()) return;
        }
      });
      if (finished) stuckIn = undefined;
      gaps.outOfTime = now() > deadline;
      if (!finished || gaps.outOfTime || matches.full()) break;
    }

    const counted = searched === 1 ? '1 file' : `${searched} files`;
    return [
      ...(matches.empty() ? [`No line matches in ${counted}.`] : matches.rows()),
      ...(stuckIn === undefined
        ? []
        : [`[Stopped in ${stuckIn}: the pattern takes too long to match. Make it simpler.]`]),
      ...gapNotes(gaps),
    ].join('\n');
  });
}

function addMatches(matches: MatchList, file: SearchedFile, expression: RegExp): void {
  file.lines.forEach((line, index) => {
    const at = line.search(expression);
    if (at >= 0) matches.add(file, index, at);
  });
}

/** The files to search, read some at a time. */
async function* openedFiles(
  search: Search,
  signal: AbortSignal,
): AsyncGenerator<readonly SearchedFile[]> {
  const { workspace, place, pattern, gaps } = search;
  if (place.info?.kind !== 'folder') {
    yield await openFile(search, place.absolute, place.shown);
    return;
  }
  for await (const files of findFiles({ workspace, folder: place, pattern, gaps }, signal)) {
    for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
      const opened = files.slice(at, at + FILES_AT_ONCE).map(async (file) => {
        signal.throwIfAborted();
        return openFile(search, path.join(place.absolute, file), shownBelow(place.shown, file));
      });
      yield (await Promise.all(opened)).flat();
    }
  }
}

/** One file, or none when it is not one to search, which is counted. */
async function openFile(
  { workspace, gaps }: Search,
  file: string,
  shown: string,
): Promise<SearchedFile[]> {
  try {
    const info = await infoIfPresent(file);
    if ((info?.size ?? 0) > MAX_FILE_BYTES) {
      gaps.tooLarge.push(shown);
      return [];
    }
    const text = await workspace.readText(file);
    return text === undefined ? [] : [{ shown, lines: linesOf(text) }];
  } catch (error) {
    // One file must not end the search, but the result says what it lacks.
    if (error instanceof NotTextError) gaps.notText += 1;
    else if (error instanceof Error && 'code' in error) gaps.failed.push(String(error.code));
    else throw error;
    return [];
  }
}

/** With `u`, which knows \p{...}, unless the expression is only valid without. */
function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `u${flags}`);
  } catch {
    // Tried again below, where a pattern that is wrong either way is reported.
  }
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${reason}. The pattern is a JavaScript regular expression: escape brackets that are meant ` +
        'literally, and set ignore_case in place of (?i).',
      { cause: error },
    );
  }
}
