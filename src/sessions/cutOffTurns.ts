// Which stored turn is the one that a crash or a reload has cut off. After a turn that the chat names, the request tells
// it. At the start of a chat the request is all that is known, and other chats may have begun with the same words: there
// a turn is taken only when it can be no other, since half of another chat is worse than the text that this one shows.

import { hasCode } from '../base/errorCode.ts';
import { numberOf, optionalNumberOf, textOf, type Database, type Row } from '../base/sqlite.ts';

/** Who comes back to a chat later than that does not expect it to know what broke off. */
const RECENT_MS = 24 * 60 * 60 * 1000;
/** A tool may run for so long before the window that runs it writes again. */
const AT_WORK_MS = 10 * 60 * 1000;

/** The turns that may be the one that was cut off after `previous`, newest first. */
export function cutOffAfter(
  database: Database,
  previous: string,
  request: string,
): readonly string[] {
  const rows = database.all(
    `SELECT id FROM turns WHERE previous = (SELECT number FROM turns WHERE id = ?)
     AND ended IS NULL AND request = ? ORDER BY number DESC`,
    previous,
    request,
  );
  return rows.map((row) => textOf(row, 'id'));
}

/** The turn that began a session and was cut off; undefined also when it may be that of another chat. */
export function cutOffAtStart(
  database: Database,
  {
    request,
    later,
    now,
    isRunningHere,
  }: {
    readonly request: string;
    /** The requests that the chat shows behind it. */
    readonly later: readonly string[];
    readonly now: Date;
    readonly isRunningHere: (turnId: string) => boolean;
  },
): string | undefined {
  const rows = database.all(
    `SELECT turns.number, turns.id, ended, process, updated
     FROM turns CROSS JOIN sessions ON sessions.id = turns.session
     WHERE previous IS NULL AND request = ? AND updated >= ? ORDER BY turns.number DESC`,
    request,
    now.getTime() - RECENT_MS,
  );
  const others = rows.filter((row) => !isRunningHere(textOf(row, 'id')));
  const cutOff = others.filter(
    (row) => row['ended'] === null && !isAtWork(row, now) && !wentOnElsewhere(database, row, later),
  );
  const [found] = cutOff;
  // Of two, either may be it. A newer one that came to its end may be the same request, sent again.
  return found && cutOff.length === 1 && found === others[0] ? textOf(found, 'id') : undefined;
}

/** Whether the turns after it are not those that the chat shows. */
function wentOnElsewhere(database: Database, row: Row, later: readonly string[]): boolean {
  const next = database.all(
    'SELECT ended, request FROM turns WHERE previous = ?',
    numberOf(row, 'number'),
  );
  return next.some(
    ({ ended, request }) => ended !== null || !later.some((words) => words === request),
  );
}

/** Whether another window is at work on it. */
export function isAtWork(row: Row, now: Date): boolean {
  const writer = optionalNumberOf(row, 'process');
  if (writer === undefined || writer === process.pid) return false;
  return numberOf(row, 'updated') >= now.getTime() - AT_WORK_MS && isAlive(writer);
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // It is there, and belongs to somebody else.
    return hasCode(error, 'EPERM');
  }
}
