// What lies in the trash, with what each text says: a file name alone does not tell one from another.

import path from 'node:path';
import { AtMost } from '../../base/atMost.ts';
import { readBytesIfPresent } from '../../base/files.ts';
import { INDEX_FILE } from '../../memory/folder/recordCache.ts';
import type { TrashedFile } from '../../memory/folder/trash.ts';
import { parseRecord, RecordError, type MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';

export interface TrashedText {
  readonly file: TrashedFile;
  readonly scope: Scope;
  /** Undefined when it cannot be read as a memory. */
  readonly record: MemoryRecord | undefined;
}

/** Files. Several times as fast as one by one, and far fewer than a process may hold open. */
const READ_AT_ONCE = 64;

/** Of all scopes, newest first. */
export async function trashedTexts(scopes: MemoryScopes): Promise<readonly TrashedText[]> {
  const perScope = await Promise.all(
    scopes.all.map(async (scope) =>
      (await scope.store.trashed()).map((file) => ({ file, scope, record: undefined })),
    ),
  );
  const newestFirst = perScope
    .flat()
    .toSorted((a, b) => (a.file.removed > b.file.removed ? -1 : 1));
  const places = new AtMost(READ_AT_ONCE);
  return Promise.all(newestFirst.map((text) => places.run(() => read(text))));
}

async function read({ file, scope }: TrashedText): Promise<TrashedText> {
  const bytes = await readBytesIfPresent(file.path);
  // A person may have written into the index; that is no memory, whatever it looks like.
  if (!bytes || file.file === INDEX_FILE) return { file, scope, record: undefined };
  try {
    // Where a text has no name, its file's old name counts and not that in the trash.
    const record = parseRecord(path.join(scope.store.folder, file.file), bytes, 0);
    return { file, scope, record };
  } catch (error) {
    if (error instanceof RecordError) return { file, scope, record: undefined };
    throw error;
  }
}
