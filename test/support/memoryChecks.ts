// What must hold of a folder of memories at any moment, whoever works in it and however that ended.

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { isTemporary } from '../../src/base/files.ts';
import { silentLog } from '../../src/base/log.ts';
import { indexText, isGeneratedIndex } from '../../src/memory/folder/memoryIndex.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { readTree } from './tempFolder.ts';

/** The memories as a window that opens now finds them. None may be damaged. */
export async function recordsIn(folder: string): Promise<readonly MemoryRecord[]> {
  const { records, damaged } = await new MemoryStore({ folder, log: silentLog }).list();
  assert.deepEqual(damaged, []);
  return records;
}

/** Reads MEMORY.md, which must be whole or not there yet, and counts its memories. */
export async function linesOfIndex(folder: string): Promise<number> {
  const text = await textOfIndex(folder);
  if (text === undefined) return 0;
  assert.ok(
    text.startsWith('# Memory Index\n\n') && text.endsWith('\n') && isGeneratedIndex(text),
    `MEMORY.md is torn: ${JSON.stringify(text)}`,
  );
  return text.split('\n').filter((line) => line.startsWith('- [')).length;
}

/** Nothing half written lies about, and the index is the one that follows from the memories. */
export async function assertTidy(folder: string): Promise<void> {
  assert.deepEqual(await temporaryFiles(folder), []);
  assert.equal(await textOfIndex(folder), indexText(await recordsIn(folder)));
}

export async function temporaryFiles(folder: string): Promise<readonly string[]> {
  return Object.keys(await readTree(folder)).filter((file) => isTemporary(path.basename(file)));
}

async function textOfIndex(folder: string): Promise<string | undefined> {
  return fs.readFile(path.join(folder, 'MEMORY.md'), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
