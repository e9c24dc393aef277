// Real temporary folders for tests, and a whole folder as one value to compare with.

import { promises as fs, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'mocha';

/** Where Linux keeps files in memory: to sync thousands of small ones on a disk takes longer than all else. */
const MEMORY_DISK = '/dev/shm';
/** Much more than the tests need, and than a container has there by itself. */
const ROOM = 2 ** 28;
const PLACE = isUsable(MEMORY_DISK) ? MEMORY_DISK : os.tmpdir();

/** The real path: on macOS the temporary folder is itself reached through a link. */
export async function newTempFolder(): Promise<string> {
  return fs.realpath(await fs.mkdtemp(path.join(PLACE, 'memory-agent-')));
}

/** Registers hooks that give each test of the surrounding suite a fresh folder; read `path` inside a test. */
export function useTempFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = await newTempFolder();
  });
  afterEach(async () => {
    await fs.rm(folder.path, { recursive: true, force: true });
  });
  return folder;
}

/** Every file below a folder: relative path with `/` -> text. A link is shown as `link to <target>`. */
export async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ entry, full: path.join(entry.parentPath, entry.name) }));
  const pairs = await Promise.all(
    files.map(async ({ entry, full }) => [
      path.relative(folder, full).split(path.sep).join('/'),
      entry.isSymbolicLink()
        ? `link to ${await fs.readlink(full)}`
        : await fs.readFile(full, 'utf8'),
    ]),
  );
  return Object.fromEntries(pairs.toSorted());
}

/** Writes files given as relative path -> text, making the folders they need, as of now or of a time given. */
export async function writeTree(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  modified?: Date,
): Promise<void> {
  for (const [relative, data] of Object.entries(files)) {
    const full = path.join(folder, relative);
    await fs.mkdir(path.dirname(full), { recursive: true });
    await fs.writeFile(full, data);
    if (modified) await fs.utimes(full, modified, modified);
  }
}

/** Some tests run a program that they have written, which a disk may forbid. */
function isUsable(disk: string): boolean {
  if (process.platform !== 'linux') return false;
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const [, , , options] = mounts.find(([, place]) => place === disk) ?? [];
  if (options === undefined || options.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize >= ROOM;
}
