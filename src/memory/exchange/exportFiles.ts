// The memories as files of a folder: each is copied byte for byte, with an index of them beside.

import { indexText } from '../folder/memoryIndex.ts';
import type { MemoryRecord } from '../record.ts';
import { fileKey, INDEX_FILE } from '../folder/recordCache.ts';

interface ExportFiles {
  /** To be copied. No two names are the same, even where case does not count. */
  readonly copies: readonly { readonly name: string; readonly from: string }[];
  /** To be written. */
  readonly index: { readonly name: string; readonly text: string };
}

/** What a folder of these memories holds. They may come from several stores. */
export function exportFiles(records: readonly MemoryRecord[]): ExportFiles {
  const taken = new Set([fileKey(INDEX_FILE)]);
  const named = records.map((record) => ({ ...record, file: freeName(record.file, taken) }));
  return {
    copies: named.map(({ file, path }) => ({ name: file, from: path })),
    index: { name: INDEX_FILE, text: indexText(named) },
  };
}

function freeName(file: string, taken: Set<string>): string {
  const stem = file.replace(/\.md$/i, '');
  let name = file;
  for (let number = 2; taken.has(fileKey(name)); number++) name = `${stem}-${number}.md`;
  taken.add(fileKey(name));
  return name;
}
