// How turns are written into the database and found in it by what the chat knows of them.

import type { Message } from '../models/model.ts';
import { textOf, type Database } from '../base/sqlite.ts';
import {
  learnedOf,
  replaceWorking,
  type StoredCompaction,
  type TurnChange,
  type TurnState,
} from './turnState.ts';

const TURN_NUMBER = '(SELECT number FROM turns WHERE id = ?)';

/** Writes the row of a turn that begins. */
export function insertTurn(database: Database, state: TurnState, now: Date): void {
  const { ref, previous, learning } = state;
  // It is gone when another window removed the session, or when the file was replaced.
  if (previous !== undefined && !isStored(database, previous))
    return insertWholeTurn(database, state, now);
  touchSession(database, ref.sessionId, now);
  insertTurnRow(database, {
    id: ref.turnId,
    session: ref.sessionId,
    previous,
    request: state.request,
    created: state.created,
  });
  if (learning.learned !== undefined) {
    const sql = 'UPDATE turns SET learned = ?, heard = ? WHERE id = ?';
    database.run(sql, learning.learned, Number(learning.heard), ref.turnId);
  }
}

/** Writes what changed of a turn. The same twice is the same as once, except for `answered`. */
export function writeChange(
  database: Database,
  state: TurnState,
  change: TurnChange,
  now: Date,
): void {
  const { turnId, sessionId } = state.ref;
  if (!isStored(database, turnId)) insertWholeTurn(database, state, now);
  touchSession(database, sessionId, now);
  switch (change.kind) {
    case 'message': {
      const { position } = change;
      const body = JSON.stringify(change.message);
      const working = change.working === change.message ? body : JSON.stringify(change.working);
      insertEntry(database, turnId, {
        position,
        kind: 'message',
        body,
        now,
        working: working === body ? null : working,
      });
      return;
    }
    case 'control': {
      const body = JSON.stringify(change.message);
      insertEntry(database, turnId, { position: change.position, kind: 'control', body, now });
      return;
    }
    case 'compaction': {
      const body = JSON.stringify(change.compaction);
      insertEntry(database, turnId, { position: change.position, kind: 'compaction', body, now });
      return;
    }
    case 'system':
      database.run(
        'UPDATE turns SET system = ? WHERE id = ?',
        JSON.stringify(change.text ?? null),
        turnId,
      );
      return;
    case 'learned':
      database.run('UPDATE turns SET learned = ?, heard = 1 WHERE id = ?', change.learned, turnId);
      return;
    case 'answered': {
      const { model, estimate, usage } = change.request;
      database.run(
        `INSERT INTO requests (turn, model, estimate, input, output, cache_read, cache_write, created)
         VALUES (${TURN_NUMBER}, ?, ?, ?, ?, ?, ?, ?)`,
        turnId,
        model,
        estimate,
        usage.input,
        usage.output,
        usage.cacheRead,
        usage.cacheWrite,
        now.getTime(),
      );
      return;
    }
    case 'ended':
      database.run('UPDATE turns SET ended = ? WHERE id = ?', now.getTime(), turnId);
  }
}

/** The turns that may be the one that was cut off after `previous`, newest first. */
export function cutOffTurns(
  database: Database,
  previous: string | undefined,
  request: string,
): readonly string[] {
  const rows = database.all(
    `SELECT id FROM turns WHERE previous IS ${TURN_NUMBER} AND request = ? AND ended IS NULL
     ORDER BY number DESC`,
    previous ?? null,
    request,
  );
  return rows.map((row) => textOf(row, 'id'));
}

/** Whether a turn with this request was learned from that goes on from `previous`. */
export function wasHeardAfter(
  database: Database,
  previous: string,
  request: string | undefined,
): boolean {
  const sql = `SELECT 1 FROM turns WHERE previous = ${TURN_NUMBER} AND request IS ? AND heard = 1`;
  return database.get(sql, previous, request ?? null) !== undefined;
}

