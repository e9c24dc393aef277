import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { Archive } from '../../../src/context/archive.ts';
import { Compactor, type CompactionRequest } from '../../../src/context/compactor.ts';
import { measure } from '../../../src/context/measure.ts';
import { ModelError, userText, type Message } from '../../../src/models/model.ts';
import { failingModel, UNSET } from '../../support/contextWindows.ts';
import { call, calls, results, says } from '../../support/conversation.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
/** A window in which compaction begins at 6,000 tokens and aims at 4,800. */
const SMALL = { input: 10_000, output: 2_500 };
const TRIGGER = 6_000;

const SUMMARY = {
  goal: 'Tidy up the billing service.',
  decisions: ['Use tabs.'],
  files: [{ path: 'billing.ts', note: 'Holds the rates.' }],
  done: ['Read the files.'],
  remaining: ['Write the tests.'],
  constraints: ['Never touch the API.'],
  facts: [],
};

describe('the compactor', () => {
  const folder = useTempFolder();

  function setUp(messages: readonly Message[], more: Partial<CompactionRequest> = {}) {
    const summariser = scriptedModel([JSON.stringify(SUMMARY)]);
    const request: CompactionRequest = {
      sessionId: 'session',
      modelId: 'model',
      messages,
      log: messages.map((message, index) => ({ id: `t:${index}`, message })),
      fixed: 0,
      limits: SMALL,
      settings: UNSET,
      archive: new Archive({ root: folder.path, pointers: 'relative' }),
      summariser,
      changedFiles: ['billing.ts'],
      beforeLeaving: async () => undefined,
      ...more,
    };
    return { compactor: new Compactor({ log: silentLog }), request, summariser };
  }

  const archived = (kind: '.transcripts' | '.task_outputs/tool-results') => {
    const absolute = path.join(folder.path, kind);
    if (!fs.existsSync(absolute)) return [];
    return fs.readdirSync(absolute).filter((name) => !name.startsWith('.'));
  };

  it('leaves a history alone that fits, whatever the number of its messages (C5)', async () => {
    const messages = Array.from({ length: 60 }, (_, n) => [userText(`q${n}`), says('ok')]).flat();
    const { compactor, request } = setUp(messages);
    assert.deepEqual(await compactor.beforeRequest(request, NEVER), { kind: 'unchanged' });
    assert.deepEqual(fs.readdirSync(folder.path), []);
  });

  it('stops at the first stage after which the history fits', async () => {
    // 30 results of about 280 tokens each: pointers in place of the old ones are enough.
    const { compactor, request, summariser } = setUp([userText('go'), ...rounds(24, 1_000)]);
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.equal(outcome.kind, 'compacted');
    if (outcome.kind !== 'compacted') return;
    assert.deepEqual(outcome.compaction.stages, ['micro']);
    assert.ok(outcome.compaction.after <= TRIGGER * 0.8);
    assert.ok(outcome.compaction.before > TRIGGER);
    assert.equal(summariser.requests.length, 0);
  });

  it('runs the stages from cheap to dear', async () => {
    // Over 50 messages; results that are too large even as previews are left for the summary.
    const words = Array.from({ length: 20 }, (_, n) => says(`${n} ${'long words '.repeat(150)}`));
    const messages = [
      userText('first'),
      ...rounds(10, 1_000),
      ...words.flatMap((message, n) => [message, userText(`and ${n}`)]),
      ...rounds(5, 1_000, 10),
    ];
    const { compactor, request, summariser } = setUp(messages);
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.deepEqual(outcome.kind === 'compacted' && outcome.compaction.stages, [
      'snip',
      'micro',
      'summarise',
    ]);
    summariser.assertDone();
  });

  it('looks at the newest results before every request, also when the history fits', async () => {
    const messages = [userText('go'), ...rounds(1, 250_000)];
    const { compactor, request } = setUp(messages, { limits: { input: 1_000_000, output: 8_000 } });
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.deepEqual(outcome.kind === 'compacted' && outcome.compaction.stages, [
      'toolResultBudget',
    ]);
  });

  it('counts the system prompt and the tools (C19)', async () => {
    const messages = [userText('go'), ...rounds(12, 1_000)];
    const roomy = setUp(messages);
    assert.deepEqual(await roomy.compactor.beforeRequest(roomy.request, NEVER), {
      kind: 'unchanged',
    });
    const tight = setUp(messages, { fixed: TRIGGER - 1_000 });
    assert.equal((await tight.compactor.beforeRequest(tight.request, NEVER)).kind, 'compacted');
  });

  it('takes what the model counted for the truth (C19)', async () => {
    const messages = [userText('go'), ...rounds(12, 1_000)];
    const { compactor, request } = setUp(messages);
    compactor.calibrate(request, { estimate: 1_000, tokens: 2_000 });
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.equal(outcome.kind, 'compacted');
    if (outcome.kind !== 'compacted') return;
    assert.equal(outcome.compaction.before, measure(messages) * 2);
  });

  it('begins at the tokens that the person set', async () => {
    const messages = [userText('go'), ...rounds(12, 1_000)];
    const settings = { maxTokens: 2_000, maxMessages: 0 };
    const { compactor, request } = setUp(messages, { settings });
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.ok(outcome.kind === 'compacted' && outcome.compaction.after <= 2_000 * 0.8);
  });

  it('cuts out the middle below the trigger when the person set a number of messages', async () => {
    const messages = Array.from({ length: 30 }, (_, n) => [
      userText(`Question ${n}, of some length.`),
      says('An answer of some length, too.'),
    ]).flat();
    const settings = { maxTokens: 0, maxMessages: 20 };
    const { compactor, request } = setUp(messages, { settings });
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.deepEqual(outcome.kind === 'compacted' && outcome.compaction.stages, ['snip']);
    assert.ok(outcome.kind === 'compacted' && outcome.compaction.messages.length <= 20);
  });

  it('cuts without a model when no summary comes about (C11)', async () => {
    const words = Array.from({ length: 20 }, (_, n) => [
      userText(`and ${n}`),
      says('long words '.repeat(300)),
    ]).flat();
    for (const reply of ["I can't help with that.", '', new ModelError('overflow', 'too long')]) {
      const summariser = scriptedModel([reply, ...(reply === '' ? [''] : ["I can't."])]);
      const { compactor, request } = setUp([...words, userText('now this')], { summariser });
      const outcome = await compactor.beforeRequest(request, NEVER);
      assert.equal(outcome.kind, 'compacted');
      if (outcome.kind !== 'compacted') return;
      assert.equal(outcome.compaction.stages.at(-1), 'mechanicalCut');
      assert.deepEqual(requestOf(outcome.compaction.messages), { type: 'text', text: 'now this' });
    }
    assert.equal(archived('.transcripts').length, 1);
  });

  it('asks what is about to leave to be looked at, before it leaves', async () => {
    const order: string[] = [];
    const summariser = scriptedModel([
      () => {
        order.push('summary');
        return JSON.stringify(SUMMARY);
      },
    ]);
    const words = Array.from({ length: 20 }, () => says('long words '.repeat(300)));
    const messages = [userText('old'), ...words, userText('now this')];
    const { compactor, request } = setUp(messages, {
      summariser,
      async beforeLeaving(leaving) {
        assert.equal(leaving, messages);
        assert.deepEqual(archived('.transcripts'), []);
        await Promise.resolve();
        order.push('looked at');
      },
    });
    const outcome = await compactor.beforeRequest(request, NEVER);
    assert.equal(outcome.kind, 'compacted');
    assert.deepEqual(order, ['looked at', 'summary']);
  });

  it('goes on when what leaves could not be looked at', async () => {
    const words = Array.from({ length: 20 }, () => says('long words '.repeat(300)));
    const { compactor, request } = setUp([userText('old'), ...words, userText('now')], {
      beforeLeaving: async () => {
        throw new Error('no disk');
      },
    });
    assert.equal((await compactor.beforeRequest(request, NEVER)).kind, 'compacted');
  });

  it('never asks for a summary of a request alone, and gives up telling so once (C6)', async () => {
    const pasted = userText('pasted '.repeat(8_000));
    const { compactor, request, summariser } = setUp([pasted]);
    const kinds: string[] = [];
    let messages: readonly Message[] = [pasted];
    for (let round = 0; round < 6; round++) {
      const outcome = await compactor.beforeRequest({ ...request, messages }, NEVER);
      kinds.push(outcome.kind);
      if (outcome.kind === 'compacted') messages = outcome.compaction.messages;
      const unread = results([`c${round}`, `result ${round}`]);
      // What the model has not read yet is never taken from it.
      messages = [...messages, calls(call(`c${round}`, 'read')), unread];
      assert.equal(messages.at(-1), unread);
    }
    assert.deepEqual(kinds.slice(3), ['givenUp', 'unchanged', 'unchanged']);
    assert.equal(summariser.requests.length, 0);
    assert.equal(messages[0], pasted);
  });

  it('begins anew after it gave up once the history fits again', async () => {
    const pasted = userText('pasted '.repeat(8_000));
    const { compactor, request } = setUp([pasted]);
    const kinds = [];
    for (let round = 0; round < 4; round++) {
      kinds.push((await compactor.beforeRequest(request, NEVER)).kind);
    }
    assert.equal(kinds.at(-1), 'givenUp');
    await compactor.beforeRequest({ ...request, messages: [userText('short')] }, NEVER);
    assert.equal((await compactor.beforeRequest(request, NEVER)).kind, 'unchanged');
    for (let round = 0; round < 2; round++) await compactor.beforeRequest(request, NEVER);
    assert.equal((await compactor.beforeRequest(request, NEVER)).kind, 'givenUp');
  });

  it('keeps the request and about five messages after an overflow', async () => {
    const messages = [userText('old'), says('ok'), userText('go'), ...rounds(10, 300)];
    const { compactor, request, summariser } = setUp(messages, {
      limits: { input: 200_000, output: 8_000 },
    });
    const outcome = await compactor.afterOverflow(request, NEVER);
    assert.equal(outcome.kind, 'compacted');
    if (outcome.kind !== 'compacted') return;
    const { compaction } = outcome;
    assert.equal(compaction.stages[0], 'summarise');
    assert.deepEqual(requestOf(compaction.messages), { type: 'text', text: 'go' });
    assert.ok(compaction.messages.length <= 7, `${compaction.messages.length} messages`);
    assert.match(JSON.stringify(summariser.requests[0]?.messages), /old/);
  });

  it('shortens results in the newest messages when they are what overflowed (C17)', async () => {
    const messages = [userText('go'), ...rounds(1, 45_000)];
    const { compactor, request } = setUp(messages);
    const outcome = await compactor.afterOverflow(request, NEVER);
    assert.equal(outcome.kind, 'compacted');
    if (outcome.kind !== 'compacted') return;
    assert.ok(measure(outcome.compaction.messages) < TRIGGER);
    assert.equal(outcome.compaction.messages.at(-1)?.content[0]?.type, 'tool_result');
    assert.equal(archived('.task_outputs/tool-results').length, 1);
  });

  it('has nothing to do after an overflow of a lone request', async () => {
    const { compactor, request } = setUp([userText('pasted '.repeat(20_000))]);
    assert.deepEqual(await compactor.afterOverflow(request, NEVER), { kind: 'unchanged' });
  });

  it('leaves the history whole when nothing can be archived', async () => {
    const archive = new Archive({ root: `${folder.path}/\0`, pointers: 'relative' });
    const { compactor, request } = setUp([userText('old'), ...rounds(30, 1_000)], { archive });
    assert.equal((await compactor.beforeRequest(request, NEVER)).kind, 'unchanged');
    await assert.rejects(compactor.afterOverflow(request, NEVER));
  });

  it('summarises on demand below the trigger, keeping every pair, the goal and the answer', async () => {
    const messages = [userText('tidy up'), ...rounds(6, 500), says('It is done.')];
    const { compactor, request, summariser } = setUp(messages);
    const outcome = await compactor.onDemand(request, 'the numbers', NEVER);
    assert.equal(outcome.kind, 'compacted');
    if (outcome.kind !== 'compacted') return;
    assert.deepEqual(outcome.compaction.stages, ['summarise']);
    assert.deepEqual(requestOf(outcome.compaction.messages), { type: 'text', text: 'tidy up' });
    assert.deepEqual(outcome.compaction.messages.at(-1), says('It is done.'));
    assert.match(JSON.stringify(outcome.compaction.messages), /Tidy up the billing service/);
    assert.match(JSON.stringify(summariser.requests[0]), /the numbers/);
    const again = { ...request, messages: outcome.compaction.messages };
    assert.deepEqual(await compactor.onDemand(again, '', NEVER), { kind: 'nothing' });
  });

  it('says why it did nothing on demand when no summary comes about', async () => {
    const messages = [userText('tidy up'), ...rounds(6, 500), says('It is done.')];
    const { compactor, request } = setUp(messages, { summariser: failingModel() });
    const outcome = await compactor.onDemand(request, '', NEVER);
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.kind === 'failed' ? outcome.problem : '', /always fails/);
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    const summariser = scriptedModel([
      () => {
        controller.abort();
        return JSON.stringify(SUMMARY);
      },
    ]);
    const words = Array.from({ length: 20 }, () => says('long words '.repeat(300)));
    const { compactor, request } = setUp([userText('old'), ...words, userText('now')], {
      summariser,
    });
    await assert.rejects(
      compactor.beforeRequest(request, controller.signal),
      (error) => error instanceof ModelError && error.kind === 'cancelled',
    );
  });

  it('writes one transcript and no copies over many compactions (C2, C3)', async () => {
    const { compactor, request } = setUp([], { summariser: failingModel() });
    let messages: readonly Message[] = [userText('go')];
    const log = messages.map((message) => ({ id: 't:0', message }));
    for (let round = 0; round < 200; round++) {
      for (const message of rounds(1, 1_000, round)) {
        messages = [...messages, message];
        log.push({ id: `t:${log.length}`, message });
      }
      const outcome = await compactor.beforeRequest({ ...request, messages, log }, NEVER);
      if (outcome.kind === 'compacted') messages = outcome.compaction.messages;
      assert.ok(measure(messages) <= TRIGGER);
      assert.deepEqual(requestOf(messages), { type: 'text', text: 'go' });
    }
    assert.ok(archived('.transcripts').length <= 1);
    const texts = archived('.task_outputs/tool-results');
    assert.ok(texts.length <= 200, `${texts.length} files for 200 results`);
  });
});

/** Rounds of one call each, with a result of so many characters, none like another. */
function rounds(count: number, characters: number, first = 0): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `call${first + index}`;
    const text = `${id} `.padEnd(characters, 'output of a tool ');
    return [calls(call(id, 'read_file', { path: `${id}.ts` })), results([id, text])];
  }).flat();
}

function requestOf(messages: readonly Message[]) {
  return messages
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .findLast((block) => block.type === 'text');
}
