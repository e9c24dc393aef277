// The database of all sessions: how it is opened, and what its tables are. A message is stored as JSON, so that what
// is read is byte for byte what was written.

import { numberOf, openDatabase, type Database } from '../base/sqlite.ts';

/** Written into the file, by which it is known to be ours: "memA". */
const APPLICATION_ID = 0x6d656d41;
/** It is waited for on the thread that the editor's other extensions share. */
export const WAIT_MS = 250;

/** Some milliseconds; SQLite's own 1,000 are three times as long. */
const CHECKPOINT_PAGES = 200;

const SCHEMA_VERSION = 1;
const SCHEMA = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  updated INTEGER NOT NULL,
  bytes INTEGER NOT NULL -- of all its entries
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: entries may outlive their turn
  id TEXT NOT NULL UNIQUE,
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  previous INTEGER REFERENCES turns,
  request TEXT,
  created INTEGER NOT NULL,
  process INTEGER NOT NULL, -- that has written it
  ended INTEGER,
  started_at INTEGER NOT NULL, -- the position of its first own message
  stored_up_to INTEGER, -- the position up to which it was stored at once, or -1; NULL: its messages alone are stored
  learned_up_to INTEGER,
  request_learned INTEGER NOT NULL,
  system TEXT -- JSON; NULL where the turn has that of the one before, 'null' where it has none
) STRICT;
CREATE INDEX turns_by_session ON turns (session);
CREATE INDEX turns_by_previous ON turns (previous, ended);

-- Neither refers to its turn: that would remove all of a session in one step, which takes too long.
CREATE TABLE entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: searches name it, and it says what is indexed
  turn INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('message', 'working', 'compaction')),
  body TEXT NOT NULL, -- JSON
  working TEXT, -- JSON, where it is not the same
  created INTEGER NOT NULL,
  UNIQUE (turn, position)
) STRICT;
CREATE TABLE requests (
  number INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL,
  model TEXT NOT NULL,
  estimate REAL NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_turn ON requests (turn);
CREATE TABLE removed_turns (number INTEGER PRIMARY KEY) STRICT; -- what belongs to them is not removed yet
CREATE TABLE removed_sessions (id TEXT PRIMARY KEY, removed INTEGER NOT NULL) STRICT, WITHOUT ROWID; -- by the person

-- Three characters are the shortest that it finds by its index; where words have no spaces between them it needs none.
CREATE VIRTUAL TABLE words USING fts5 (text, speaker UNINDEXED, tokenize = 'trigram');
-- Merging is done in steps; by itself it takes too long at a time.
INSERT INTO words (words, rank) VALUES ('automerge', 0);
CREATE TABLE indexed (up_to INTEGER NOT NULL) STRICT;
INSERT INTO indexed VALUES (0);
`;

/** The database was made by a newer version of the extension, and is left alone. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** The database is that of another program, and is left alone: what it holds is not ours to move or to delete. */
class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';
}

/**
 * Opens it, and makes it where there is none. Throws `NewerSchemaError`, `ForeignDatabaseError`, or what SQLite says: also that the file is
 * damaged, or held by another process, for which opening does not wait.
 */
export async function openSessions(file: string): Promise<Database> {
  const database = await openDatabase(file, { waitMs: 0 });
  try {
    const version = schemaVersion(database);
    const isOurs = pragma(database, 'application_id') === APPLICATION_ID;
    if (!isOurs && !(version === 0 && isEmpty(database)))
      throw new ForeignDatabaseError('It is a database of another program, and is left alone.');
    if (version > SCHEMA_VERSION)
      throw new NewerSchemaError(`Its schema is ${version}, and ${SCHEMA_VERSION} is known here.`);
    // Before the first table and before the journal is changed, else it is not heard.
    if (version === 0) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
    );
    // What has changed is taken over into the file by whoever writes next: a little each time, to be short.
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // What is deleted is deleted for good, not left in the file until something is written over it.
    database.exec('PRAGMA secure_delete = ON');
    if (version === 0) makeTables(database);
    database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeTables(database: Database): void {
  database.change(() => {
    // Another window may have made them since.
    if (schemaVersion(database) !== 0) return;
    database.exec(
      `${SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`,
    );
  });
}

function isEmpty(database: Database): boolean {
  return database.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
}

function schemaVersion(database: Database): number {
  return pragma(database, 'user_version');
}

function pragma(database: Database, name: string): number {
  return numberOf(database.get(`PRAGMA ${name}`) ?? {}, name);
}
