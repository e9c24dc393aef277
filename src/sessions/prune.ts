// Removes old sessions from the database, whole ones, those first that were not used for longest. Each step is short,
// so that nothing else waits for it: a session is gone at once for whoever looks for it, and what it stored is removed
// a slice at a time, also what a crash has left.

import { lookNow } from '../base/files.ts';
import { sentence, SentenceError, type Sentence } from '../base/sentence.ts';
import { numberOf, textOf, type Database } from '../base/sqlite.ts';
import { removeSetAside } from './damagedFiles.ts';
import { rememberRemoved } from './removedSessions.ts';
import { beginMerge, mergeIndex } from './searchIndex.ts';
import type { SessionStorage } from './sessionStorage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that was used more lately may be that of a turn in another window. */
const QUIET_MS = 60 * 60 * 1000;
/** So much work at a time: some milliseconds. A message is never split. */
const ENTRIES_A_STEP = 20;
const BYTES_A_STEP = 30_000;
const PAGES_A_STEP = 100;

export interface PruneLimits {
  /** 0: none. */
  readonly maxAgeDays: number;
  /** Of the database; 0: none. */
  readonly maxBytes: number;
}

export interface Removal {
  readonly now: Date;
  /** Whether a turn of the session is running in this window: then it stays. */
  readonly isRunning: (sessionId: string) => boolean;
  readonly onRemoved: (sessionId: string) => void;
}

/** Returns how many were removed. Databases that were set aside and are too old are removed too. */
export async function pruneSessions(
  storage: SessionStorage,
  { limits, ...removal }: Removal & { readonly limits: PruneLimits },
): Promise<number> {
  const now = removal.now.getTime();
  const oldest = limits.maxAgeDays > 0 ? now - limits.maxAgeDays * DAY_MS : 0;
  const candidates =
    storage.use((database) => candidatesIn(database, oldest, limits.maxBytes)) ?? [];
  const removed = await removeSessions(storage, candidates, removal, (database, id) =>
    removeSession(database, id, now - QUIET_MS),
  );
  if (storage.file !== undefined && oldest > 0)
    await removeSetAside(storage.file, new Date(oldest));
  return removed;
}

/**
 * Removes all sessions but those in which a turn is running in this window, whatever other windows do. Returns how
 * many. Throws when some of what was there is still there.
 */
export async function removeAllSessions(
  storage: SessionStorage,
  removal: Removal,
): Promise<number> {
  const ids = storage.use(sessionsIn);
  const removed = await removeSessions(storage, ids ?? [], removal, (database, id) => {
    const isThere = removeSession(database, id, Number.MAX_SAFE_INTEGER);
    rememberRemoved(database, id, removal.now);
    return isThere;
  });
  if (storage.file === undefined) return removed;
  // One that has shown to be damaged meanwhile is set aside, and removed with those that were.
  await storage.ready('leave');
  await removeSetAside(storage.file);
  if (lookNow(storage.file) === undefined) return removed;
  const left = storage.use((database) => ({
    ids: sessionsIn(database).filter((id) => !removal.isRunning(id)),
    hasParts: database.get('SELECT 1 FROM removed_turns LIMIT 1') !== undefined,
  }));
  // Others may have begun meanwhile.
  if (!left || left.hasParts || left.ids.some((id) => ids?.includes(id) ?? true))
    throw new SentenceError(notAllRemoved(storage.file));
  return removed;
}

function notAllRemoved(file: string): Sentence {
  return sentence`Not all conversations could be deleted: ${file} is in use, or cannot be written. Close other windows and programs that use it, then delete again.`;
}

function sessionsIn(database: Database): readonly string[] {
  return database.all('SELECT id FROM sessions').map((row) => textOf(row, 'id'));
}

