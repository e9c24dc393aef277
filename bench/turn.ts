// Our own time in a turn, with a model that answers at once: from the request to the first model request, and from
// the last token to the end of the reply. Many memories, and a long session that is known or must be read again.

import fs from 'node:fs';
import path from 'node:path';

import { Learning } from '../src/agent/learning/learning.ts';
import { createSessionTools } from '../src/agent/sessionTools.ts';
import { SeenFilesOfSessions } from '../src/agent/seenFiles.ts';
import type { Tool } from '../src/agent/tools.ts';
import type { SessionDeps } from '../src/agent/sessionDeps.ts';
import { runTurn } from '../src/agent/turn.ts';
import { createWorkspaceTools } from '../src/agent/workspaceTools.ts';
import { silentLog } from '../src/base/log.ts';
import { Archive } from '../src/context/archive.ts';
import { Compactor } from '../src/context/compactor.ts';
import { printRecord } from '../src/memory/record.ts';
import { MemoryScopes } from '../src/memory/scopes.ts';
import { MemoryStore } from '../src/memory/store.ts';
import type { Model, ModelRequest } from '../src/models/model.ts';
import type { TurnRef } from '../src/sessions/session.ts';
import { SESSIONS_FILE, SessionStore } from '../src/sessions/sessionStore.ts';
import { says } from '../test/support/conversation.ts';
import { diskWorkspace } from '../test/support/diskWorkspace.ts';
import type { Results } from './bench.ts';
import { quantile } from './median.ts';
import { writeSession } from './sessions.ts';
import { makeTempFolder } from './tempFolder.ts';

const RECORDS = 1_000;
const MESSAGES = 1_000;
const RUNS = 40;
const WARM_UP_RUNS = 3;

export async function measureTurn(): Promise<Results> {
  const folder = makeTempFolder();
  const memory = path.join(folder, '.memory');
  writeRecords(memory);
  const file = path.join(folder, 'storage', SESSIONS_FILE);
  const sessions = new SessionStore({ file });
  const last = await writeSession(sessions, MESSAGES);
  const window = openWindow(folder, memory);

  let previous = last;
  const known = await ownTimes(async () => {
    const own = await timedTurn({ ...window.deps, sessions }, { ...window, previous });
    previous = own.ref;
    return own;
  });
  sessions.close();
  const read = await ownTimes(async () => {
    const reopened = new SessionStore({ file });
    const own = await timedTurn({ ...window.deps, sessions: reopened }, { ...window, previous });
    reopened.close();
    return own;
  });
  return {
    ...rows(`own time of a turn, ${RECORDS} memories, ${MESSAGES} messages`, known),
    ...rows('the same after a reload', read),
  };
}

interface OwnTime {
  /** Request in, first model request out. */
  readonly before: number;
  /** Last token in, reply ended. */
  readonly after: number;
}

async function ownTimes(turn: () => Promise<OwnTime>): Promise<readonly OwnTime[]> {
  for (let run = 0; run < WARM_UP_RUNS; run++) await turn();
  const times: OwnTime[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await turn());
  return times;
}

function rows(name: string, times: readonly OwnTime[]): Results {
  const sorted = (part: (own: OwnTime) => number) => times.map(part).toSorted((a, b) => a - b);
  const sum = sorted(({ before, after }) => before + after);
  const median = (part: (own: OwnTime) => number) => quantile(sorted(part), 0.5);
  return {
    [`${name}: median`]: { value: quantile(sum, 0.5), unit: 'ms' },
    [`${name}: p95`]: { value: quantile(sum, 0.95), unit: 'ms' },
    [`${name}: until the model is asked, median`]: {
      value: median((own) => own.before),
      unit: 'ms',
    },
    [`${name}: after its last token, median`]: { value: median((own) => own.after), unit: 'ms' },
  };
}

interface Window {
  readonly deps: Omit<SessionDeps, 'sessions'>;
  readonly folder: string;
}

function openWindow(folder: string, memory: string): Window {
  const store = new MemoryStore({ folder: memory, log: silentLog });
  const personal = new MemoryStore({ folder: path.join(folder, 'personal'), log: silentLog });
  const scopes = new MemoryScopes({ personal });
  scopes.setWorkspace([{ kind: 'workspace', name: 'bench', store }]);
  const deps = {
    compactor: new Compactor({ log: silentLog }),
    seen: new SeenFilesOfSessions(),
    archive: new Archive({ root: folder, pointers: 'relative' }),
    memory: { scopes, learning: new Learning({ scopes, log: silentLog }) },
    log: silentLog,
    now: () => new Date(),
  };
  return { deps, folder };
}

let requests = 0;

async function timedTurn(
  deps: SessionDeps,
  { folder, previous }: { readonly folder: string; readonly previous: TurnRef | undefined },
): Promise<OwnTime & { readonly ref: TurnRef }> {
  let asked = Number.NaN;
  let answered = Number.NaN;
  const model = instantModel(
    () => {
      asked = performance.now();
      return 'Done.';
    },
    () => (answered = performance.now()),
  );
  const request = {
    text: `How do we deploy billing service ${requests++}?`,
    previous,
    unfinished: [],
    compaction: { maxTokens: 0, maxMessages: 0 },
    visibleHistory: [],
    model,
    utilityModel: instantModel(sideAnswer),
    tools: toolsOf(folder, deps.sessions),
    folders: [folder],
    recall: 'auto',
    extraction: 'auto',
    maxRounds: 10,
  } as const;
  const start = performance.now();
  const { ref, learning } = await runTurn(deps, request, () => {}, new AbortController().signal);
  const end = performance.now();
  await learning;
  return { ref, before: asked - start, after: end - answered };
}

function toolsOf(folder: string, sessions: SessionStore): readonly Tool[] {
  const workspace = diskWorkspace([folder]);
  return [...createWorkspaceTools({ workspace }), ...createSessionTools(sessions)];
}

/** To the question of recall, and to that of extraction. */
function sideAnswer({ outputSchema }: ModelRequest): string {
  const isRecall = JSON.stringify(outputSchema).includes('"relevant"');
  return isRecall ? '{"relevant":[0,1]}' : '{"operations":[]}';
}

function writeRecords(folder: string): void {
  fs.mkdirSync(folder);
  const topics = ['deploy', 'billing', 'tests', 'naming', 'reviews', 'logging', 'cache', 'queue'];
  for (let number = 0; number < RECORDS; number++) {
    const topic = topics[number % topics.length] ?? '';
    const record = {
      name: `${topic}-${number}`,
      description: `What was agreed about ${topic} in service ${number}`,
      type: 'project' as const,
      body: `For service ${number} the ${topic} rule is number ${number * 7}. `.repeat(5),
    };
    fs.writeFileSync(path.join(folder, `${record.name}.md`), printRecord(record, new Date()));
  }
}

function instantModel(
  answer: (request: ModelRequest) => string,
  onLastToken: () => void = () => {},
): Model {
  return {
    id: 'instant',
    name: 'Instant',
    limits: { input: 200_000, output: 32_000 },
    structuredOutput: true,
    async *stream(request) {
      const text = answer(request);
      yield { type: 'text', text };
      onLastToken();
      yield { type: 'end', message: says(text), stopReason: 'end_turn', usage: undefined };
    },
  };
}
