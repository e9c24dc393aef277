// Session stores over one database of a test's own, each like a window that was opened after the one before.

import path from 'node:path';
import { afterEach, beforeEach } from 'mocha';
import type { Log } from '../../src/base/log.ts';
import type { Message } from '../../src/models/model.ts';
import type { CompactionMark, SessionProblem, SessionTurn } from '../../src/sessions/session.ts';
import { SESSIONS_FILE, SessionStore } from '../../src/sessions/sessionStore.ts';
import { useTempFolder } from './tempFolder.ts';

export interface SessionStores {
  readonly file: string;
  /** What the stores told, in order. */
  readonly problems: SessionProblem[];
  open(options?: {
    readonly file?: string;
    readonly log?: Log;
    readonly now?: () => Date;
    readonly patienceMs?: number;
  }): SessionStore;
}

/** Registers hooks that give each test a fresh folder, and close what it opened. */
export function useSessionStores(): SessionStores {
  const temp = useTempFolder();
  const opened: SessionStore[] = [];
  const problems: SessionProblem[] = [];
  beforeEach(() => {
    problems.length = 0;
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
  });
  return {
    problems,
    get file() {
      return path.join(temp.path, 'storage', SESSIONS_FILE);
    },
    open(options = {}) {
      const file = options.file ?? this.file;
      const onProblem = (problem: SessionProblem) => problems.push(problem);
      const store = new SessionStore({ ...options, file, onProblem });
      opened.push(store);
      return store;
    },
  };
}

export function markOf(options: Partial<CompactionMark> = {}): CompactionMark {
  const at = new Date('2026-01-02T03:04:05.678Z');
  return { stages: ['snip'], before: 200, after: 100, archive: '/archive/s.jsonl', at, ...options };
}

/** A turn with these messages, from its beginning to its end. */
export async function writeTurn(
  store: SessionStore,
  messages: readonly Message[],
  start: Parameters<SessionStore['begin']>[0] = {},
): Promise<SessionTurn> {
  const turn = await store.begin(start);
  for (const message of messages) turn.append(message);
  turn.end();
  return turn;
}
