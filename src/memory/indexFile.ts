// Keeps MEMORY.md in step with the records. It follows from them, so it is written over without asking, except for
// what a person wrote into it: that goes to the trash first.

import path from 'node:path';
import { kindIfPresent, readBytesIfPresent, writeFileAtomically } from '../base/files.ts';
import { indexText, isGeneratedIndex } from './memoryIndex.ts';
import type { MemoryRecord } from './record.ts';
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
  if (kind !== undefined && kind !== 'file')
    throw new Error(`${INDEX_FILE} is a ${kind} and not a file.`);
  const present = (await readBytesIfPresent(file))?.toString();
  const text = indexText(records);
  if (present === text) return;
  if (present !== undefined && !isGeneratedIndex(present))
    await trash.keep(INDEX_FILE, 'replaced by the generated index');
  await writeFileAtomically(file, text);
}
