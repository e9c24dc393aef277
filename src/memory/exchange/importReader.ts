// Reads the files of an import source. One that cannot be read is named with the reason and never stops the rest.

import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { infoIfPresent, kindIfPresent, readBytesIfPresent } from '../../base/files.ts';
import { sentence, SentenceError, sentenceOf } from '../../base/sentence.ts';
import type { ImportCandidate, ImportProblem } from './importCandidate.ts';
import { candidatesIn, type ImportFile } from './importFile.ts';
import type { ImportSource } from './importSources.ts';

export interface ImportReading {
  readonly candidates: readonly ImportCandidate[];
  readonly problems: readonly ImportProblem[];
}

/** No file of instructions is near this size. */
const MAX_BYTES = 1024 * 1024;

export async function readImportSource(source: ImportSource): Promise<ImportReading> {
  const candidates: ImportCandidate[] = [];
  const problems: ImportProblem[] = [];
  for (const file of source.files) {
    try {
      // One by one: a text has more sections than a call takes arguments.
      for (const candidate of candidatesIn(importFile(source, file, await textOf(file))))
        candidates.push(candidate);
    } catch (error) {
      problems.push({ path: file, problem: sentenceOf(error) });
    }
  }
  return { candidates, problems };
}

function importFile({ kind, scope }: ImportSource, file: string, text: string): ImportFile {
  const guides = scope === 'personal' || kind === 'cursor' || RULE.test(file);
  return {
    path: file,
    text,
    whole: kind === 'chosen' && !RULE.test(file) ? 'withFrontMatter' : 'always',
    type: guides ? 'feedback' : undefined,
  };
}

/** A file that holds one rule for assistants. */
const RULE = /\.instructions\.md$|\.mdc$|[\\/]\.claude[\\/]rules[\\/]/i;

async function textOf(file: string): Promise<string> {
  const kind = await kindIfPresent(file);
  if (kind === undefined) throw new SentenceError(sentence`The file is gone by now.`);
  if (kind === 'link')
    throw new SentenceError(sentence`The file is a link, and links are not followed.`);
  if (kind !== 'file') throw new SentenceError(sentence`This is not a regular file.`);
  if (((await infoIfPresent(file))?.size ?? 0) > MAX_BYTES)
    throw new SentenceError(sentence`The file is larger than 1 MB.`);
  const bytes = await readBytesIfPresent(file);
  if (!bytes) throw new SentenceError(sentence`The file is gone by now.`);
  const text = decodeUtf8(bytes, file);
  if (text.includes('\0')) throw new SentenceError(sentence`The file is not text.`);
  return text;
}
