// How turns are written into the database, and whether one was learned from. A write may be taken back and done again,
// so it changes nothing of a turn in memory before it is certain.

import type { Message } from '../models/model.ts';
import { optionalNumberOf, type Database } from '../base/sqlite.ts';
import { isRemoved } from './removedSessions.ts';
import type { AnsweredRequest } from './session.ts';
import { learnedUpTo, type Learning } from './learnedTurns.ts';
import { takeOver, type TurnChange, type TurnState } from './turnState.ts';

const TURN_NUMBER = '(SELECT number FROM turns WHERE id = ?)';
/** Of a turn whose changes are all stored one by one. */
const NOTHING_AT_ONCE = -1;

/** What is left to do in memory when a write is certain. */
export type Afterwards = () => void;

type Entry = Extract<TurnChange, { readonly position: number }>;

/** Writes the row of a turn that begins. `beforeUpTo`: the last position that is known here of the turn before. */
export function insertTurn(
  database: Database,
  state: TurnState,
  { beforeUpTo, now }: { readonly beforeUpTo: number; readonly now: Date },
): Afterwards | undefined {
  const { ref, previous, learning } = state;
  if (isRemoved(database, ref.sessionId)) return undefined;
  // It is gone when another window removed the session, or when the file was replaced, which may be by an older copy.
  if (previous !== undefined && !isStored(database, previous, beforeUpTo))
    return insertWholeTurn(database, state, now);
  touchSession(database, ref.sessionId, now);
  insertTurnRow(database, {
    ...state,
    id: ref.turnId,
    session: ref.sessionId,
    storedUpTo: NOTHING_AT_ONCE,
  });
  if (learning.learnedUpTo !== undefined) updateLearning(database, learning);
  return undefined;
}

/** Writes what changed of a turn. The same twice is the same as once, except for `answered`. */
export function writeChange(
  database: Database,
  state: TurnState,
  change: TurnChange,
  now: Date,
): Afterwards | undefined {
  const { turnId, sessionId } = state.ref;
  const upTo = storedUpTo(database, turnId);
  if (upTo === undefined) {
    if (isRemoved(database, sessionId)) return undefined;
    // The state has the change already. A mark of its own would name places of the database that is gone.
    const afterwards = insertWholeTurn(database, state, now);
    if (change.kind === 'answered') insertRequest(database, turnId, change.request);
    return afterwards;
  }
  const isEntry = 'position' in change;
  const bytes = isEntry && change.position > upTo ? insertEntry(database, turnId, change, now) : 0;
  touchSession(database, sessionId, now, bytes);
  if (isEntry) return undefined;
  switch (change.kind) {
    case 'system': {
      const text = JSON.stringify(change.text ?? null);
      database.run('UPDATE turns SET system = ? WHERE id = ?', text, turnId);
      break;
    }
    case 'learned':
      for (const turn of change.turns) updateLearning(database, turn);
      break;
    case 'answered':
      insertRequest(database, turnId, change.request);
      break;
    case 'ended':
      database.run('UPDATE turns SET ended = ? WHERE id = ?', now.getTime(), turnId);
  }
  return undefined;
}

/** Whether an extraction has looked at this request in a turn that goes on from `previous`. */
export function wasLearnedAfter(database: Database, previous: string, request: string): boolean {
  const sql = `SELECT 1 FROM turns
    WHERE previous = ${TURN_NUMBER} AND request = ? AND request_learned = 1`;
  return database.get(sql, previous, request) !== undefined;
}

/** Whether the newest turn of all began a session with this request, and an extraction has looked at it. */
export function wasLearnedAtStart(database: Database, request: string): boolean {
  const sql = `SELECT 1 FROM turns WHERE number = (SELECT max(number) FROM turns)
    AND previous IS NULL AND request = ? AND request_learned = 1`;
  return database.get(sql, request) !== undefined;
}

/**
 * The position up to which a turn was stored at once, which is less than 0 where it was not. Undefined when it is not
 * stored, or only what the turns after it need of its log.
 */
function storedUpTo(database: Database, turnId: string): number | undefined {
  const row = database.get('SELECT stored_up_to FROM turns WHERE id = ?', turnId);
  return row && optionalNumberOf(row, 'stored_up_to');
}

function isStored(database: Database, turnId: string, upTo: number): boolean {
  if (storedUpTo(database, turnId) === undefined) return false;
  const row = database.get(
    `SELECT max(position) AS last FROM entries WHERE turn = ${TURN_NUMBER}`,
    turnId,
  );
  return upTo <= (optionalNumberOf(row ?? {}, 'last') ?? -1);
}

