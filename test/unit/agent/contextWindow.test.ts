import assert from 'node:assert/strict';
import { createCompact } from '../../../src/agent/tools/compact.ts';
import type { ContextWindow, ContextWindowOptions } from '../../../src/agent/contextWindow.ts';
import type { Emit, TurnEvent } from '../../../src/agent/events.ts';
import { runLoop } from '../../../src/agent/loop.ts';
import type { Tool } from '../../../src/agent/tools.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Archive } from '../../../src/context/archive.ts';
import { Compactor } from '../../../src/context/compactor.ts';
import { measure } from '../../../src/context/measure.ts';
import { ModelError, userText, type Message } from '../../../src/models/model.ts';
import { estimateTokens } from '../../../src/models/tokens.ts';
import type { TurnRef } from '../../../src/sessions/session.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { contextWindowOf } from '../../support/contextWindows.ts';
import { call, calls, fakeTool, results, says } from '../../support/conversation.ts';
import { scriptedModel, type Step } from '../../support/scriptedModel.ts';
import { summaryAnswer } from '../../support/summaries.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
/** Compaction begins at 6,000 tokens. */
const SMALL = { input: 10_000, output: 2_500 };
const SUMMARY = summaryAnswer({ done: ['Read the settings.'], facts: ['The port is 8421.'] });
const USAGE = { input: 100, output: 20, cacheRead: 900, cacheWrite: 500 };

