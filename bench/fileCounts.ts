// Counts what a piece of work asks of the disk, by standing between Node's file functions and their callers.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface FileCounts {
  /** Files of which the text was read. */
  filesRead: number;
  /** Files that were looked at for their size and time. */
  filesLookedAt: number;
  /** New files, temporary ones included. */
  filesMade: number;
  bytesWritten: number;
  /** Times that the work waited until its text was safe on the disk. */
  syncs: number;
}

/** Counts while `work` runs; nothing else may run beside it. */
export async function fileCounts(work: () => Promise<unknown>): Promise<FileCounts> {
  const counts: FileCounts = {
    filesRead: 0,
    filesLookedAt: 0,
    filesMade: 0,
    bytesWritten: 0,
    syncs: 0,
  };
  const undo = [
    spy(fs, 'readFileSync', () => counts.filesRead++),
    spy(fs, 'lstatSync', () => counts.filesLookedAt++),
    spy(fs, 'openSync', (_file, flags) => flags === 'wx' && counts.filesMade++),
    spy(fs, 'writeFileSync', (_file, data) => (counts.bytesWritten += sizeOf(data))),
    spy(fs.promises, 'open', (_file, flags) => flags === 'wx' && counts.filesMade++),
    spy(fs.promises, 'readFile', () => counts.filesRead++),
    spy(fs.promises, 'lstat', () => counts.filesLookedAt++),
    spy(fs.promises, 'stat', () => counts.filesLookedAt++),
    spy(fs.promises, 'appendFile', (_file, data) => (counts.bytesWritten += sizeOf(data))),
    ...(await spyOnHandles(counts)),
  ];
  syncBuiltinESMExports();
  try {
    await work();
    return counts;
  } finally {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
  }
}

/** All open files share one prototype, which Node does not export. */
async function spyOnHandles(counts: FileCounts): Promise<(() => void)[]> {
  const handle = await fs.promises.open(import.meta.filename);
  await handle.close();
  const prototype: typeof handle = Object.getPrototypeOf(handle);
  return [
    spy(prototype, 'writeFile', (data) => (counts.bytesWritten += sizeOf(data))),
    spy(prototype, 'sync', () => counts.syncs++),
  ];
}

/** Calls `seen` before each call of a method; the result puts everything back. */
function spy<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  seen: (...args: readonly unknown[]) => void,
): () => void {
  const original = owner[name];
  const replacement = function (this: unknown, ...args: never[]): unknown {
    seen(...args);
    return original.apply(this, args);
  };
  Reflect.set(owner, name, replacement);
  return () => void Reflect.set(owner, name, original);
}

function sizeOf(data: unknown): number {
  return typeof data === 'string' || data instanceof Uint8Array ? Buffer.byteLength(data) : 0;
}