/** Whether the newest turn of all began a session with this request, and was learned from. */
export function wasNewestHeard(database: Database, request: string | undefined): boolean {
  const sql = `SELECT 1 FROM (SELECT * FROM turns ORDER BY number DESC LIMIT 1)
    WHERE previous IS NULL AND request IS ? AND heard = 1`;
  return database.get(sql, request ?? null) !== undefined;
}

function isStored(database: Database, turnId: string): boolean {
  return database.get('SELECT 1 FROM turns WHERE id = ?', turnId) !== undefined;
}

/** Writes a turn and all before it as far as they are known, into a database that has none of them. */
function insertWholeTurn(database: Database, state: TurnState, now: Date): void {
  const { ref } = state;
  touchSession(database, ref.sessionId, now);
  const stored = new Map<Message, string>();
  let previous: string | undefined;
  for (const { id, message } of state.entries) {
    const colon = id.lastIndexOf(':');
    const turn = id.slice(0, colon);
    if (turn !== previous) {
      const request = turn === ref.turnId ? state.request : undefined;
      const { created } = state;
      insertTurnRow(database, { id: turn, session: ref.sessionId, previous, request, created });
      if (turn !== ref.turnId) endTurn(database, turn, now);
      previous = turn;
    }
    const position = Number(id.slice(colon + 1));
    insertEntry(database, turn, { position, kind: 'message', body: JSON.stringify(message), now });
    stored.set(message, id);
  }
  if (previous !== ref.turnId) {
    const { request, created } = state;
    insertTurnRow(database, { id: ref.turnId, session: ref.sessionId, previous, request, created });
  }
  database.run(
    'UPDATE turns SET system = ?, learned = ?, heard = ? WHERE id = ?',
    JSON.stringify(state.systemPrompt ?? null),
    learnedOf(state.learning),
    Number(state.learning.heard),
    ref.turnId,
  );
  if (state.status === 'ended') endTurn(database, ref.turnId, now);
  takeOverWorking(database, state, stored, now);
}

function takeOverWorking(
  database: Database,
  state: TurnState,
  stored: ReadonlyMap<Message, string>,
  now: Date,
): void {
  const position = state.position++;
  const working = replaceWorking(state, state.working, { position, stored });
  const body = JSON.stringify({ working } satisfies StoredCompaction);
  insertEntry(database, state.ref.turnId, { position, kind: 'compaction', body, now });
}

function endTurn(database: Database, id: string, now: Date): void {
  database.run('UPDATE turns SET ended = ? WHERE id = ? AND ended IS NULL', now.getTime(), id);
}

function touchSession(database: Database, id: string, now: Date): void {
  database.run(
    `INSERT INTO sessions (id, created, updated) VALUES (?1, ?2, ?2)
     ON CONFLICT (id) DO UPDATE SET updated = ?2`,
    id,
    now.getTime(),
  );
}

function insertTurnRow(
  database: Database,
  turn: {
    readonly id: string;
    readonly session: string;
    readonly previous: string | undefined;
    readonly request: string | undefined;
    readonly created: Date;
  },
): void {
  database.run(
    `INSERT INTO turns (id, session, previous, request, created, heard)
     VALUES (?, ?, ${TURN_NUMBER}, ?, ?, 0) ON CONFLICT (id) DO NOTHING`,
    turn.id,
    turn.session,
    turn.previous ?? null,
    turn.request ?? null,
    turn.created.getTime(),
  );
}

function insertEntry(
  database: Database,
  turnId: string,
  entry: {
    readonly position: number;
    readonly kind: 'message' | 'control' | 'compaction';
    readonly body: string;
    readonly working?: string | null;
    readonly now: Date;
  },
): void {
  database.run(
    `INSERT INTO entries (turn, position, kind, body, working, created)
     VALUES (${TURN_NUMBER}, ?, ?, ?, ?, ?) ON CONFLICT (turn, position) DO NOTHING`,
    turnId,
    entry.position,
    entry.kind,
    entry.body,
    entry.working ?? null,
    entry.now.getTime(),
  );
}
