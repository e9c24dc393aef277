// What the tests of /context and /compact share: sessions and an archive of their own, and a request to them.

import type { SessionRequest, SessionDeps } from '../../src/agent/sessionDeps.ts';
import { SeenFilesOfSessions } from '../../src/agent/seenFiles.ts';
import { silentLog } from '../../src/base/log.ts';
import { Archive } from '../../src/context/archive.ts';
import { Compactor } from '../../src/context/compactor.ts';
import { SessionStore } from '../../src/sessions/sessionStore.ts';
import { scriptedModel } from '../support/scriptedModel.ts';

export const LIMITS = { input: 100_000, output: 20_000 };

/** Sessions live in memory, archives in `folder`. */
export function sessionDeps(folder: string): SessionDeps {
  return {
    sessions: new SessionStore(),
    compactor: new Compactor({ log: silentLog }),
    seen: new SeenFilesOfSessions(),
    archive: new Archive({ root: folder, pointers: 'relative' }),
    memory: undefined,
    log: silentLog,
    now: () => new Date(),
  };
}

/** In a new chat, to a model that fails the test when it is asked anything. */
export function sessionRequest(options: Partial<SessionRequest>): SessionRequest {
  const model = scriptedModel([], { name: 'Model *1*', limits: LIMITS });
  return {
    previous: undefined,
    unfinished: [],
    visibleHistory: [],
    model,
    utilityModel: model,
    tools: [],
    folders: [],
    recall: 'auto',
    extraction: 'auto',
    compaction: { maxTokens: 0, maxMessages: 0 },
    ...options,
  };
}
