// The memories that one file of another tool holds: the sections of an instruction file, or the whole of a file
// that is about one thing.

import path from 'node:path';
import { isoDeadline, oneLine, tidyBody } from '../fieldText.ts';
import { isGeneratedIndex } from '../folder/memoryIndex.ts';
import type { MemoryType } from '../record.ts';
import { INDEX_FILE } from '../folder/recordCache.ts';
import { isExport, readExport } from './exportMarkdown.ts';
import { IMPORT_SOURCE, type ImportCandidate } from './importCandidate.ts';
import { descriptionOf } from './importDescription.ts';
import { readImported } from './importFrontMatter.ts';
import { sectionsOf } from './importMarkdown.ts';
import { guessedType, typeNamed } from './importType.ts';

/** How far a file's own name tells what it holds. */
export interface ImportFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  /** Where the text itself does not tell: whole is one memory, else each section is one. */
  readonly whole: 'always' | 'withFrontMatter';
  /** For a file whose place tells that it guides an assistant, whatever its words. */
  readonly type?: MemoryType | undefined;
}

/** Throws RecordError where the front matter is code. */
export function candidatesIn(file: ImportFile): readonly ImportCandidate[] {
  if (isExport(file.text)) return readExport(file.text, file.path);
  const name = path.basename(file.path);
  if (isGeneratedIndex(file.text)) return [];
  if (name === INDEX_FILE) return sectionsIn(file, withoutLinks(readImported(file.text).rest));
  const { data, rest } = readImported(file.text);
  const whole = !SECTIONED.test(name) && (file.whole === 'always' || Object.keys(data).length > 0);
  return whole ? wholeOf(file, data, rest) : sectionsIn(file, rest);
}

/** Files of instructions on everything, one section after the other. */
const SECTIONED = /^(?:claude(?:\.local)?|agents|copilot-instructions)\.md$|^\.cursorrules$/i;

/** An index of memories has a line for each of the files beside it, and perhaps notes of its own. */
function withoutLinks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*[-*+] +\[[^\]]*\]\([^()\s]*\.md\)/.test(line))
    .join('\n');
}

function sectionsIn(file: ImportFile, text: string): readonly ImportCandidate[] {
  return sectionsOf(text)
    .filter(({ body }) => body !== '')
    .map(({ heading = '', body }) => ({
      record: {
        name: oneLine(heading) || stemOf(file.path),
        description: descriptionOf(body, heading),
        type: file.type ?? guessedType(file.path, `${heading}\n${body}`),
        body,
        source: IMPORT_SOURCE,
      },
      origin: { path: file.path, ...(heading !== '' && { heading }) },
    }));
}

function wholeOf(
  file: ImportFile,
  data: Readonly<Record<string, unknown>>,
  rest: string,
): readonly ImportCandidate[] {
  const text = tidyBody(rest);
  const paths = ['applyTo', 'globs', 'paths'].map((key) => listText(data[key])).find(Boolean);
  const body = tidyBody([paths ? `Applies to: \`${paths}\`` : '', text].join('\n\n'));
  const description = oneLine(data['description']) || descriptionOf(text);
  if (text === '' && description === '') return [];
  const name = oneLine(data['name']) || stemOf(file.path);
  const expires = isoDeadline(data['expires']);
  const type =
    typeNamed(data['type']) ??
    typeNamed(valueIn(data['metadata'], 'type')) ??
    file.type ??
    guessedType(file.path, `${description}\n${text}`);
  return [
    {
      record: {
        name,
        description: description || name,
        type,
        body,
        source: IMPORT_SOURCE,
        ...(data['pinned'] === true && { pinned: true }),
        ...(expires && { expires }),
      },
      origin: { path: file.path },
    },
  ];
}

function valueIn(data: unknown, key: string): unknown {
  return typeof data === 'object' && data !== null
    ? Object.entries(data).find(([name]) => name === key)?.[1]
    : undefined;
}

function listText(value: unknown): string {
  return Array.isArray(value) ? value.map(oneLine).filter(Boolean).join(', ') : oneLine(value);
}

/** What the file's name says: a rule in a folder of its own has the name of the folder. */
function stemOf(file: string): string {
  const { base, dir } = path.parse(file);
  if (/^rule\.md$/i.test(base)) return path.basename(dir);
  return base.replace(/(?:\.instructions)?\.(?:md|mdc)$/i, '').replace(/^\./, '') || base;
}
