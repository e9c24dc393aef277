// The sessions that the person has deleted. Another window may have one in memory, and a turn that has ended may still
// be learned from: neither may bring back what was said.

import type { Database } from '../base/sqlite.ts';

/** Longer than a window stays open. */
const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1000;

export function rememberRemoved(database: Database, sessionId: string, now: Date): void {
  database.run(
    'INSERT OR REPLACE INTO removed_sessions (id, removed) VALUES (?, ?)',
    sessionId,
    now.getTime(),
  );
  const oldest = now.getTime() - REMEMBERED_MS;
  database.run('DELETE FROM removed_sessions WHERE removed < ?', oldest);
}

export function isRemoved(database: Database, sessionId: string): boolean {
  return database.get('SELECT 1 FROM removed_sessions WHERE id = ?', sessionId) !== undefined;
}
