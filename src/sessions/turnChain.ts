// Reads a turn back: what all turns of its chain stored, in order, is done again. The working history is that of the
// last compaction mark and what followed it.

import { parseJson } from '../base/parseJson.ts';
import {
  DamagedDataError,
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  textOf,
  type Database,
  type Row,
} from '../base/sqlite.ts';
import { isJsonObject, type Message } from '../models/model.ts';
import type { AnsweredRequest, CompactionMark } from './session.ts';
import type { Learning } from './learnedTurns.ts';
import {
  NOT_OF_HISTORY,
  placeInMark,
  placeOf,
  pushMessage,
  pushWorking,
  setWorking,
  type TurnState,
  type UsageTotal,
} from './turnState.ts';

/**
 * A turn always goes on from an older one, so a damaged chain ends too. What is read of it is joined by CROSS JOIN,
 * which SQLite takes in the order in which it stands: it would begin with all of the other table.
 */
const CHAIN = `WITH RECURSIVE chain (number, previous) AS (
  SELECT number, previous FROM turns WHERE id = ?
  UNION ALL
  SELECT turns.number, turns.previous FROM chain CROSS JOIN turns ON turns.number = chain.previous
  WHERE turns.number < chain.number
)`;

/** The turn as it was stored; undefined when there is none. Throws `DamagedDataError` when it makes no sense. */
export function loadTurn(
  database: Database,
  turnId: string,
  { order, totalOf }: { order: number; totalOf: (sessionId: string) => UsageTotal },
): TurnState | undefined {
  const turns = database.all(
    `${CHAIN} SELECT turns.* FROM chain CROSS JOIN turns USING (number) ORDER BY number`,
    turnId,
  );
  const last = turns.at(-1);
  const learning = learningOf(turns);
  if (!last || !learning) return undefined;
  const sessionId = textOf(last, 'session');
  const before = turns.at(-2);
  const state: TurnState = {
    ref: { sessionId, turnId },
    previous: before && textOf(before, 'id'),
    request: optionalTextOf(last, 'request'),
    created: new Date(numberOf(last, 'created')),
    order,
    learning,
    entries: [],
    log: [],
    working: [],
    places: [],
    position: 0,
    startedAt: numberOf(last, 'started_at'),
    systemPrompt: systemPromptOf(turns),
    lastCompaction: undefined,
    lastRequest: lastRequestOf(database, turnId),
    total: totalOf(sessionId),
    status: last['ended'] === null ? 'cutOff' : 'ended',
  };
  replay(database, state);
  return state;
}

/** Of all turns of a session. */
export function loadTotal(database: Database, sessionId: string): UsageTotal {
  const row = database.get(
    `SELECT count(*) AS requests, total(input) AS input, total(output) AS output,
       total(cache_read) AS cache_read, total(cache_write) AS cache_write
     FROM turns CROSS JOIN requests ON requests.turn = turns.number WHERE turns.session = ?`,
    sessionId,
  );
  return { ...usageOf(row ?? {}), requests: numberOf(row ?? {}, 'requests') };
}

/** How many messages of the log of a turn were looked at, in it or in one before it. */
export function loadLearned(database: Database, turnId: string): number {
  const row = database.get(
    `${CHAIN} SELECT learned_up_to FROM chain CROSS JOIN turns USING (number)
     WHERE learned_up_to IS NOT NULL ORDER BY number DESC LIMIT 1`,
    turnId,
  );
  return optionalNumberOf(row ?? {}, 'learned_up_to') ?? 0;
}

function replay(database: Database, state: TurnState): void {
  const rows = database.all(
    `${CHAIN} SELECT turns.id AS turn, position, kind, body, working
     FROM chain CROSS JOIN turns USING (number) CROSS JOIN entries ON entries.turn = turns.number
     ORDER BY turns.number, position`,
    state.ref.turnId,
  );
  const placed = new Map<string, Message>();
  for (const row of rows) {
    const turn = textOf(row, 'turn');
    const position = numberOf(row, 'position');
    const place = placeOf(turn, position);
    switch (textOf(row, 'kind')) {
      case 'message': {
        const message = messageOf(row, 'body', place);
        const working = row['working'] === null ? message : messageOf(row, 'working', place);
        pushMessage(state, place, message, working);
        placed.set(place, working);
        break;
      }
      case 'working': {
        const message = messageOf(row, 'body', place);
        pushWorking(state, place, message);
        placed.set(place, message);
        break;
      }
      default:
        takeCompaction(state, place, valueOf(row, 'body'), placed);
    }
    if (turn === state.ref.turnId) state.position = position + 1;
  }
}

