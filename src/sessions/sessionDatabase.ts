// The database of all sessions: how it is opened, and what its tables are. A message is stored as JSON, so that what
// is read is byte for byte what was written.

import { lookNow, moveIfFree } from '../base/files.ts';
import { DamagedDataError, numberOf, openDatabase, type Database } from '../base/sqlite.ts';

/** It is waited for on the thread that the editor's other extensions share. */
export const WAIT_MS = 250;

/** What SQLite keeps beside a database: changes that are not in it yet, and what processes share. */
const BESIDE = ['-wal', '-shm'];

const SCHEMA_VERSION = 1;
const SCHEMA = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  previous INTEGER REFERENCES turns,
  request TEXT,
  created INTEGER NOT NULL,
  ended INTEGER,
  system TEXT, -- JSON; NULL where the turn has that of the one before, 'null' where it has none
  learned INTEGER,
  heard INTEGER NOT NULL
) STRICT;
CREATE INDEX turns_by_session ON turns (session);
CREATE INDEX turns_by_previous ON turns (previous, request);

CREATE TABLE entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: searches name it, and it says what is indexed
  turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('message', 'control', 'compaction')),
  body TEXT NOT NULL, -- JSON
  working TEXT, -- JSON, where it is not the same
  created INTEGER NOT NULL,
  UNIQUE (turn, position)
) STRICT;

CREATE TABLE requests (
  number INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
  model TEXT NOT NULL,
  estimate REAL NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_turn ON requests (turn);

-- Three characters are the shortest that it finds by its index; where words have no spaces between them it needs none.
CREATE VIRTUAL TABLE words USING fts5 (text, speaker UNINDEXED, tokenize = 'trigram');
CREATE TABLE indexed (up_to INTEGER NOT NULL) STRICT;
INSERT INTO indexed VALUES (0);
`;

/** The database was made by a newer version of the extension, and is left alone. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

export async function openSessions(file: string): Promise<Database> {
  refuseLeftovers(file);
  const database = await openDatabase(file, { waitMs: WAIT_MS });
  try {
    const version = schemaVersion(database);
    if (version > SCHEMA_VERSION)
      throw new NewerSchemaError(`Its schema is ${version}, and ${SCHEMA_VERSION} is known here.`);
    // Before the first table and before the journal is changed, else it is not heard.
    if (version === 0) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
    );
    if (version === 0) makeTables(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite removes the changes beside an empty database: they may be all that is left of it. */
function refuseLeftovers(file: string): void {
  if (lookNow(file)?.size === 0 && hasChanges(file))
    throw new DamagedDataError('It is empty, and changes that are not in it stand beside it.');
}

/** Whether a database is gone and its last changes are still there. */
export function isOrphaned(file: string): boolean {
  return lookNow(file) === undefined && hasChanges(file);
}

function hasChanges(file: string): boolean {
  return (lookNow(`${file}-wal`)?.size ?? 0) > 0;
}

function makeTables(database: Database): void {
  database.change(() => {
    // Another window may have made them since.
    if (schemaVersion(database) !== 0) return;
    database.exec(`${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function schemaVersion(database: Database): number {
  return numberOf(database.get('PRAGMA user_version') ?? {}, 'user_version');
}

/** Moves a database with all that belongs to it out of the way, and returns its new path. */
export async function setAside(file: string, now: Date): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
  let target = `${file}.corrupt-${stamp}`;
  for (let count = 2; lookNow(target) !== undefined; count++)
    target = `${file}.corrupt-${stamp}-${count}`;
  for (const end of ['', ...BESIDE]) {
    if (lookNow(file + end) === undefined) continue;
    if (!(await moveIfFree(file + end, target + end)))
      throw new Error(`${file}${end} cannot be moved to ${target}${end}: a file stands there.`);
  }
  return target;
}
