// Our own time in a turn, with a model that answers at once: many memories, a long session.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Learning } from '../src/agent/learning.ts';
import { runTurn } from '../src/agent/turn.ts';
import { silentLog } from '../src/base/log.ts';
import { Archive } from '../src/context/archive.ts';
import { Compactor } from '../src/context/compactor.ts';
import { printRecord } from '../src/memory/record.ts';
import { MemoryScopes } from '../src/memory/scopes.ts';
import { MemoryStore } from '../src/memory/store.ts';
import { userText, type Message, type Model } from '../src/models/model.ts';
import { SessionStore } from '../src/sessions/sessionStore.ts';
import { says } from '../test/support/conversation.ts';
import type { Results } from './bench.ts';
import { quantile, timesOf } from './median.ts';

const RECORDS = 1_000;
const MESSAGES = 1_000;
const RUNS = 20;

export async function measureTurn(): Promise<Results> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-bench-'));
  try {
    const memory = path.join(folder, '.memory');
    writeRecords(memory);
    const store = new MemoryStore({ folder: memory, log: silentLog });
    const personal = new MemoryStore({ folder: path.join(folder, 'personal'), log: silentLog });
    const scopes = new MemoryScopes({ personal });
    scopes.setWorkspace([{ kind: 'workspace', name: 'bench', store }]);
    const deps = {
      sessions: new SessionStore({ file: path.join(folder, 'sessions.db') }),
      compactor: new Compactor({ log: silentLog }),
      archive: new Archive({ root: folder, pointers: 'relative' }),
      memory: { scopes, learning: new Learning({ scopes, log: silentLog }) },
      log: silentLog,
      now: () => new Date(),
    };
    const model = instantModel('Done.');
    const history: Message[] = Array.from({ length: MESSAGES / 2 }, (_, n) => [
      userText(`Question ${n}`),
      says(`Answer ${n}`),
    ]).flat();
    const times = await timesOf(RUNS, () =>
      runTurn(
        deps,
        {
          text: 'How do we deploy the billing service?',
          previous: undefined,
          unfinished: [],
          compaction: { maxTokens: 0, maxMessages: 0 },
          visibleHistory: history,
          model,
          utilityModel: instantModel('{"relevant":[0]}'),
          tools: [],
          folders: [folder],
          recall: 'auto',
          extraction: 'off',
          maxRounds: 10,
        },
        () => undefined,
        new AbortController().signal,
      ),
    );
    const name = `own time of a turn, ${RECORDS} memories, ${MESSAGES} messages`;
    return {
      [`${name}: median`]: { value: quantile(times, 0.5), unit: 'ms' },
      [`${name}: p95`]: { value: quantile(times, 0.95), unit: 'ms' },
    };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
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

function instantModel(text: string): Model {
  return {
    id: 'instant',
    name: 'Instant',
    limits: { input: 200_000, output: 32_000 },
    structuredOutput: true,
    async *stream() {
      yield { type: 'text', text };
      yield { type: 'end', message: says(text), stopReason: 'end_turn', usage: undefined };
    },
  };
}