function takeCompaction(
  state: TurnState,
  markPlace: string,
  stored: unknown,
  placed: Map<string, Message>,
): void {
  if (!isJsonObject(stored) || !Array.isArray(stored['working']))
    throw new DamagedDataError(`${markPlace} is no compaction mark.`);
  const working: readonly unknown[] = stored['working'];
  const places: string[] = [];
  const messages = working.map((each, index) => {
    const place = typeof each === 'string' ? each : placeInMark(markPlace, index);
    if (isMessage(each)) placed.set(place, each);
    const message = placed.get(place);
    if (!message) throw new DamagedDataError(`${markPlace} names ${place}, which is not there.`);
    places.push(place);
    return message;
  });
  setWorking(state, messages, places);
  if (stored['mark'] !== undefined) state.lastCompaction = markOf(stored['mark'], markPlace);
}

function markOf(value: unknown, place: string): CompactionMark {
  const { stages, before, after, archive, at } = isJsonObject(value) ? value : {};
  if (
    !Array.isArray(stages) ||
    !stages.every((stage) => typeof stage === 'string') ||
    typeof before !== 'number' ||
    typeof after !== 'number' ||
    typeof archive !== 'string' ||
    typeof at !== 'string' ||
    Number.isNaN(Date.parse(at))
  )
    throw new DamagedDataError(`${place} does not say how the history was compacted.`);
  return { stages, before, after, archive, at: new Date(at) };
}

function learningOf(turns: readonly Row[]): Learning | undefined {
  let learning: Learning | undefined;
  for (const row of turns) {
    learning = {
      turnId: textOf(row, 'id'),
      before: learning,
      learnedUpTo: optionalNumberOf(row, 'learned_up_to'),
      requestLearned: numberOf(row, 'request_learned') === 1,
    };
  }
  return learning;
}

function systemPromptOf(turns: readonly Row[]): string | undefined {
  const row = turns.findLast((turn) => turn['system'] !== null);
  const text = row && valueOf(row, 'system');
  return typeof text === 'string' ? text : undefined;
}

function lastRequestOf(database: Database, turnId: string): AnsweredRequest | undefined {
  const row = database.get(
    `${CHAIN} SELECT requests.* FROM chain CROSS JOIN requests ON requests.turn = chain.number
     WHERE requests.estimate <> ? ORDER BY requests.number DESC LIMIT 1`,
    turnId,
    NOT_OF_HISTORY,
  );
  if (!row) return undefined;
  return { model: textOf(row, 'model'), estimate: numberOf(row, 'estimate'), usage: usageOf(row) };
}

function usageOf(row: Row): AnsweredRequest['usage'] {
  return {
    input: numberOf(row, 'input'),
    output: numberOf(row, 'output'),
    cacheRead: numberOf(row, 'cache_read'),
    cacheWrite: numberOf(row, 'cache_write'),
  };
}

/** The message in a column. `place` names it to who reads that it is damaged. */
export function messageOf(row: Row, column: string, place: string): Message {
  const message = messageIfSound(row, column);
  if (!message) throw new DamagedDataError(`${place} is no message.`);
  return message;
}

export function messageIfSound(row: Row, column: string): Message | undefined {
  const value = valueOf(row, column);
  return isMessage(value) ? value : undefined;
}

function valueOf(row: Row, column: string): unknown {
  return parseJson(textOf(row, column));
}

/** We wrote it, so its blocks are not looked at: damage shows in the text, which is no JSON then. */
function isMessage(value: unknown): value is Message {
  if (!isJsonObject(value)) return false;
  return (
    (value['role'] === 'user' || value['role'] === 'assistant') && Array.isArray(value['content'])
  );
}
