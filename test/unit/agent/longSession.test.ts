// A session of 200 rounds in a small window: what matters is still in reach at its end.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { TurnEvent } from '../../../src/agent/events.ts';
import { createSessionTools } from '../../../src/agent/sessionTools.ts';
import type { SessionDeps } from '../../../src/agent/sessionDeps.ts';
import { SeenFilesOfSessions } from '../../../src/agent/seenFiles.ts';
import { runTurn } from '../../../src/agent/turn.ts';
import { createWorkspaceTools } from '../../../src/agent/workspaceTools.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Archive } from '../../../src/context/archive.ts';
import { Compactor } from '../../../src/context/compactor.ts';
import type { Model, ModelRequest } from '../../../src/models/model.ts';
import { estimateTokens } from '../../../src/models/tokens.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { UNSET } from '../../support/contextWindows.ts';
import { call, calls, says } from '../../support/conversation.ts';
import { diskWorkspace } from '../../support/diskWorkspace.ts';
import { answering, summaryAnswer } from '../../support/summaries.ts';
import { useTempFolder } from '../../support/tempFolder.ts';
import { runTool } from '../../support/workspaceRun.ts';

const ROUNDS = 200;
const FACT = 'The staging password hint is “blue heron”.';
const REQUEST =
  'Write one module for each of the 200 rooms, and keep the room numbers as they are.';
/** Compaction begins at 9,600 tokens. */
const LIMITS = { input: 16_000, output: 4_000 };

describe('a session of 200 rounds in a small window', () => {
  const folder = useTempFolder();

  for (const summaries of ['good', 'none'] as const) {
    it(`keeps everything in reach (${summaries === 'good' ? 'with' : 'without'} summaries)`, async () => {
      const file = path.join(folder.path, 'sessions.db');
      const workspace = diskWorkspace([folder.path]);
      const sessions = new SessionStore({ file });
      const deps: SessionDeps = {
        sessions,
        compactor: new Compactor({ log: silentLog }),
        seen: new SeenFilesOfSessions(),
        archive: new Archive({ root: folder.path, pointers: 'relative' }),
        memory: undefined,
        log: silentLog,
        now: () => new Date('2026-03-04T05:06:07Z'),
      };
      const tools = [...createWorkspaceTools({ workspace }), ...createSessionTools(sessions)];
      const events: TurnEvent[] = [];
      const requests: ModelRequest[] = [];
      const model = roomWriter(requests);
      const utilityModel = summaries === 'good' ? summariser() : failing();
      const send = (text: string, previous?: Awaited<ReturnType<typeof runTurn>>['ref']) =>
        runTurn(
          deps,
          {
            text,
            previous,
            model,
            utilityModel,
            tools,
            folders: [folder.path],
            recall: 'off',
            extraction: 'off',
            compaction: UNSET,
            maxRounds: 500,
            unfinished: [],
            visibleHistory: [],
          },
          (event) => events.push(event),
          new AbortController().signal,
        );

      const first = await send(FACT);
      const second = await send(REQUEST, first.ref);
      assert.deepEqual(second.outcome, { kind: 'completed' });

      const compactions = events.filter((event) => event.type === 'compacted');
      assert.ok(compactions.length > 1, `${compactions.length} compactions`);
      // No request was too long, and each was valid and held the current request as it was written.
      for (const request of requests) {
        assert.ok(sizeOf(request) < LIMITS.input - LIMITS.output, `${sizeOf(request)} tokens`);
        assertValid(request);
      }
      for (const request of requests.slice(1)) {
        const texts = request.messages.flatMap(({ content }) =>
          content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
        );
        assert.ok(texts.includes(REQUEST));
      }
      // The fact of the first request: found by the tool, and in the transcript that the history names.
      const search = tools.find(({ name }) => name === 'search_history');
      const found = await search?.run({ query: 'blue heron' }, new AbortController().signal);
      assert.match(found ?? '', /blue heron/);
      const last = JSON.stringify(requests.at(-1)?.messages);
      const transcript = `.transcripts/${first.ref.sessionId}.jsonl`;
      assert.ok(last.includes(transcript), 'the history names the transcript');
      assert.match(await runTool(workspace, 'read_file', { path: transcript }), /blue heron/);
      // Each file that was written: named in the transcript, and on the disk.
      const lines = fs.readFileSync(path.join(folder.path, transcript), 'utf8').trim().split('\n');
      const ids = lines.map((line) => JSON.parse(line).id);
      assert.equal(new Set(ids).size, ids.length, 'each message stands once in the transcript');
      const lastTurn = await sessions.find(second.ref);
      const written = lastTurn?.log().length ?? 0;
      assert.equal(written, 2 + 2 * ROUNDS + 2);
      for (let room = 0; room < ROUNDS; room++) {
        const name = `rooms/room${room}.ts`;
        assert.ok(fs.existsSync(path.join(folder.path, name)), name);
        assert.match((await search?.run({ query: name }, NEVER)) ?? '', /write_file/);
      }
      // The newest are named to the model without any look-up.
      assert.ok(last.includes(`rooms/room${ROUNDS - 1}.ts`));
      // Every pointer in the last request leads to a file that can be read.
      for (const [, pointer] of last.matchAll(/(\.task_outputs\/tool-results\/\w+\.txt)/g)) {
        await runTool(workspace, 'read_file', { path: pointer });
      }
      sessions.close();
    });
  }
});

const NEVER = new AbortController().signal;

/** Answers the first request with words; for the second it writes room after room, reading the one before. */
function roomWriter(requests: ModelRequest[]): Model {
  let room = 0;
  return {
    id: 'rooms',
    name: 'Rooms',
    limits: LIMITS,
    structuredOutput: true,
    async *stream(request) {
      requests.push(request);
      const message =
        requests.length === 1
          ? says('I will keep that in mind.')
          : room < ROUNDS
            ? step(room++)
            : says('All rooms are written.');
      const calling = message.content.some(({ type }) => type === 'tool_use');
      const usage = {
        input: Math.round(sizeOf(request) * 1.2),
        output: 100,
        cacheRead: 0,
        cacheWrite: 0,
      };
      yield { type: 'end', message, stopReason: calling ? 'tool_use' : 'end_turn', usage };
    },
  };
}

function step(room: number) {
  const body = `export const room${room} = ${JSON.stringify('wall '.repeat(200))};\n`;
  return calls(
    call(`write${room}`, 'write_file', { path: `rooms/room${room}.ts`, content: body }),
    ...(room > 0 ? [call(`read${room}`, 'read_file', { path: `rooms/room${room - 1}.ts` })] : []),
  );
}

function summariser(): Model {
  const summary = summaryAnswer({
    goal: 'Write a module for each room.',
    decisions: ['Room numbers stay as they are.'],
    done: ['Some rooms are written.'],
    remaining: ['The other rooms.'],
    constraints: ['Keep the room numbers as they are.'],
  });
  return answering(summary);
}

function failing(): Model {
  return answering("I can't help with that.");
}

function sizeOf(request: ModelRequest): number {
  return estimateTokens(JSON.stringify(request));
}

/** Roles alternate, and every call has its result right behind it. */
function assertValid({ messages }: ModelRequest): void {
  assert.equal(messages[0]?.role, 'user');
  messages.forEach((message, index) => {
    assert.equal(message.role, index % 2 === 0 ? 'user' : 'assistant');
    if (message.role === 'user') return;
    const wanted = message.content.flatMap((block) =>
      block.type === 'tool_use' ? [block.id] : [],
    );
    const given = (messages[index + 1]?.content ?? []).flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    assert.deepEqual(given, wanted);
  });
}
