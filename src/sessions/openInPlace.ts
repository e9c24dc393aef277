// Opens the database at its path, where one that cannot be used is moved aside first. One window does this at a time:
// none takes for damaged, or moves, what another is making just then.

import path from 'node:path';
import { lookNow, makePrivateFolder } from '../base/files.ts';
import type { FolderLock } from '../base/folderLock.ts';
import { errorText, type Log } from '../base/log.ts';
import { isDamaged, type Database } from '../base/sqlite.ts';
import { hasChanges, setAside } from './damagedFiles.ts';
import type { SessionProblem } from './session.ts';
import { openSessions } from './sessionDatabase.ts';

/** Why a file must not be used. */
export interface Damage {
  readonly detail: string;
  /** Names the file, whatever stands at its path by now. */
  readonly ino: number | undefined;
}

interface PlaceOptions {
  readonly lock: FolderLock;
  /** What this window found of the file that it had open. */
  readonly damage: Damage | undefined;
  readonly log: Log;
  readonly now: () => Date;
  readonly tell: (problem: SessionProblem) => void;
}

/** Throws as `openSessions` does, and when what is damaged cannot be moved. */
export async function openInPlace(file: string, options: PlaceOptions): Promise<Database> {
  await makePrivateFolder(path.dirname(file));
  return options.lock.run(async () => {
    if (options.damage) await moveDamaged(file, options.damage, options);
    await moveChanges(file, options);
    const ino = lookNow(file)?.ino;
    try {
      return await openSessions(file);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      await moveDamaged(file, { detail: errorText(error), ino }, options);
      // A new one that is damaged too will not get better by another.
      return openSessions(file);
    }
  });
}

async function moveDamaged(
  file: string,
  { detail, ino }: Damage,
  { now, tell }: PlaceOptions,
): Promise<void> {
  // Another window may have moved it already, and made a new one.
  const look = lookNow(file);
  if (!look || look.ino !== ino) return;
  const movedTo = await setAside(file, now());
  tell({ kind: 'damaged', file, movedTo, detail });
}

/** SQLite removes the changes beside a database that is gone or empty: they may be all that is left of it. */
async function moveChanges(file: string, { log, now, tell }: PlaceOptions): Promise<void> {
  const size = lookNow(file)?.size;
  if ((size ?? 0) > 0 || !hasChanges(file)) return;
  const movedTo = await setAside(file, now());
  if (size === undefined) {
    log.warn(`[sessions] ${file} is gone; its last changes were moved to ${movedTo}-wal.`);
  } else {
    const detail = 'It is empty, and changes that are not in it stand beside it.';
    tell({ kind: 'damaged', file, movedTo, detail });
  }
}