describe('the context window of a turn', () => {
  const folder = useTempFolder();

  async function setUp(
    steps: readonly Step[],
    more: Partial<ContextWindowOptions> & { readonly history?: readonly Message[] } = {},
  ) {
    const { history = [userText('go')], tools = [], ...options } = more;
    const sessions = new SessionStore();
    const turn = await sessions.begin();
    for (const message of history) turn.append(message);
    const events: TurnEvent[] = [];
    const emit: Emit = (event) => events.push(event);
    const model = scriptedModel(steps, { limits: SMALL });
    const window = contextWindowOf(folder.path, { turn, model, tools, emit, ...options });
    const loop = (signal = NEVER) =>
      runLoop({ model, tools, turn, window, maxRounds: 10, emit }, signal);
    return { sessions, turn, model, window, events, loop };
  }

  it('sends the same system prompt until a compaction, and a new one after it', async () => {
    let index = 0;
    const { turn, window } = await setUp([], {
      history: [userText('go'), ...rounds(4)],
      systemPrompt: async () => `prompt ${++index}`,
    });
    assert.equal((await window.request(NEVER)).system, 'prompt 1');
    for (const message of rounds(4, 4)) turn.append(message);
    assert.equal((await window.request(NEVER)).system, 'prompt 1');
    for (const message of rounds(30, 8)) turn.append(message);
    assert.equal((await window.request(NEVER)).system, 'prompt 2');
    assert.equal((await window.request(NEVER)).system, 'prompt 2');
    assert.equal(turn.systemPrompt(), 'prompt 2');
  });

  it('announces each compaction with its stages, its sizes and the archive', async () => {
    const { turn, window, events } = await setUp([], { history: [userText('go'), ...rounds(30)] });
    await window.request(NEVER);
    const [compacted] = events.filter((event) => event.type === 'compacted');
    const { stages, before, after, archive } = compacted ?? {};
    // 61 messages: the middle leaves, then the older results.
    assert.deepEqual(stages, ['snip', 'micro']);
    assert.ok(before !== undefined && after !== undefined && before > 6_000 && after <= 4_800);
    assert.ok(archive?.startsWith(folder.path));
    const at = new Date('2026-03-04T05:06:07Z');
    assert.deepEqual(turn.lastCompaction(), { stages, before, after, archive, at });
  });

  it('tells what the model counted, and goes by it', async () => {
    const { turn, window, events } = await setUp([]);
    const estimate = estimateTokens('system') + measure(turn.working());
    await window.request(NEVER);
    window.answered({ ...USAGE, input: estimate, cacheRead: 0, cacheWrite: estimate });
    const [answered] = events.filter((event) => event.type === 'answered');
    assert.deepEqual(answered, {
      type: 'answered',
      tokens: estimate * 2,
      limit: 6_000,
      usage: {
        input: estimate,
        output: 20,
        cacheRead: 0,
        cacheWrite: estimate,
        requests: 1,
      },
    });
    assert.equal(turn.lastRequest()?.estimate, estimate);
  });

  it('tells once a session that compaction is near, also across turns and windows', async () => {
    for (const counts of [true, false]) {
      const events: TurnEvent[] = [];
      const sessions = new SessionStore();
      let previous: TurnRef | undefined;
      // Each turn adds about 320 tokens; compaction begins at 6,000.
      for (let count = 0; count < 18; count++) {
        const turn = await sessions.begin({ previous });
        turn.append(userText('x'.repeat(1_140)));
        const model = scriptedModel([], { limits: SMALL });
        const emit: Emit = (event) => events.push(event);
        const window = contextWindowOf(folder.path, { turn, model, tools: [], emit });
        await window.request(NEVER);
        const input = measure(turn.working());
        window.answered(counts ? { input, output: 1, cacheRead: 0, cacheWrite: 0 } : undefined);
        turn.append(says('Done.'));
        previous = turn.ref;
      }
      const sizes = events.flatMap((event) => (event.type === 'answered' ? [event.tokens] : []));
      const near = sizes.filter((size) => size >= 5_400);
      assert.ok(near.length > 1, `${counts} ${sizes.join()}`);
      assert.deepEqual(
        events.filter(({ type }) => type !== 'answered'),
        [{ type: 'compactionNear', tokens: near[0], limit: 6_000 }],
      );
    }
  });

  it('does not tell that compaction is near in a session that was compacted before', async () => {
    const { turn, window, events } = await setUp([], { history: [userText('go'), ...rounds(30)] });
    await window.request(NEVER);
    for (const message of rounds(6, 30)) turn.append(message);
    await window.request(NEVER);
    window.answered({ ...USAGE, input: 5_900, cacheRead: 0, cacheWrite: 0 });
    assert.ok(events.some(({ type }) => type === 'compacted'));
    assert.ok(!events.some(({ type }) => type === 'compactionNear'));
  });

  it('goes on estimating where an earlier window left off, for the same model only', async () => {
    const history = [userText('go'), ...rounds(12)];
    for (const [id, compacts] of [
      ['scripted', true],
      ['another', false],
    ] as const) {
      const sessions = new SessionStore();
      const turn = await sessions.begin();
      for (const message of history) turn.append(message);
      turn.answered({ model: id, estimate: 1_000, usage: { ...USAGE, input: 600 } });
      const compactor = new Compactor({ log: silentLog });
      const events: TurnEvent[] = [];
      const model = scriptedModel([], { limits: SMALL });
      const emit: Emit = (event) => events.push(event);
      const window = contextWindowOf(folder.path, { turn, model, tools: [], compactor, emit });
      await window.request(NEVER);
      assert.equal(
        events.some(({ type }) => type === 'compacted'),
        compacts,
        id,
      );
    }
  });

  it('estimates where the host counts nothing', async () => {
    const { turn, window, events } = await setUp([]);
    await window.request(NEVER);
    window.answered(undefined);
    assert.equal(turn.lastRequest(), undefined);
    assert.equal(events.filter(({ type }) => type === 'answered').length, 1);
  });

  it('mends what a crash left open before it sends it, and logs it', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (line: string) => warnings.push(line) };
    const history = [userText('go'), calls(call('a', 'bash')), userText('are you there?')];
    const { window } = await setUp([], { history, log });
    const { messages } = await window.request(NEVER);
    assert.equal(messages.length, 3);
    const [result, words] = messages[2]?.content ?? [];
    assert.equal(result?.type === 'tool_result' && result.is_error, true);
    assert.deepEqual(words, { type: 'text', text: 'are you there?' });
    await window.request(NEVER);
    assert.equal(warnings.length, 1);
  });

  it('says once what fills the window when nothing helps', async () => {
    const pasted = userText('pasted '.repeat(8_000));
    const { window, events } = await setUp([], { history: [pasted] });
    for (let round = 0; round < 6; round++) await window.request(NEVER);
    const given = events.filter((event) => event.type === 'compactionGivenUp');
    assert.equal(given.length, 1);
    const [most] = given[0]?.parts.toSorted((a, b) => b.tokens - a.tokens) ?? [];
    assert.equal(most?.part, 'history');
  });

  it('compacts on the word of the model once all calls of the reply have their results', async () => {
    const echo = fakeTool('echo', async () => 'echoed '.repeat(300));
    const tools: Tool[] = [echo, createCompact()];
    const { turn, model, events, loop } = await setUp(
      [
        [call('1', 'echo')],
        [call('2', 'echo')],
        [call('a', 'echo'), call('b', 'compact', { focus: 'ports' }), call('c', 'echo')],
        'done',
      ],
      { tools, summariser: scriptedModel([SUMMARY]) },
    );
    assert.deepEqual(await loop(), { kind: 'completed' });
    const order = events.map((event) =>
      event.type === 'toolFinished' ? event.id : event.type === 'compacted' ? 'compacted' : '',
    );
    assert.deepEqual(
      order.filter((word) => word !== ''),
      ['1', '2', 'a', 'b', 'c', 'compacted'],
    );
    const sent = model.requests[3]?.messages ?? [];
    assert.deepEqual(sent[0]?.content[0], { type: 'text', text: 'go' });
    assert.match(JSON.stringify(sent[0]), /The port is 8421/);
    assert.deepEqual(
      sent.slice(1).map(({ content }) =>
        content.map((block) => {
          if (block.type === 'tool_use') return block.id;
          return block.type === 'tool_result' ? block.tool_use_id : block.type;
        }),
      ),
      [
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
      ],
    );
    assert.equal(turn.log().length, 8);
  });

  it('keeps the open checklist and the names of skills in sight of the model, however their calls leave', async () => {
    const todos = [
      { content: 'Read the parser', status: 'completed' },
      { content: 'Mend <it>', status: 'in_progress' },
    ];
    const written = [
      calls(call('todo', 'todo_write', { todos }), call('skill', 'load_skill', { name: 'notes' })),
      results(['todo', 'ok'], ['skill', 'How.']),
    ];
    const history = [userText('go'), ...rounds(2), ...written, ...rounds(28, 2), says('Done.')];
    const summariser = scriptedModel([SUMMARY]);
    const ways: readonly ((window: ContextWindow) => Promise<unknown>)[] = [
      (window) => window.request(NEVER),
      (window) => window.makeRoom(NEVER),
      (window) => window.compact('', NEVER),
    ];
    const stages: string[] = [];
    for (const [index, way] of ways.entries()) {
      const { turn, window } = await setUp([], { history, ...(index === 2 ? { summariser } : {}) });
      await way(window);
      const working = JSON.stringify(turn.working());
      assert.doesNotMatch(working, /"todo_write"/);
      assert.match(
        working,
        /as call 1 of todo_write left it[^"]*\\n- \[completed\] Read the parser\\n- \[in_progress\] Mend <it>/,
      );
      assert.match(working, /Skills that were loaded in this session: notes\. /);
      stages.push(...(turn.lastCompaction()?.stages ?? []));
    }
    for (const stage of ['snip', 'mechanicalCut', 'summarise'])
      assert.ok(
        stages.some((name) => name === stage),
        stages.join(),
      );
  });

  it('does not let a model compact again and again', async () => {
    const tools: Tool[] = [createCompact(), fakeTool('echo', async () => 'echoed '.repeat(300))];
    const summariser = scriptedModel([SUMMARY]);
    const { model, turn, loop } = await setUp(
      [
        [call('1', 'echo')],
        [call('2', 'echo')],
        [call('a', 'compact')],
        [call('b', 'compact')],
        [call('c', 'compact')],
        'done',
      ],
      { tools, summariser },
    );
    assert.deepEqual(await loop(), { kind: 'completed' });
    assert.equal(summariser.requests.length, 1);
    const answers = turn
      .log()
      .flatMap((message) => (message.role === 'user' ? message.content : []))
      .filter((block) => block.type === 'tool_result')
      .map(({ tool_use_id, is_error }) => [tool_use_id, is_error]);
    assert.deepEqual(answers.slice(2), [
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
    model.assertDone();
  });

  it('pays for one summary that fails, however often the model asks for it', async () => {
    const summariser = scriptedModel([new ModelError('other', 'Out of order.')]);
    const tools: Tool[] = [createCompact(), fakeTool('echo', async () => 'echoed '.repeat(600))];
    const { model, loop } = await setUp(
      [[call('1', 'echo')], [call('a', 'compact')], [call('b', 'compact')], 'done'],
      { tools, summariser },
    );
    assert.deepEqual(await loop(), { kind: 'completed' });
    assert.equal(summariser.requests.length, 1);
    model.assertDone();
  });

  it('says once in a turn that nothing can be archived', async () => {
    const archive = new Archive({ root: `${folder.path}/\0`, pointers: 'relative' });
    const history = [userText('go'), ...rounds(30)];
    const { window, events } = await setUp([], { archive, history });
    for (let round = 0; round < 3; round++) await window.request(NEVER);
    const told = events.filter((event) => event.type === 'archiveFailed');
    assert.equal(told.length, 1);
    assert.match(String(told[0]?.problem), /was not archived/);
  });

  it('goes on when what the model asked for cannot be archived', async () => {
    const archive = new Archive({ root: `${folder.path}/\0`, pointers: 'relative' });
    const tools: Tool[] = [createCompact(), fakeTool('echo', async () => 'echoed '.repeat(600))];
    const { turn, loop } = await setUp([[call('1', 'echo')], [call('a', 'compact')], 'done'], {
      tools,
      archive,
      summariser: scriptedModel([SUMMARY]),
    });
    assert.deepEqual(await loop(), { kind: 'completed' });
    assert.equal(turn.working().length, 6);
  });

  it('keeps the system prompt where only what is new was shortened', async () => {
    let index = 0;
    const { turn, window } = await setUp([], {
      model: scriptedModel([], { limits: { input: 1_000_000, output: 8_000 } }),
      systemPrompt: async () => `prompt ${++index}`,
    });
    await window.request(NEVER);
    turn.append(calls(call('a', 'bash')));
    turn.append(results(['a', 'output '.repeat(40_000)]));
    assert.equal((await window.request(NEVER)).system, 'prompt 1');
    assert.deepEqual(turn.lastCompaction()?.stages, ['toolResultBudget']);
  });

  it('ends as stopped when it is stopped during a compaction, with a valid session', async () => {
    const controller = new AbortController();
    const summariser = scriptedModel([
      () => {
        controller.abort();
        return SUMMARY;
      },
    ]);
    const words = Array.from({ length: 20 }, () => says('long words '.repeat(300)));
    const { turn, loop } = await setUp([], {
      history: [userText('old'), ...words, userText('now')],
      summariser,
    });
    const before = turn.working();
    assert.deepEqual(await loop(controller.signal), { kind: 'cancelled' });
    assert.equal(turn.working(), before);
  });
});

/** Rounds of one call each, with a result of about 280 tokens. */
function rounds(count: number, first = 0): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `call${first + index}`;
    return [
      calls(call(id, 'read_file', { path: `${id}.ts` })),
      results([id, `${id} `.padEnd(1_000, 'output of a tool ')]),
    ];
  }).flat();
}
