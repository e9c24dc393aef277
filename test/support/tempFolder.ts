// Real temporary folders for tests, and a whole folder as one value to compare with.

import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'mocha';

/** Registers hooks that give each test of the surrounding suite a fresh folder; read `path` inside a test. */
export function useTempFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    // The real path: on macOS the temporary folder is itself reached through a link.
    folder.path = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'memory-agent-')));
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