/** Writes a turn as it is, and of those before it the log, into a database that has not got them. */
function insertWholeTurn(database: Database, state: TurnState, now: Date): Afterwards {
  const { ref } = state;
  const session = ref.sessionId;
  touchSession(database, session, now);
  const stored = new Map<Message, string>();
  let bytes = 0;
  let previous: string | undefined;
  const insertRow = (id: string): void => {
    const { created } = state;
    insertTurnRow(database, { id, session, previous, created, startedAt: 0 });
    if (id !== ref.turnId) endTurn(database, id, now);
    previous = id;
  };
  for (const { id, message } of state.entries) {
    const colon = id.lastIndexOf(':');
    const turn = id.slice(0, colon);
    if (turn !== previous) insertRow(turn);
    const position = Number(id.slice(colon + 1));
    const entry = { kind: 'message', position, message, working: message } as const;
    bytes += insertEntry(database, turn, entry, now);
    stored.set(message, id);
  }
  if (previous !== ref.turnId) insertRow(ref.turnId);
  const { position, startedAt, compaction, apply } = takeOver(state, stored);
  bytes += insertEntry(database, ref.turnId, { kind: 'compaction', position, compaction }, now);
  // Its row may be there already, made for a turn after it.
  database.run(
    `UPDATE turns SET request = ?, created = ?, ended = ?, started_at = ?, stored_up_to = ?, system = ?
     WHERE id = ?`,
    state.request ?? null,
    state.created.getTime(),
    state.status === 'ended' ? now.getTime() : null,
    startedAt,
    position,
    JSON.stringify(state.systemPrompt ?? null),
    ref.turnId,
  );
  updateLearning(database, state.learning);
  touchSession(database, session, now, bytes);
  return apply;
}

function endTurn(database: Database, id: string, now: Date): void {
  database.run('UPDATE turns SET ended = ? WHERE id = ? AND ended IS NULL', now.getTime(), id);
}

function updateLearning(database: Database, learning: Learning): void {
  database.run(
    'UPDATE turns SET learned_up_to = ?, request_learned = ? WHERE id = ?',
    learnedUpTo(learning),
    Number(learning.requestLearned),
    learning.turnId,
  );
}

/** `bytes`: what was added to its entries. */
function touchSession(database: Database, id: string, now: Date, bytes = 0): void {
  database.run(
    `INSERT INTO sessions (id, updated, bytes) VALUES (?1, ?2, ?3)
     ON CONFLICT (id) DO UPDATE SET updated = ?2, bytes = bytes + ?3`,
    id,
    now.getTime(),
    bytes,
  );
}

function insertTurnRow(
  database: Database,
  turn: Pick<TurnState, 'previous' | 'created' | 'startedAt'> & {
    readonly id: string;
    readonly session: string;
    readonly request?: string | undefined;
    readonly storedUpTo?: number;
  },
): void {
  database.run(
    `INSERT INTO turns
       (id, session, previous, request, created, process, started_at, stored_up_to, request_learned)
     VALUES (?, ?, ${TURN_NUMBER}, ?, ?, ?, ?, ?, 0) ON CONFLICT (id) DO NOTHING`,
    turn.id,
    turn.session,
    turn.previous ?? null,
    turn.request ?? null,
    turn.created.getTime(),
    process.pid,
    turn.startedAt,
    turn.storedUpTo ?? null,
  );
}

function insertRequest(database: Database, turnId: string, request: AnsweredRequest): void {
  const { model, estimate, usage } = request;
  database.run(
    `INSERT INTO requests (turn, model, estimate, input, output, cache_read, cache_write)
     VALUES (${TURN_NUMBER}, ?, ?, ?, ?, ?, ?)`,
    turnId,
    model,
    estimate,
    usage.input,
    usage.output,
    usage.cacheRead,
    usage.cacheWrite,
  );
}

/** The number of bytes that it takes; 0 when it is stored already. */
function insertEntry(database: Database, turnId: string, entry: Entry, now: Date): number {
  const body = JSON.stringify(entry.kind === 'compaction' ? entry.compaction : entry.message);
  const working =
    entry.kind === 'message' && entry.working !== entry.message
      ? JSON.stringify(entry.working)
      : body;
  const other = working === body ? null : working;
  const inserted = database.run(
    `INSERT INTO entries (turn, position, kind, body, working, created)
     VALUES (${TURN_NUMBER}, ?, ?, ?, ?, ?) ON CONFLICT (turn, position) DO NOTHING`,
    turnId,
    entry.position,
    entry.kind,
    body,
    other,
    now.getTime(),
  );
  return inserted === 0 ? 0 : Buffer.byteLength(body) + Buffer.byteLength(other ?? '');
}
