// Databases that cannot be used any more: each is moved aside with all that belongs to it, beside the new one, and
// removed when it is old.

import path from 'node:path';
import { isMissing } from '../base/errorCode.ts';
import { listFolder, lookNow, moveFile, removeFile } from '../base/files.ts';

/** What SQLite keeps beside a database: changes that are not in it yet, and what processes share. */
const BESIDE = ['-wal', '-shm'];
const DAMAGED = '.damaged-';

/**
 * Moves a database with all that belongs to it out of the way, and returns its new path. In one step each: where the
 * disk knows no lock, what another window has made meanwhile may be moved too, and is not lost.
 */
export async function setAside(file: string, now: Date): Promise<string> {
  const stamp = stampOf(now);
  let target = `${file}${DAMAGED}${stamp}`;
  for (let count = 2; isTaken(target); count++) target = `${file}${DAMAGED}${stamp}-${count}`;
  for (const end of ['', ...BESIDE]) {
    try {
      if (lookNow(file + end) !== undefined) await moveFile(file + end, target + end);
    } catch (error) {
      // Another window has moved it already, or SQLite has removed what it needs no more.
      if (!isMissing(error)) throw error;
    }
  }
  return target;
}

/** Removes what was moved aside of a database before `before`; without it, all. */
export async function removeSetAside(file: string, before?: Date): Promise<void> {
  const start = `${path.basename(file)}${DAMAGED}`;
  for (const { name, kind } of await listFolder(path.dirname(file))) {
    if (kind !== 'file' || !name.startsWith(start)) continue;
    // Stamps are all of one length, so their order is that of time.
    const isOlder = before === undefined || name.slice(start.length) < stampOf(before);
    if (isOlder) await removeFile(path.join(path.dirname(file), name));
  }
}

/** Whether changes stand beside a database that are not in it. */
export function hasChanges(file: string): boolean {
  return (lookNow(`${file}-wal`)?.size ?? 0) > 0;
}

/** What is moved may be the changes alone. */
function isTaken(target: string): boolean {
  return ['', ...BESIDE].some((end) => lookNow(target + end) !== undefined);
}

function stampOf(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
