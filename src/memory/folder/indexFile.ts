// Keeps MEMORY.md in step with the records. It follows from them, so it is written over without asking, except for
// what a person wrote into it: that goes to the trash first.

import path from 'node:path';
import { kindIfPresent, readBytesIfPresent, replaceFileAtomically } from '../../base/files.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import type { MemoryRecord } from '../record.ts';
import { indexText, isGeneratedIndex } from './memoryIndex.ts';
import { INDEX_FILE } from './recordCache.ts';
import type { Trash } from './trash.ts';

/** `folder` is that of the memories, and must exist. */
export async function writeIndex(
  folder: string,
  records: readonly MemoryRecord[],
  trash: Trash,
): Promise<void> {
  const file = path.join(folder, INDEX_FILE);
  const kind = await kindIfPresent(file);
  if (kind !== undefined && kind !== 'file') throw new SentenceError(NOT_A_FILE[kind]);
  const bytes = await readBytesIfPresent(file);
  const present = bytes?.toString();
  const text = indexText(records);
  if (present === text) return;
  await replaceFileAtomically(file, text, async () => {
    const now = await readBytesIfPresent(file);
    if (now && !(bytes && now.equals(bytes)))
      throw new SentenceError(
        sentence`a person or another program is writing it, and the next change will do.`,
      );
    if (present !== undefined && now && !isGeneratedIndex(present))
      await trash.keep(INDEX_FILE, 'replaced by the generated index');
  });
}

const NOT_A_FILE = {
  link: sentence`${INDEX_FILE} is a link and not a file.`,
  folder: sentence`${INDEX_FILE} is a folder and not a file.`,
  other: sentence`${INDEX_FILE} is no regular file.`,
} as const;
