// A disk of a test's own that can be filled to the last page or the last file, and made read-only.

import { spawnSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { hasCode } from '../../src/base/errorCode.ts';

/** What tmpfs counts in. */
const PAGE = 4096;
const PAGES = 64;
const FILES = 64;

export interface SmallDisk {
  readonly path: string;
  /** Leaves room for so many pages of text, or so many files and second names of files. */
  fill(room: { readonly pages: number } | { readonly files: number }): Promise<void>;
  /** Takes away what `fill` put there. */
  free(): Promise<void>;
  makeReadOnly(): void;
  unmount(): void;
}

/** Undefined, with the reason, where none may be mounted: that takes Linux, and its root. */
export async function mountSmallDisk(
  folder: string,
): Promise<SmallDisk | { readonly problem: string }> {
  await fs.mkdir(folder, { recursive: true });
  const options = `size=${PAGES * PAGE},nr_inodes=${FILES},mode=700`;
  const problem = run('mount', '-t', 'tmpfs', '-o', options, 'memory-agent-test', folder);
  if (problem !== undefined) return { problem };
  // Beside the folders that the test makes.
  const filler = path.join(folder, 'filler');
  return {
    path: folder,
    async fill(room) {
      await fs.mkdir(filler);
      if ('pages' in room) await fillPages(path.join(filler, 'text'), room.pages);
      else await fillFiles(filler, room.files);
    },
    free: () => fs.rm(filler, { recursive: true, force: true }),
    makeReadOnly: () => mustRun('mount', '-o', 'remount,ro', folder),
    unmount: () => mustRun('umount', folder),
  };
}

async function fillPages(file: string, left: number): Promise<void> {
  const handle = await fs.open(file, 'wx');
  try {
    let size = 0;
    await untilFull(async () => {
      await handle.write(Buffer.alloc(PAGE), 0, PAGE, size);
      size += PAGE;
    });
    await handle.truncate(size - left * PAGE);
  } finally {
    await handle.close();
  }
}

async function fillFiles(folder: string, left: number): Promise<void> {
  let count = 0;
  await untilFull(async () => {
    await fs.writeFile(path.join(folder, `${count}`), '', { flag: 'wx' });
    count++;
  });
  for (let at = 1; at <= left; at++) await fs.rm(path.join(folder, `${count - at}`));
}

async function untilFull(add: () => Promise<void>): Promise<void> {
  try {
    for (;;) await add();
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error;
  }
}

function mustRun(command: string, ...args: readonly string[]): void {
  const problem = run(command, ...args);
  if (problem !== undefined) throw new Error(problem);
}

/** Why it failed. */
function run(command: string, ...args: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}
