// Databases that cannot be used any more: each is moved aside with all that belongs to it, beside the new one, and
// removed when it is old.

import path from 'node:path';
import { listFolder, lookNow, moveIfFree, removeFile } from '../base/files.ts';

/** What SQLite keeps beside a database: changes that are not in it yet, and what processes share. */
const BESIDE = ['-wal', '-shm'];
const DAMAGED = '.damaged-';

/** Moves a database with all that belongs to it out of the way, and returns its new path. */
export async function setAside(file: string, now: Date): Promise<string> {
  const stamp = stampOf(now);
  let target = `${file}${DAMAGED}${stamp}`;
  for (let count = 2; isTaken(target); count++) target = `${file}${DAMAGED}${stamp}-${count}`;
  for (const end of ['', ...BESIDE]) {
    if (lookNow(file + end) === undefined) continue;
    if (!(await moveIfFree(file + end, target + end)))
      throw new Error(`${file}${end} cannot be moved to ${target}${end}: a file stands there.`);
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
