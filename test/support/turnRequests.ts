// What tests of a turn share: sessions in memory, real memories and archives, and a request in a new chat.

import { Learning } from '../../src/agent/learning/learning.ts';
import { SeenFilesOfSessions } from '../../src/agent/seenFiles.ts';
import type { SessionDeps } from '../../src/agent/sessionDeps.ts';
import type { TurnRequest } from '../../src/agent/turn.ts';
import { silentLog } from '../../src/base/log.ts';
import { Archive } from '../../src/context/archive.ts';
import { Compactor } from '../../src/context/compactor.ts';
import type { MemoryScopes } from '../../src/memory/scopes.ts';
import { SessionStore } from '../../src/sessions/sessionStore.ts';
import { UNSET } from './contextWindows.ts';

/** Archives are in `folder`. */
export function turnDeps(folder: string, scopes: MemoryScopes): SessionDeps {
  return {
    sessions: new SessionStore(),
    compactor: new Compactor({ log: silentLog }),
    archive: new Archive({ root: folder, pointers: 'relative' }),
    memory: { scopes, learning: new Learning({ scopes, log: silentLog }) },
    seen: new SeenFilesOfSessions(),
    log: silentLog,
    now: () => new Date('2026-03-04T05:06:07Z'),
  };
}

type Given = Pick<TurnRequest, 'text' | 'model' | 'utilityModel' | 'folders'>;

export function turnRequest(options: Given & Partial<TurnRequest>): TurnRequest {
  return {
    previous: undefined,
    unfinished: [],
    visibleHistory: [],
    compaction: UNSET,
    tools: [],
    recall: 'auto',
    extraction: 'auto',
    maxRounds: 10,
    ...options,
  };
}
