// A new name is safe from a power cut only when its folder is on the disk too. Where many files are written at once, one
// sync serves all whose names were there when it began.

import { promises as fs } from 'node:fs';
import { hasCode } from './errorCode.ts';
import { SharedRuns } from './sharedRuns.ts';

/** How a system says that it cannot sync a folder. */
const NO_FOLDER_SYNC = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'ENOENT'];

const syncs = new SharedRuns();

export function syncFolder(folder: string): Promise<void> {
  return syncs.run(folder, () => syncNow(folder));
}

async function syncNow(folder: string): Promise<void> {
  try {
    const handle = await fs.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Windows opens no folder, and some network disks sync none: there the name is as safe as it gets.
    if (!NO_FOLDER_SYNC.some((code) => hasCode(error, code))) throw error;
  }
}
