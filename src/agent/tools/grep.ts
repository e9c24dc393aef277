// grep: the lines of workspace files that fit a regular expression. Bounded in every direction: memory, lines,
// characters, and time, also for an expression that would never come to an end.

import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { runWithin } from '../../base/timeLimit.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { declareTool, filledText, implementTool } from './declareTool.ts';
import { MAX_CONTEXT, type FilePart } from './search/filePart.ts';
import { createFileList, createMatchList, type MatchList } from './search/matchList.ts';
import { whatElse } from './places/notFound.ts';
import { placeToRead } from './places/paths.ts';
import { mayHold } from './search/requiredText.ts';
import { searchedParts, type Search } from './search/searchedParts.ts';
import { readPattern } from './search/searchPattern.ts';
import { gapNotes, noGaps, TIME_LIMIT_MS } from './search/searchResult.ts';

/** Some fifty times what a plain expression takes, and the longest the extension host is ever kept busy. */
const MATCH_LIMIT_MS = 500;
/** In so many files an expression may hang before it is given up: one of them can be an odd one. */
const MAX_STUCK = 3;

const grepDeclaration = declareTool({
  name: 'grep',
  description:
    'Searches the lines of workspace files for a JavaScript regular expression. Returns path:line:text, at most ' +
    '200 matching lines and 300 characters a line, and says how to go on; with files_only, the files and how many ' +
    'of their lines match. Leaves out what .gitignore names (name an ignored folder as path to search it), binary ' +
    'files and files over 100 MB.',
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
          z.maximum(MAX_CONTEXT),
          z.describe('Lines to show around each match. Default: 0.'),
        ),
    ),
    files_only: z.optional(
      z.boolean().check(z.describe('Return files instead of lines. Default: false.')),
    ),
    offset: z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.describe(
            'Matching lines, or files, to skip: those an earlier call returned. Default: 0.',
          ),
        ),
    ),
  }),
});

interface GrepOptions {
  readonly workspace: Workspace;
  /** In milliseconds, for the time limit. */
  readonly now?: () => number;
}

export function createGrep({ workspace, now = () => performance.now() }: GrepOptions): Tool {
  return implementTool(grepDeclaration, async (input, signal) => {
    const { expression, source, doubts } = readPattern(input.pattern, input.ignore_case === true);
    const place = await placeToRead(workspace, input.path ?? '.');
    if (!place.info) {
      const advice = await whatElse(workspace, place, signal);
      throw new Error(`There is no file or folder ${place.shown}. ${advice}`);
    }
    if (place.info.kind === 'other') throw new Error(`${place.shown} is no file to search.`);
    const deadline = now() + TIME_LIMIT_MS;
    const { context = 0, offset = 0 } = input;
    const matches = input.files_only
      ? createFileList({ offset })
      : createMatchList({ context, offset });
    const search: Search = {
      workspace,
      place,
      pattern: input.glob,
      mayHold: mayHold(source, expression.flags),
      gaps: noGaps(),
      searched: 0,
    };
    const stuckIn = new Set<string>();

    for await (const parts of searchedParts(search, signal)) {
      await addMatches(matches, parts, expression, stuckIn);
      search.gaps.outOfTime = now() > deadline;
      if (stuckIn.size >= MAX_STUCK || search.gaps.outOfTime || matches.full()) break;
    }

    const found = matches.count();
    return [
      ...(found === 0 ? [nothingFound(search), ...doubts] : matches.rows()),
      ...(found > 0 && found <= offset ? [`[There are only ${found}, so nothing is left.]`] : []),
      ...(stuckIn.size === 0 ? [] : [stuckNote(stuckIn)]),
      ...gapNotes(search.gaps),
    ].join('\n');
  });
}

async function addMatches(
  matches: MatchList,
  parts: readonly FilePart[],
  expression: RegExp,
  stuckIn: Set<string>,
): Promise<void> {
  const waiting = parts.toReversed();
  let current: FilePart | undefined;
  const work = () => {
    while (!matches.full() && (current = waiting.pop())) {
      const { lines, from, to } = current;
      for (let index = from; index < to; index += 1) {
        const at = lines[index]?.search(expression) ?? -1;
        if (at >= 0) matches.add(current, index, at);
      }
    }
  };
  // One file on which the expression hangs is left, and the others are searched all the same.
  while (waiting.length > 0 && stuckIn.size < MAX_STUCK && !matches.full()) {
    if (runWithin(MATCH_LIMIT_MS, work)) continue;
    if (current) stuckIn.add(current.shown);
    // Whoever uses the editor has waited long enough.
    await setImmediate();
  }
}

function nothingFound({ searched, pattern, place }: Search): string {
  const counted = searched === 1 ? '1 file' : `${searched} files`;
  const hint =
    searched > 0 || pattern === undefined || place.info?.kind === 'file'
      ? ''
      : ` Perhaps no file fits the glob ${pattern}.`;
  return `No line matches in ${counted}.${hint}`;
}

function stuckNote(stuckIn: ReadonlySet<string>): string {
  const files = [...stuckIn].join(', ');
  return stuckIn.size >= MAX_STUCK
    ? `[Stopped: the pattern takes too long to match in ${files}. Make it simpler.]`
    : `[The pattern takes too long to match in ${files}, the rest of which was left. Make it simpler.]`;
}
