// Whatever comes of a reply, and wherever in it, the session stays such that the API takes every later request.

import assert from 'node:assert/strict';
import path from 'node:path';
import { runTurn, type TurnRequest, type TurnResult } from '../../../src/agent/turn.ts';
import { silentLog } from '../../../src/base/log.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { createClaude } from '../../../src/models/claude.ts';
import { fakeTool } from '../../support/conversation.ts';
import { startFakeMessagesApi, type FakeMessagesApi } from '../../support/fakeMessagesApi.ts';
import {
  holdBefore,
  streamedEvents,
  text,
  toolUse,
  type ReplyStep,
} from '../../support/messageEvents.ts';
import { scopesOf } from '../../support/scopes.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { assertStrict } from '../../support/strictMessages.ts';
import { useTempFolder } from '../../support/tempFolder.ts';
import { turnDeps, turnRequest } from '../../support/turnRequests.ts';

const THOUGHT = { type: 'thinking', thinking: 'Let me look.', signature: 'signed' } as const;
const CALLING = {
  blocks: [THOUGHT, text('I look.'), toolUse('a', 'look', { at: 1 }), toolUse('b', 'change', {})],
};
/** The second call is cut, whatever the server says of the end. */
const HALF_CALLING = {
  blocks: [...CALLING.blocks.slice(0, -1), { ...toolUse('b', 'change', {}), rawInput: '{"to":' }],
};
const ANSWERING = { blocks: [THOUGHT, text('All is well.')] };

/** Of one chat, with those that are sent again. */
const MOST_REQUESTS = 12;

/** What may go wrong at an event. */
const FAULTS = {
  'the connection is torn': (event: number) => ({ cutAfter: event }),
  'the stream ends early': (event: number) => ({ endAfter: event }),
  'an overload is told': (event: number) => ({ errorEventAfter: event }),
  'an overflow is told': (event: number) => ({
    errorEventAfter: event,
    errorEvent: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' },
  }),
  'a bad request is told': (event: number) => ({
    errorEventAfter: event,
    errorEvent: { type: 'invalid_request_error', message: 'no' },
  }),
} as const;

const STOPS = [
  'end_turn',
  'tool_use',
  'stop_sequence',
  'max_tokens',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'something_new',
];

describe('a turn whose reply goes wrong', () => {
  const folder = useTempFolder();
  let api: FakeMessagesApi;

  beforeEach(async () => (api = await startFakeMessagesApi()));
  afterEach(() => api.close());

  /** One chat: `steps` answer the first requests, and after them all is well. */
  function chat(steps: readonly ReplyStep[], stopIn?: string) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const repairs: string[] = [];
    const log = { ...silentLog, warn: (text: string) => void repairs.push(text) };
    const deps = { ...turnDeps(folder.path, scopesOf(store)), log };
    const model = createClaude({
      apiKey: 'k',
      baseUrl: api.url,
      modelId: 'claude-test',
      name: 'Claude Test',
      limits: { input: 200_000, output: 32_000 },
      structuredOutput: false,
      thinking: 'adaptive',
      sleep: async () => {},
    });
    const ran: string[] = [];
    const controller = new AbortController();
    const tools = ['look', 'change'].map((name) =>
      fakeTool(
        name,
        async () => {
          ran.push(name);
          if (name === stopIn) controller.abort();
          return `${name}: done`;
        },
        { readOnly: name === 'look' },
      ),
    );
    const script = [...steps];
    const run = (more: Partial<TurnRequest>, signal: AbortSignal): Promise<TurnResult> => {
      const given = { model, utilityModel: scriptedModel(), folders: [folder.path], tools };
      const off = { recall: 'off', extraction: 'off' } as const;
      return runTurn(
        deps,
        turnRequest({ text: 'Go.', ...given, ...off, ...more }),
        () => {},
        signal,
      );
    };
    const respond = () => script.shift() ?? { blocks: [text('Going on.')] };
    api.push(...Array.from({ length: MOST_REQUESTS }, () => respond));
    return {
      ran,
      repairs,
      controller,
      first: () => run({}, controller.signal),
      next: (after: TurnResult) =>
        run({ text: 'And now?', previous: after.ref }, new AbortController().signal),
    };
  }

  async function checkNext(talk: ReturnType<typeof chat>, first: TurnResult): Promise<void> {
    const next = await talk.next(first);
    assert.deepEqual(next.outcome, { kind: 'completed' });
    for (const { body } of api.messageRequests) assertStrict(body);
    // What has to be mended later was not left in order.
    assert.deepEqual(talk.repairs, []);
    // What is told as done was done, and nothing ran that is not told.
    const { messages } = api.messageRequests.at(-1)?.body ?? { messages: [] };
    const done = messages
      .flatMap(({ content }) => content)
      .filter((block) => block.type === 'tool_result' && /: done/.test(JSON.stringify(block)));
    assert.equal(done.length, talk.ran.length);
  }

  for (const tool of ['look', 'change']) {
    it(`leaves a session that can be gone on from: stopped while ${tool} runs`, async () => {
      const talk = chat([CALLING], tool);
      const first = await talk.first();
      assert.deepEqual(first.outcome, { kind: 'cancelled' });
      await checkNext(talk, first);
    });
  }

  for (const [place, steps] of Object.entries({
    'while it calls tools': [CALLING],
    'while it calls tools, of which one is cut': [HALF_CALLING],
    'after the results': [CALLING, ANSWERING],
  })) {
    const last = steps.at(-1) ?? ANSWERING;
    const before = steps.slice(0, -1);
    const { events } = streamedEvents(last, { id: 'x', model: 'x' });

    for (const [fault, at] of Object.entries(FAULTS)) {
      it(`leaves a session that can be gone on from: ${fault}, ${place}, at any event`, async () => {
        for (const event of events.keys()) {
          const talk = chat([...before, { ...last, ...at(event) }]);
          await checkNext(talk, await talk.first());
          api.clear();
        }
      });
    }

    it(`leaves a session that can be gone on from: stopped ${place}, at any event`, async () => {
      for (const event of events.keys()) {
        const hold = holdBefore(event);
        const talk = chat([...before, { ...last, hold }]);
        const running = talk.first();
        await hold.reached;
        talk.controller.abort();
        const first = await running;
        assert.deepEqual(first.outcome, { kind: 'cancelled' });
        await checkNext(talk, first);
        api.clear();
      }
    });

    for (const stop of STOPS) {
      it(`leaves a session that can be gone on from: it ends with ${stop} ${place}`, async () => {
        const talk = chat([...before, { ...last, stop }]);
        await checkNext(talk, await talk.first());
      });
    }
  }
});
