// Removes old sessions from the database, whole ones, those first that were not used for longest. Each step is short,
// so that nothing else waits for it.

import { numberOf, textOf, type Database } from '../base/sqlite.ts';
import type { SessionStorage } from './sessionStorage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that was used more lately may be that of a turn in another window. */
const QUIET_MS = 60 * 60 * 1000;
/** So much work at a time: some milliseconds. */
const MESSAGES_A_STEP = 20;
const PAGES_A_STEP = 500;

export interface PruneLimits {
  /** 0: none. */
  readonly maxAgeDays: number;
  /** Of the database; 0: none. */
  readonly maxBytes: number;
}

interface PruneRequest {
  readonly limits: PruneLimits;
  readonly now: Date;
  readonly isRunning: (sessionId: string) => boolean;
}

/** The ids of the sessions that were removed. */
export async function pruneSessions(
  storage: SessionStorage,
  { limits, now, isRunning }: PruneRequest,
): Promise<ReadonlySet<string>> {
  const quietSince = now.getTime() - QUIET_MS;
  const candidates = storage.use((database) => candidatesIn(database, limits, now)) ?? [];
  const idle = candidates.filter((id) => !isRunning(id));
  return removeSessions(storage, idle, quietSince);
}

/** Removes all sessions but those in which a turn is running in this window, whatever other windows do. */
export async function removeAllSessions(
  storage: SessionStorage,
  isRunning: PruneRequest['isRunning'],
): Promise<ReadonlySet<string>> {
  const rows = storage.use((database) => database.all('SELECT id FROM sessions')) ?? [];
  const idle = rows.map((row) => textOf(row, 'id')).filter((id) => !isRunning(id));
  return removeSessions(storage, idle, Number.MAX_SAFE_INTEGER);
}

async function removeSessions(
  storage: SessionStorage,
  ids: readonly string[],
  quietSince: number,
): Promise<ReadonlySet<string>> {
  const removed = new Set<string>();
  for (const id of ids) {
    if (storage.use((database) => removeSession(database, id, quietSince))) removed.add(id);
    await pause();
  }
  if (removed.size > 0) await shrink(storage);
  return removed;
}

/** Those that are too old, and then as many as make the database too large. */
function candidatesIn(database: Database, limits: PruneLimits, now: Date): readonly string[] {
  const tooOld = limits.maxAgeDays > 0 ? now.getTime() - limits.maxAgeDays * DAY_MS : 0;
  const rows = database.all(
    `SELECT sessions.id, updated,
       total(octet_length(body)) + total(ifnull(octet_length(working), 0)) AS bytes
     FROM sessions LEFT JOIN turns ON turns.session = sessions.id
       LEFT JOIN entries ON entries.turn = turns.number
     GROUP BY sessions.id ORDER BY updated, sessions.id`,
  );
  const sessions = rows.map((row) => ({
    id: textOf(row, 'id'),
    updated: numberOf(row, 'updated'),
    bytes: numberOf(row, 'bytes'),
  }));
  // Each has its part of the index and the rest in proportion to what it stores.
  const stored = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytesPerByte = stored > 0 ? usedBytes(database) / stored : 0;
  let excess = limits.maxBytes > 0 ? usedBytes(database) - limits.maxBytes : 0;
  return sessions.flatMap(({ id, updated, bytes }) => {
    if (updated >= tooOld && excess <= 0) return [];
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

/** False when it was used meanwhile, in whatever window. */
function removeSession(database: Database, id: string, quietSince: number): boolean {
  const sql = 'DELETE FROM sessions WHERE id = ? AND updated <= ?';
  return database.change(() => database.run(sql, id, quietSince)) > 0;
}

/** Removes the words of messages that are gone, also those that a crash has left, and gives the disk back its room. */
async function shrink(storage: SessionStorage): Promise<void> {
  await repeat(() => storage.use((database) => database.change(() => removeWords(database))));
  let pages = -PAGES_A_STEP;
  await repeat(() => {
    const isMore = storage.use((database) => database.change(() => mergeIndex(database, pages)));
    pages = PAGES_A_STEP;
    return isMore;
  });
  await repeat(() => storage.use(giveBackPages));
  storage.use((database) => database.get('PRAGMA wal_checkpoint(TRUNCATE)'));
}

function removeWords(database: Database): boolean {
  const removed = database.run(
    `DELETE FROM words WHERE rowid IN (
       SELECT id FROM words_content WHERE id NOT IN (SELECT number FROM entries)
       LIMIT ${MESSAGES_A_STEP})`,
  );
  return removed > 0;
}

/** The index only notes what is removed until its parts are merged. A negative number of pages begins it. */
function mergeIndex(database: Database, pages: number): boolean {
  const before = totalChanges(database);
  database.run(`INSERT INTO words (words, rank) VALUES ('merge', ?)`, pages);
  // One change is that of the statement itself.
  return totalChanges(database) - before >= 2;
}

function totalChanges(database: Database): number {
  return numberOf(database.get('SELECT total_changes() AS changes') ?? {}, 'changes');
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
