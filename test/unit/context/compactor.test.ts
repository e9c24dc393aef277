import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { Archive } from '../../../src/context/archive.ts';
import type {
  Compaction,
  CompactionOutcome,
  CompactionRequest,
} from '../../../src/context/compaction.ts';
import { Compactor } from '../../../src/context/compactor.ts';
import { measure } from '../../../src/context/measure.ts';
import { validMessages } from '../../../src/context/validRequest.ts';
import { ModelError, userText, type Message, type Model } from '../../../src/models/model.ts';
import { failingModel, UNSET } from '../../support/contextWindows.ts';
import { call, calls, results, says } from '../../support/conversation.ts';
import { longTurn } from '../../support/histories.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { answering, summaryAnswer } from '../../support/summaries.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
/** A window in which compaction begins at 6,000 tokens and aims at 4,800. */
const SMALL = { input: 10_000, output: 2_500 };
const TRIGGER = 6_000;

const SUMMARY = summaryAnswer({
  goal: 'Tidy up the billing service.',
  decisions: ['Use tabs.'],
  files: [{ path: 'billing.ts', note: 'Holds the rates.' }],
  remaining: ['Write the tests.'],
  constraints: ['Never touch the API.'],
});

describe('the compactor', () => {
  const folder = useTempFolder();

  function setUp(messages: readonly Message[], more: Partial<CompactionRequest> = {}) {
    const summariser = scriptedModel([SUMMARY]);
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
      openTodos: () => undefined,
      loadedSkills: () => [],
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

  it('leaves a history alone that fits, whatever the number of its messages', async () => {
    const messages = Array.from({ length: 60 }, (_, n) => [userText(`q${n}`), says('ok')]).flat();
    const { compactor, request } = setUp(messages);
    assert.deepEqual(await compactor.beforeRequest(request, NEVER), NOTHING_DONE);
    assert.deepEqual(fs.readdirSync(folder.path), []);
  });

  it('stops at the first stage after which the history fits', async () => {
    // 30 results of about 280 tokens each: pointers in place of the old ones are enough.
    const { compactor, request, summariser } = setUp([userText('go'), ...rounds(24, 1_000)]);
    const compaction = made(await compactor.beforeRequest(request, NEVER));
    assert.deepEqual(compaction.stages, ['micro']);
    assert.ok(compaction.after <= TRIGGER * 0.8);
    assert.ok(compaction.before > TRIGGER);
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
    const compaction = made(await compactor.beforeRequest(request, NEVER));
    assert.deepEqual(compaction.stages, ['snip', 'micro', 'summarise']);
    summariser.assertDone();
  });

  it('looks at the newest results before every request, also when the history fits', async () => {
    const messages = [userText('go'), ...rounds(1, 250_000)];
    const { compactor, request } = setUp(messages, { limits: { input: 1_000_000, output: 8_000 } });
    const compaction = made(await compactor.beforeRequest(request, NEVER));
    assert.deepEqual(compaction.stages, ['toolResultBudget']);
  });

  it('counts the system prompt and the tools', async () => {
    const messages = [userText('go'), ...rounds(12, 1_000)];
    const roomy = setUp(messages);
    const done = await roomy.compactor.beforeRequest(roomy.request, NEVER);
    assert.deepEqual(done, NOTHING_DONE);
    const tight = setUp(messages, { fixed: TRIGGER - 1_000 });
    made(await tight.compactor.beforeRequest(tight.request, NEVER));
  });

  it('takes what the model counted for the truth', async () => {
    const messages = [userText('go'), ...rounds(12, 1_000)];
    const { compactor, request } = setUp(messages);
    compactor.calibrate(request, { estimate: 1_000, tokens: 2_000 });
    const compaction = made(await compactor.beforeRequest(request, NEVER));
    assert.equal(compaction.before, measure(messages) * 2);
  });

  it('begins at the tokens that the person set', async () => {
    const messages = [userText('go'), ...rounds(12, 1_000)];
    const settings = { maxTokens: 2_000, maxMessages: 0 };
    const { compactor, request } = setUp(messages, { settings });
    const compaction = made(await compactor.beforeRequest(request, NEVER));
    assert.ok(compaction.after <= 2_000 * 0.8);
  });

  it('cuts out the middle below the trigger when the person set a number of messages', async () => {
    const messages = Array.from({ length: 30 }, (_, n) => [
      userText(`Question ${n}, of some length.`),
      says('An answer of some length, too.'),
    ]).flat();
    const settings = { maxTokens: 0, maxMessages: 20 };
    const { compactor, request } = setUp(messages, { settings });
    const compaction = made(await compactor.beforeRequest(request, NEVER));
    assert.deepEqual(compaction.stages, ['snip']);
    assert.ok(compaction.messages.length <= 20);
  });

  it('cuts without a model when no summary comes about', async () => {
    const words = Array.from({ length: 20 }, (_, n) => [
      userText(`and ${n}`),
      says('long words '.repeat(300)),
    ]).flat();
    for (const reply of ["I can't help with that.", '', new ModelError('overflow', 'too long')]) {
      const summariser = scriptedModel([reply, ...(reply === '' ? [''] : ["I can't."])]);
      const { compactor, request } = setUp([...words, userText('now this')], { summariser });
      const compaction = made(await compactor.beforeRequest(request, NEVER));
      assert.equal(compaction.stages.at(-1), 'mechanicalCut');
      assert.deepEqual(requestOf(compaction.messages), { type: 'text', text: 'now this' });
    }
    assert.equal(archived('.transcripts').length, 1);
  });

  it('asks what is about to leave to be looked at, before it leaves', async () => {
    const order: string[] = [];
    const summariser = scriptedModel([
      () => {
        order.push('summary');
        return SUMMARY;
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
    made(await compactor.beforeRequest(request, NEVER));
    assert.deepEqual(order, ['looked at', 'summary']);
  });

  it('goes on when what leaves could not be looked at', async () => {
    const words = Array.from({ length: 20 }, () => says('long words '.repeat(300)));
    const { compactor, request } = setUp([userText('old'), ...words, userText('now')], {
      beforeLeaving: async () => {
        throw new Error('no disk');
      },
    });
    made(await compactor.beforeRequest(request, NEVER));
  });

  it('never asks for a summary of a request alone, and gives up telling so once', async () => {
    const pasted = userText('pasted '.repeat(8_000));
    const { compactor, request, summariser } = setUp([pasted]);
    const given: boolean[] = [];
    let messages: readonly Message[] = [pasted];
    for (let round = 0; round < 6; round++) {
      const unread = results([`c${round}`, `result ${round}`]);
      messages = [...messages, calls(call(`c${round}`, 'read')), unread];
      const outcome = await compactor.beforeRequest({ ...request, messages }, NEVER);
      given.push(outcome.hasGivenUp);
      messages = outcome.compaction?.messages ?? messages;
      // What the model has not read yet is never taken from it.
      assert.equal(messages.at(-1), unread);
    }
    assert.deepEqual(given, [false, false, true, false, false, false]);
    assert.equal(summariser.requests.length, 0);
    assert.equal(messages[0], pasted);
  });

  it('shows the model something of each new result beside a request that fills most of the window', async () => {
    // 5,560 of 7,500 tokens; compaction begins at 6,000.
    const pasted = userText('pasted '.repeat(2_860));
    const { compactor, request } = setUp([pasted], { summariser: failingModel() });
    let messages: readonly Message[] = [pasted];
    for (let round = 0; round < 30; round++) {
      messages = [...messages, ...rounds(1, 2_000, round)];
      const { compaction } = await compactor.beforeRequest({ ...request, messages }, NEVER);
      messages = compaction?.messages ?? messages;
      const shown = JSON.stringify(messages.at(-1));
      assert.ok(shown.includes(`call${round} `.padEnd(1_000, 'output of a tool ')), `${round}`);
      assert.ok(measure(messages) <= 7_500);
    }
  });

  it('tries again once the history has grown after it gave up, and when the person writes', async () => {
    const pasted = userText('pasted '.repeat(8_000));
    const { compactor, request } = setUp([pasted]);
    const look = async (messages: readonly Message[]) =>
      (await compactor.beforeRequest({ ...request, messages }, NEVER)).compaction?.stages;
    for (let round = 0; round < 4; round++) assert.equal(await look([pasted]), undefined);
    const grown = [pasted, ...rounds(8, 1_000)];
    assert.deepEqual(await look(grown), ['micro']);
    const asked = [pasted, ...rounds(1, 100), userText('And now something else.')];
    assert.deepEqual(await look(asked), ['summarise']);
  });

  it('does not take an archive that fails for one that helps nothing', async () => {
    const messages = [userText('go'), ...rounds(30, 1_000)];
    const { compactor, request } = setUp(messages);
    const broken = new Archive({ root: `${folder.path}/\0`, pointers: 'relative' });
    for (let round = 0; round < 5; round++) {
      const outcome = await compactor.beforeRequest({ ...request, archive: broken }, NEVER);
      assert.equal(outcome.compaction, undefined);
      assert.equal(outcome.hasGivenUp, false);
      assert.match(String(outcome.problem), /was not archived/);
    }
    made(await compactor.beforeRequest(request, NEVER));
  });

  it('asks for no more summaries after three that could not be used, until the person writes', async () => {
    const summariser = counted("I can't help with that.");
    const { compactor, request } = setUp([], { summariser });
    let messages: readonly Message[] = [userText('go')];
    const say = (text: string) => Array.from({ length: 12 }, (_, n) => says(`${n} ${text}`));
    for (let round = 0; round < 8; round++) {
      messages = [...messages, ...say('long words '.repeat(250))];
      messages = made(await compactor.beforeRequest({ ...request, messages }, NEVER)).messages;
    }
    assert.equal(summariser.asked(), 3 * 2);
    messages = [...messages, ...say('long words '.repeat(250)), userText('go on')];
    made(await compactor.beforeRequest({ ...request, messages }, NEVER));
    assert.equal(summariser.asked(), 4 * 2);
  });

  it('goes on to the target once it has begun, so that the next time is some way off', async () => {
    // Results of 475 tokens: 46 messages of them are more than the target, and less than the trigger.
    const { compactor, request } = setUp([], {
      limits: { input: 16_000, output: 4_000 },
      summariser: failingModel(),
    });
    let messages: readonly Message[] = [userText('go')];
    let compactions = 0;
    for (let round = 0; round < 100; round++) {
      messages = [...messages, ...rounds(1, 1_700, round)];
      const { compaction } = await compactor.beforeRequest({ ...request, messages }, NEVER);
      if (!compaction) continue;
      compactions++;
      messages = compaction.messages;
      assert.ok(measure(messages) <= 9_600 * 0.8);
    }
    assert.ok(compactions <= 30, `${compactions} compactions in 100 rounds`);
  });

  it('compacts earlier after an overflow, whatever window the model is said to have', async () => {
    const messages = [userText('old'), says('ok'), userText('go'), ...rounds(30, 1_000)];
    const limits = { input: 200_000, output: 8_000 };
    const { compactor, request } = setUp(messages, { limits, summariser: failingModel() });
    assert.deepEqual(await compactor.beforeRequest(request, NEVER), NOTHING_DONE);
    made(await compactor.afterOverflow(request, NEVER));
    made(await compactor.beforeRequest(request, NEVER));
  });

  it('keeps the request and about five messages after an overflow', async () => {
    const messages = [userText('old'), says('ok'), userText('go'), ...rounds(10, 300)];
    const { compactor, request, summariser } = setUp(messages, {
      limits: { input: 200_000, output: 8_000 },
    });
    const compaction = made(await compactor.afterOverflow(request, NEVER));
    assert.equal(compaction.stages[0], 'summarise');
    assert.deepEqual(requestOf(compaction.messages), { type: 'text', text: 'go' });
    assert.ok(compaction.messages.length <= 7, `${compaction.messages.length} messages`);
    assert.match(JSON.stringify(summariser.requests[0]?.messages), /old/);
  });

  it('shortens results in the newest messages when they are what overflowed', async () => {
    const messages = [userText('go'), ...rounds(1, 45_000)];
    const { compactor, request } = setUp(messages);
    const compaction = made(await compactor.afterOverflow(request, NEVER));
    assert.ok(measure(compaction.messages) < TRIGGER);
    assert.equal(compaction.messages.at(-1)?.content[0]?.type, 'tool_result');
    assert.equal(archived('.task_outputs/tool-results').length, 1);
  });

  it('has nothing to do after an overflow of a lone request', async () => {
    const { compactor, request } = setUp([userText('pasted '.repeat(20_000))]);
    assert.equal(await compactor.afterOverflow(request, NEVER), undefined);
  });

  it('leaves the history whole when nothing can be archived', async () => {
    const archive = new Archive({ root: `${folder.path}/\0`, pointers: 'relative' });
    const { compactor, request } = setUp([userText('old'), ...rounds(30, 1_000)], { archive });
    assert.equal((await compactor.beforeRequest(request, NEVER)).compaction, undefined);
    await assert.rejects(compactor.afterOverflow(request, NEVER));
  });

  it('summarises on demand below the trigger, keeping every pair, the goal and the answer', async () => {
    const messages = [userText('tidy up'), ...rounds(6, 500), says('It is done.')];
    const { compactor, request, summariser } = setUp(messages);
    const outcome = await compactor.onDemand(request, 'the numbers', NEVER);
    assert.equal(outcome.kind, 'compacted');
    const { compaction } = outcome;
    assert.deepEqual(compaction.stages, ['summarise']);
    assert.deepEqual(requestOf(compaction.messages), { type: 'text', text: 'tidy up' });
    assert.deepEqual(compaction.messages.at(-1), says('It is done.'));
    assert.match(JSON.stringify(compaction.messages), /Tidy up the billing service/);
    assert.match(JSON.stringify(summariser.requests[0]), /the numbers/);
    const again = { ...request, messages: compaction.messages };
    assert.deepEqual(await compactor.onDemand(again, '', NEVER), { kind: 'nothing' });
  });

  it('says why it did nothing on demand when no summary comes about', async () => {
    const messages = [userText('tidy up'), ...rounds(6, 500), says('It is done.')];
    const { compactor, request } = setUp(messages, { summariser: failingModel() });
    const outcome = await compactor.onDemand(request, '', NEVER);
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.kind === 'failed' ? String(outcome.problem) : '', /always fails/);
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    const summariser = scriptedModel([
      () => {
        controller.abort();
        return SUMMARY;
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

  it('brings 5,000 messages below the target at once, pairs whole, and loses none of them', async () => {
    const messages = longTurn(5_001);
    const { compactor, request } = setUp(messages);
    const before = structuredClone(messages);
    const { messages: kept } = made(await compactor.beforeRequest(request, NEVER));
    assert.deepEqual(messages, before);
    assert.ok(measure(kept) <= TRIGGER * 0.8);
    assert.deepEqual(validMessages(kept, messages), { messages: kept, repairs: [] });
    assert.equal(kept[0], messages[0]);
    const [transcript = ''] = archived('.transcripts');
    const lines = fs.readFileSync(path.join(folder.path, '.transcripts', transcript), 'utf8');
    assert.equal(lines.trim().split('\n').length, 5_001);
  });

  it('writes one transcript and no copies over many compactions', async () => {
    const { compactor, request } = setUp([], { summariser: failingModel() });
    let messages: readonly Message[] = [userText('go')];
    const log = messages.map((message) => ({ id: 't:0', message }));
    for (let round = 0; round < 200; round++) {
      for (const message of rounds(1, 1_000, round)) {
        messages = [...messages, message];
        log.push({ id: `t:${log.length}`, message });
      }
      const { compaction } = await compactor.beforeRequest({ ...request, messages, log }, NEVER);
      messages = compaction?.messages ?? messages;
      assert.ok(measure(messages) <= TRIGGER);
      assert.deepEqual(requestOf(messages), { type: 'text', text: 'go' });
    }
    assert.equal(archived('.transcripts').length, 1);
    const texts = archived('.task_outputs/tool-results');
    assert.ok(texts.length > 100 && texts.length <= 200, `${texts.length} files for 200 results`);
  });
});

const NOTHING_DONE: CompactionOutcome = { compaction: undefined, hasGivenUp: false };

/** The compaction, which there must be. */
function made(done: CompactionOutcome | Compaction | undefined): Compaction {
  const compaction = done && 'hasGivenUp' in done ? done.compaction : done;
  assert.ok(compaction, 'the history was compacted');
  return compaction;
}

/** A model that gives the same answer, and counts how often. */
function counted(text: string): Model & { asked(): number } {
  const model = answering(text);
  let asked = 0;
  return {
    ...model,
    asked: () => asked,
    stream(request, signal) {
      asked++;
      return model.stream(request, signal);
    },
  };
}

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
