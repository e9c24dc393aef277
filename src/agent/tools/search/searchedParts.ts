// What grep reads of the files below a folder, some at a time. What the person has not saved yet counts as their text.

import path from 'node:path';
import { isOfSystem } from '../../../base/errorCode.ts';
import { infoIfPresent } from '../../../base/files.ts';
import { chunksOf, PlainFileReader, type PlainContent } from '../../../base/plainFile.ts';
import { decodeText, NotTextError, type Workspace } from '../../workspace.ts';
import { partsOf, wholeFile, type FilePart } from './filePart.ts';
import { findFiles } from './findFiles.ts';
import type { Place } from '../places/paths.ts';
import type { MayHold } from './requiredText.ts';
import { shownBelow, type SearchGaps } from './searchResult.ts';

/** Larger files are read in parts. */
const MAX_WHOLE_BYTES = 2_000_000;
/** A few seconds of reading. Larger ones are dumps and disk images. */
const MAX_BYTES = 100_000_000;
/** Read together, then searched together, so that the memory held stays small. */
const FILES_AT_ONCE = 64;
/** To search them takes a moment, and one time limit. */
const CHARS_AT_ONCE = 1_000_000;

export interface Search {
  readonly workspace: Workspace;
  readonly place: Place;
  /** A glob pattern. Every file when left out. */
  readonly pattern: string | undefined;
  /** Files of which this is false are not looked at line by line. */
  readonly mayHold: MayHold;
  readonly gaps: SearchGaps;
  /** Files read so far. It counts while the search runs. */
  searched: number;
}

interface SearchedFile {
  readonly absolute: string;
  /** Where to read it: the editor may know it by another path. */
  readonly real: string;
  readonly shown: string;
}

/** Yields what may hold a match, in the order of the files. */
export async function* searchedParts(
  search: Search,
  signal: AbortSignal,
): AsyncGenerator<readonly FilePart[]> {
  const unsaved = search.workspace.unsavedTexts();
  const reader = new PlainFileReader(MAX_WHOLE_BYTES);
  let parts: FilePart[] = [];
  let chars = 0;
  for await (const files of searchedFiles(search, signal)) {
    const contents = await reader.read(files.map(({ real }) => real));
    for (const [index, file] of files.entries()) {
      const open = unsaved.get(file.absolute) ?? unsaved.get(file.real);
      const content = contents[index];
      const isLarge = content === 'large' && open === undefined;
      if (isLarge || chars >= CHARS_AT_ONCE) {
        yield parts;
        parts = [];
        chars = 0;
      }
      if (isLarge) {
        yield* largeFile(search, file, signal);
        continue;
      }
      const text = open ?? quickText(file, content) ?? (await slowText(search, file, content));
      if (text === undefined) continue;
      search.searched += 1;
      if (!search.mayHold(text)) continue;
      parts.push(wholeFile(file.shown, text));
      chars += text.length;
    }
    yield parts;
    parts = [];
    chars = 0;
  }
}

/** The files to search, some at a time. */
async function* searchedFiles(
  { workspace, place, pattern, gaps }: Search,
  signal: AbortSignal,
): AsyncGenerator<readonly SearchedFile[]> {
  if (place.info?.kind === 'file') {
    yield [place];
    return;
  }
  for await (const names of findFiles({ workspace, folder: place, pattern, gaps }, signal)) {
    for (let at = 0; at < names.length; at += FILES_AT_ONCE) {
      signal.throwIfAborted();
      yield names.slice(at, at + FILES_AT_ONCE).map((name) => ({
        absolute: path.join(place.absolute, name),
        real: path.join(place.real, name),
        shown: shownBelow(place.shown, name),
      }));
    }
  }
}

/** Undefined when it is not plainly UTF-8. */
function quickText({ shown }: SearchedFile, content: PlainContent): string | undefined {
  if (!(content instanceof Uint8Array)) return undefined;
  try {
    return decodeText(content, shown);
  } catch (error) {
    if (error instanceof NotTextError) return undefined;
    throw error;
  }
}

/** As the editor reads it, which knows more encodings. Undefined for a file that is not to be searched, which is counted. */
async function slowText(
  { workspace, gaps }: Search,
  { absolute }: SearchedFile,
  content: PlainContent,
): Promise<string | undefined> {
  if (content === undefined) return undefined;
  try {
    if (content instanceof Error) throw content;
    return await workspace.readText(absolute);
  } catch (error) {
    count(gaps, error);
    return undefined;
  }
}

async function* largeFile(
  search: Search,
  { real, shown }: SearchedFile,
  signal: AbortSignal,
): AsyncGenerator<readonly FilePart[]> {
  const { gaps } = search;
  const info = await infoIfPresent(real);
  if (!info) return;
  if (info.size > MAX_BYTES) {
    gaps.tooLarge.push(shown);
    return;
  }
  try {
    const onCut = () => (gaps.cutLines += 1);
    for await (const part of partsOf(shown, chunksOf(real), onCut)) {
      signal.throwIfAborted();
      yield [part];
    }
    search.searched += 1;
  } catch (error) {
    signal.throwIfAborted();
    count(gaps, error);
  }
}

/** One file must not end the search, but the result says what it lacks. */
function count(gaps: SearchGaps, error: unknown): void {
  if (error instanceof NotTextError) gaps.notText += 1;
  else if (isOfSystem(error)) gaps.failed.push(error.code);
  else throw error;
}