/** `remove` tells whether it was there to be removed. */
async function removeSessions(
  storage: SessionStorage,
  ids: readonly string[],
  { isRunning, onRemoved }: Removal,
  remove: (database: Database, id: string) => boolean,
): Promise<number> {
  let removed = 0;
  for (const id of ids) {
    if (isRunning(id)) continue;
    if (storage.use((database) => database.change(() => remove(database, id)))) {
      removed++;
      onRemoved(id);
    }
    await pause();
  }
  let slices = 0;
  for (; storage.use((database) => database.change(() => removeSlice(database))); slices++) {
    await pause();
    await repeat(() => storage.use(mergeIndex));
  }
  if (slices > 0) await shrink(storage);
  return removed;
}

/** Those that are too old, and then as many as make the database too large. */
function candidatesIn(database: Database, oldest: number, maxBytes: number): readonly string[] {
  const rows = database.all('SELECT id, updated, bytes FROM sessions ORDER BY updated, id');
  const sessions = rows.map((row) => ({
    id: textOf(row, 'id'),
    updated: numberOf(row, 'updated'),
    bytes: numberOf(row, 'bytes'),
  }));
  // Each has its part of the index and the rest in proportion to what it stores.
  const stored = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytesPerByte = stored > 0 ? usedBytes(database) / stored : 0;
  let excess = maxBytes > 0 ? usedBytes(database) - maxBytes : 0;
  return sessions.flatMap(({ id, updated, bytes }) => {
    if (updated >= oldest && excess <= 0) return [];
    excess -= bytes * bytesPerByte;
    return [id];
  });
}

function usedBytes(database: Database): number {
  const free = pragma(database, 'freelist_count');
  return (pragma(database, 'page_count') - free) * pragma(database, 'page_size');
}

function pragma(database: Database, name: string): number {
  return numberOf(database.get(`PRAGMA ${name}`) ?? {}, name);
}

/** Its turns go with it; what they stored stays for `removeSlice`. False when it was used meanwhile, in any window. */
function removeSession(database: Database, id: string, quietSince: number): boolean {
  const isQuiet = database.get(
    'SELECT 1 FROM sessions WHERE id = ? AND updated <= ?',
    id,
    quietSince,
  );
  if (!isQuiet) return false;
  database.run('INSERT INTO removed_turns SELECT number FROM turns WHERE session = ?', id);
  database.run('DELETE FROM sessions WHERE id = ?', id);
  return true;
}

/** Removes some of what turns stored that are gone, and its words. False when there is none. */
function removeSlice(database: Database): boolean {
  const row = database.get('SELECT number FROM removed_turns LIMIT 1');
  if (!row) return false;
  const turn = numberOf(row, 'number');
  const entries = database.all(
    `SELECT number, octet_length(body) + ifnull(octet_length(working), 0) AS bytes
     FROM entries WHERE turn = ? LIMIT ${ENTRIES_A_STEP}`,
    turn,
  );
  let bytes = 0;
  for (const entry of entries) {
    const number = numberOf(entry, 'number');
    database.run('DELETE FROM words WHERE rowid = ?', number);
    database.run('DELETE FROM entries WHERE number = ?', number);
    bytes += numberOf(entry, 'bytes');
    if (bytes > BYTES_A_STEP) return true;
  }
  if (entries.length < ENTRIES_A_STEP) {
    database.run('DELETE FROM requests WHERE turn = ?', turn);
    database.run('DELETE FROM removed_turns WHERE number = ?', turn);
  }
  return true;
}

/** Takes out of the index what it has only noted as removed, and gives the disk back its room. */
async function shrink(storage: SessionStorage): Promise<void> {
  storage.use(beginMerge);
  await repeat(() => storage.use(mergeIndex));
  await repeat(() => storage.use(giveBackPages));
  storage.use((database) => database.get('PRAGMA wal_checkpoint(TRUNCATE)'));
}

function giveBackPages(database: Database): boolean {
  const before = pragma(database, 'freelist_count');
  database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`);
  const after = pragma(database, 'freelist_count');
  return after > 0 && after < before;
}

/** Until there is no more to do, or it fails. */
async function repeat(step: () => boolean | undefined): Promise<void> {
  while (step()) await pause();
}

function pause(): Promise<void> {
  return new Promise(setImmediate);
}
