// glob: the files of the workspace whose path fits a pattern, without what git ignores.

import * as z from 'zod/mini';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { declareTool, filledText, implementTool } from './declareTool.ts';
import { findFiles } from './search/findFiles.ts';
import { whatElse } from './places/notFound.ts';
import { placeToRead } from './places/paths.ts';
import { gapNotes, noGaps, shownBelow, TIME_LIMIT_MS } from './search/searchResult.ts';

const MAX_ROWS = 200;
/** Reached only where folders are deep and names long. */
const MAX_CHARS = 30_000;

const globDeclaration = declareTool({
  name: 'glob',
  description:
    'Lists files of the workspace by name, sorted by path, at most 200. Knows *, ?, **, [a-z] and {a,b}. A ' +
    'pattern without a slash, such as *.ts, is looked for at any depth. Leaves out what .gitignore names and ' +
    '.git; name an ignored folder as path to look into it. Names with a leading dot must be matched by one.',
  readOnly: true,
  input: z.strictObject({
    pattern: filledText('Glob pattern, relative to path, e.g. src/**/*.{ts,tsx}.'),
    path: z.optional(filledText('Folder to search. Default: the workspace folder.')),
  }),
});

/** What a search that found nothing may have missed. */
const LEFT_OUT =
  'What git ignores and names with a leading dot are found only when they are named.';

interface GlobOptions {
  readonly workspace: Workspace;
  /** In milliseconds, for the time limit. */
  readonly now?: () => number;
}

export function createGlob({ workspace, now = () => performance.now() }: GlobOptions): Tool {
  return implementTool(globDeclaration, async ({ pattern, path = '.' }, signal) => {
    const folder = await placeToRead(workspace, path);
    if (!folder.info) {
      const advice = await whatElse(workspace, folder, signal);
      throw new Error(`There is no folder ${folder.shown}. ${advice}`);
    }
    if (folder.info.kind !== 'folder') {
      throw new Error(
        `${folder.shown} is not a folder. Read it with read_file, or search it with grep.`,
      );
    }
    const deadline = now() + TIME_LIMIT_MS;
    const gaps = noGaps();
    const rows: string[] = [];
    let found = 0;
    let chars = 0;
    for await (const files of findFiles({ workspace, folder, pattern, gaps }, signal)) {
      found += files.length;
      for (const file of files.slice(0, MAX_ROWS - rows.length)) {
        const row = shownBelow(folder.shown, file);
        chars += row.length + 1;
        if (chars > MAX_CHARS) break;
        rows.push(row);
      }
      gaps.outOfTime = now() > deadline;
      if (gaps.outOfTime) break;
    }
    const where = folder.shown === '.' ? '' : ` in ${folder.shown}`;
    return [
      ...(found === 0 ? [`No file matches ${pattern}${where}. ${LEFT_OUT}`] : []),
      ...rows,
      ...(found > rows.length
        ? [`[${found - rows.length} more. Narrow the pattern or the path.]`]
        : []),
      ...gapNotes(gaps),
    ].join('\n');
  });
}
