// read_file: the text of a file, as the person sees it in the editor, in portions a history can bear.

import * as z from 'zod/mini';
import { isInside } from '../../base/containment.ts';
import { listFolder, readBytesIfPresent } from '../../base/files.ts';
import { archiveFolders } from '../../context/archive.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { declareTool, implementTool } from './declareTool.ts';
import { cutLine, linesOf, wrapLine } from '../../base/lines.ts';
import { notFound } from './places/notFound.ts';
import { printable } from './places/pathProblem.ts';
import { filePathInput, placeToRead, type Place } from './places/paths.ts';

/** About 12,000 tokens at most: a portion that leaves room for many others. */
const MAX_LINES = 2_000;
const MAX_CHARS = 50_000;
/** Longer ones are generated or data, and their rest says nothing more. */
const MAX_LINE_CHARS = 2_000;
const MAX_ENTRIES = 200;
/** The whole file is in memory while it is read; nobody writes larger ones by hand. */
export const MAX_FILE_BYTES = 20_000_000;
/** A transcript with many images. */
const MAX_ARCHIVE_BYTES = 100_000_000;

const readFileDeclaration = declareTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace as the user sees it, unsaved changes included. Returns at most 2,000 ' +
    'lines or 50,000 characters, and says how to read on; lines over 2,000 characters are cut, in archives ' +
    '(.transcripts, .task_outputs) wrapped. Give offset and limit to read a part of a large file. For a folder ' +
    'it lists the entries. Binary files are refused.',
  readOnly: true,
  input: z.strictObject({
    path: filePathInput,
    offset: z.optional(
      z.int().check(z.minimum(1), z.describe('Line to start from, counted from 1. Default: 1.')),
    ),
    limit: z.optional(
      z.int().check(z.minimum(1), z.describe('Most lines to return. Default and maximum: 2000.')),
    ),
  }),
});

export function createReadFile(workspace: Workspace): Tool {
  return implementTool(readFileDeclaration, async (input, signal, caller) => {
    const place = await placeToRead(workspace, input.path);
    const archived = isArchived(workspace, place);
    const maxBytes = archived ? MAX_ARCHIVE_BYTES : MAX_FILE_BYTES;
    if (place.info?.kind === 'folder') return listing(place);
    if (place.info?.kind === 'other') throw new Error(`${place.shown} is not a file.`);
    if (place.info && place.info.size > maxBytes) {
      throw new Error(
        `${place.shown} has ${place.info.size} bytes, too many to read. Use grep or bash on it.`,
      );
    }
    const text = await (archived ? archivedText(place) : workspace.readText(place.absolute));
    if (text === undefined) throw new Error(await notFound(workspace, place, signal));
    const lines = linesOf(text);
    if (!archived) {
      const shown = portion(place, lines, input);
      // All of it, since an exact text is replaced, or the whole.
      caller?.seen.note(place.real, text);
      return shown;
    }
    const wrapped = lines.flatMap((line) => wrapLine(line, MAX_LINE_CHARS));
    const notes = wrapped.length > lines.length ? ['[Long lines are wrapped.]'] : [];
    return portion(place, wrapped, { ...input, notes });
  });
}

/** Everything in an archive can be read, in however many portions, since nothing else has it. */
function isArchived({ folders, readable }: Workspace, { absolute }: Place): boolean {
  const archives = [...folders.flatMap(archiveFolders), ...readable];
  return archives.some((folder) => isInside(folder, absolute));
}

/** Whatever a tool printed, NUL characters too, and whatever a crash left of it. */
async function archivedText({ absolute }: Place): Promise<string | undefined> {
  return (await readBytesIfPresent(absolute))?.toString();
}

interface Part {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly notes?: readonly string[];
}

function portion({ shown }: Place, lines: readonly string[], part: Part): string {
  const { offset = 1, limit = MAX_LINES, notes: given = [] } = part;
  if (lines.length === 0) return `(${shown} is empty)`;
  if (offset > lines.length) {
    throw new Error(`${shown} has ${lines.length} lines; line ${offset} is past its end.`);
  }
  const shownLines: string[] = [];
  let chars = 0;
  let cut = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + Math.min(limit, MAX_LINES))) {
    const kept = cutLine(line, MAX_LINE_CHARS);
    chars += kept.length + 1;
    if (chars > MAX_CHARS) break;
    if (kept !== line) cut += 1;
    shownLines.push(kept);
  }
  const last = offset + shownLines.length - 1;
  const more = last < lines.length ? ` Read on with offset ${last + 1}.` : '';
  const notes = [
    ...(offset > 1 || more ? [`[Lines ${offset}-${last} of ${lines.length}.${more}]`] : []),
    ...(cut > 0 ? [`[${cut} long ${cut === 1 ? 'line is' : 'lines are'} cut.]`] : []),
    ...given,
  ];
  return [...notes, ...shownLines].join('\n');
}

async function listing(folder: Place): Promise<string> {
  const entries = await listFolder(folder.absolute);
  const names = entries
    .map(({ name, kind }) => printable(name) + (kind === 'folder' ? '/' : ''))
    .toSorted();
  const more = names.length - MAX_ENTRIES;
  return [
    `${folder.shown} is a folder with ${names.length} entries:`,
    ...names.slice(0, MAX_ENTRIES),
    ...(more > 0 ? [`[${more} more; use glob with a pattern.]`] : []),
  ].join('\n');
}
