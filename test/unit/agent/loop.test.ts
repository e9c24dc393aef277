import assert from 'node:assert/strict';
import type { ContextWindowOptions } from '../../../src/agent/contextWindow.ts';
import type { Emit, TurnEvent } from '../../../src/agent/events.ts';
import { runLoop, type LoopOptions } from '../../../src/agent/loop.ts';
import { CANCELLED_RESULT, type Tool } from '../../../src/agent/tools.ts';
import { Archive } from '../../../src/context/archive.ts';
import {
  ModelError,
  userText,
  type Message,
  type ToolUseBlock,
} from '../../../src/models/model.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { contextWindowOf } from '../../support/contextWindows.ts';
import { call, calls, fakeTool, results, says } from '../../support/conversation.ts';
import { scriptedModel, type Step } from '../../support/scriptedModel.ts';
import { readTree, useTempFolder } from '../../support/tempFolder.ts';

describe('the loop of a turn', () => {
  const folder = useTempFolder();

  async function setUp(
    steps: readonly Step[],
    tools: readonly Tool[] = [],
    more: Partial<ContextWindowOptions> & { readonly maxRounds?: number } = {},
  ) {
    const turn = await new SessionStore().begin();
    turn.append(userText('go'));
    const events: TurnEvent[] = [];
    const model = scriptedModel(steps);
    const emit: Emit = (event) => events.push(event);
    const { maxRounds = 10, ...windowOptions } = more;
    const window = contextWindowOf(folder.path, { turn, model, tools, emit, ...windowOptions });
    const options: LoopOptions = { model, tools, turn, window, maxRounds, emit };
    const controller = new AbortController();
    const run = () => runLoop(options, controller.signal);
    return { run, turn, model, events, controller };
  }

  it('answers a call with its result and goes on until there is no call', async () => {
    const { run, turn, model } = await setUp(
      [[call('a', 'echo', { text: 'hi' })], 'done'],
      [fakeTool('echo', async (input) => JSON.stringify(input))],
    );
    assert.deepEqual(await run(), { kind: 'completed' });
    assert.deepEqual(turn.log(), [
      userText('go'),
      calls(call('a', 'echo', { text: 'hi' })),
      results(['a', '{"text":"hi"}']),
      says('done'),
    ]);
    model.assertDone();
  });

  it('sends tools as definitions, in their order', async () => {
    const { run, model } = await setUp(
      ['done'],
      [fakeTool('b', async () => ''), fakeTool('a', async () => '')],
    );
    await run();
    assert.deepEqual(
      model.requests[0]?.tools.map((tool) => tool.name),
      ['b', 'a'],
    );
  });

  it('makes failures, unknown tools and empty outputs results for the model', async () => {
    const { run, turn } = await setUp(
      [[call('a', 'fail'), call('b', 'nowhere'), call('c', 'quiet')], 'done'],
      [
        fakeTool('fail', async () => {
          throw new Error('no such file');
        }),
        fakeTool('quiet', async () => ''),
      ],
    );
    await run();
    const message = turn.log()[2];
    assert.deepEqual(
      message?.content.map(
        (block) => block.type === 'tool_result' && [block.is_error, text(block)],
      ),
      [
        [true, 'no such file'],
        [true, 'There is no tool named "nowhere". The tools are: fail, quiet.'],
        [false, '(no output)'],
      ],
    );
  });

  it('runs neighbouring calls that only read together, and others alone and in order', async () => {
    const order: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const read = fakeTool(
      'read',
      async (input) => {
        order.push('start');
        if (order.length === 2) waiting.resolve();
        await waiting.promise;
        order.push('end');
        return JSON.stringify(input);
      },
      { readOnly: true },
    );
    const write = fakeTool('write', async () => {
      order.push('write');
      return 'ok';
    });
    const reply: ToolUseBlock[] = [call('a', 'read'), call('b', 'read'), call('c', 'write')];
    const { run } = await setUp([reply, 'done'], [read, write]);
    await run();
    assert.deepEqual(order, ['start', 'start', 'end', 'end', 'write']);
  });

  it('runs at most eight calls together, and gives back all results in the order of the calls', async () => {
    let running = 0;
    let most = 0;
    const read = fakeTool(
      'read',
      async (input) => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return JSON.stringify(input);
      },
      { readOnly: true },
    );
    const inputs = Array.from({ length: 20 }, (_, index) => ({ index }));
    const reply = inputs.map((input) => call(`c${input.index}`, 'read', input));
    const { run, turn } = await setUp([reply, 'done'], [read]);
    await run();
    assert.equal(most, 8);
    assert.deepEqual(
      turn.log()[2],
      results(...inputs.map((input) => [`c${input.index}`, JSON.stringify(input)] as const)),
    );
  });

  it('gives every open call a result when it is stopped, and leaves the others unrun', async () => {
    let ran = 0;
    const { run, turn, controller } = await setUp(
      [[call('a', 'slow'), call('b', 'slow')]],
      [
        fakeTool('slow', async () => {
          ran++;
          controller.abort();
          throw new Error('aborted');
        }),
      ],
    );
    assert.deepEqual(await run(), { kind: 'cancelled' });
    assert.equal(ran, 1);
    assert.deepEqual(
      turn.log()[2]?.content.map((block) => block.type === 'tool_result' && text(block)),
      [CANCELLED_RESULT, CANCELLED_RESULT],
    );
  });

  it('keeps what was shown of an answer that is stopped', async () => {
    const { run, turn } = await setUp([
      { content: 'a long answer', error: new ModelError('cancelled', 'Cancelled.') },
    ]);
    assert.deepEqual(await run(), { kind: 'cancelled' });
    assert.deepEqual(turn.log(), [userText('go'), says('a long answer')]);
  });

  it('keeps what was shown of an answer that was cut off, and reports the error', async () => {
    const error = new ModelError('network', 'The connection broke.');
    const { run, turn } = await setUp([{ content: 'half an ans', error }]);
    const outcome = await run();
    assert.equal(outcome.kind === 'failed' && outcome.error, error);
    assert.deepEqual(turn.log(), [userText('go'), says('half an ans')]);
  });

  it('keeps nothing of a reply that was refused', async () => {
    const error = new ModelError('refused', 'No.');
    const { run, turn } = await setUp([{ content: 'You take', error }]);
    assert.deepEqual(await run(), { kind: 'failed', error });
    assert.deepEqual(turn.log(), [userText('go')]);
  });

  it('counts a reply that was refused among what the session has used', async () => {
    const usage = { input: 70, output: 3, cacheRead: 0, cacheWrite: 0 };
    const error = new ModelError('refused', 'No.', { usage });
    const { run, turn } = await setUp([error]);
    assert.deepEqual(await run(), { kind: 'failed', error });
    assert.deepEqual(turn.usage(), { ...usage, requests: 1 });
  });

  it('makes room once after an overflow and asks again', async () => {
    const overflow = new ModelError('overflow', 'prompt is too long');
    const { run, turn, model, events } = await setUp([overflow, 'done']);
    for (const message of longHistory()) turn.append(message);
    assert.deepEqual(await run(), { kind: 'completed' });
    assert.equal(model.requests.length, 2);
    assert.ok(
      (model.requests[1]?.messages.length ?? 99) < (model.requests[0]?.messages.length ?? 0),
    );
    assert.equal(events.filter((event) => event.type === 'compacted').length, 1);
    assert.equal(turn.log().length, longHistory().length + 2);
    assert.ok(`.transcripts/${turn.ref.sessionId}.jsonl` in (await readTree(folder.path)));
  });

  it('gives up after a second overflow in a row', async () => {
    const overflow = new ModelError('overflow', 'prompt is too long');
    const { run, turn, model } = await setUp([overflow, overflow]);
    for (const message of longHistory()) turn.append(message);
    const outcome = await run();
    assert.equal(outcome.kind === 'failed' && outcome.error.kind, 'overflow');
    model.assertDone();
  });

  it('makes room again for an overflow that comes after a success', async () => {
    const overflow = new ModelError('overflow', 'prompt is too long');
    const long = 'x'.repeat(50_000);
    const { run, turn, model } = await setUp(
      [overflow, [call('z', 'big')], overflow, 'done'],
      [fakeTool('big', async () => long)],
    );
    for (const message of longHistory()) turn.append(message);
    assert.deepEqual(await run(), { kind: 'completed' });
    model.assertDone();
  });

  it('asks to go on after an overflow in mid-answer, so that no request ends with an answer', async () => {
    const overflow = new ModelError('overflow', 'The context window is full.');
    const { run, turn, model } = await setUp([{ content: 'half an ans', error: overflow }, 'wer']);
    for (const message of longHistory()) turn.append(message);
    assert.deepEqual(await run(), { kind: 'completed' });
    assert.equal(model.requests[1]?.messages.at(-1)?.role, 'user');
    assert.deepEqual(turn.log().slice(-2), [says('half an ans'), says('wer')]);
  });

  it('keeps the history when it cannot be archived', async () => {
    const overflow = new ModelError('overflow', 'prompt is too long');
    const { run, turn } = await setUp([overflow], [], {
      archive: new Archive({ root: `${folder.path}/\0`, pointers: 'relative' }),
    });
    for (const message of longHistory()) turn.append(message);
    const before = turn.working();
    const outcome = await run();
    assert.match(outcome.kind === 'failed' ? outcome.error.message : '', /could not be archived/);
    assert.deepEqual(turn.working(), before);
  });

  it('lets a reply that was cut at the output limit go on, outside the log', async () => {
    const { run, turn, model } = await setUp([
      { content: 'first', stopReason: 'max_tokens' },
      'second',
    ]);
    assert.deepEqual(await run(), { kind: 'completed' });
    assert.deepEqual(turn.log(), [userText('go'), says('first'), says('second')]);
    assert.match(JSON.stringify(model.requests[1]?.messages.at(-1)), /Go on exactly where/);
  });

  it('ends a reply that is cut again and again', async () => {
    const cut: Step = { content: 'more', stopReason: 'max_tokens' };
    const { run, model } = await setUp([cut, cut, cut, cut]);
    const outcome = await run();
    assert.equal(outcome.kind, 'failed');
    model.assertDone();
  });

  it('lets each reply that was cut go on anew, when a call was run between them', async () => {
    const cut: Step = { content: 'more', stopReason: 'max_tokens' };
    const echo = fakeTool('echo', async () => 'ok');
    const steps = [cut, cut, cut, [call('a', 'echo')], cut, 'done'];
    const { run, model } = await setUp(steps, [echo]);
    assert.deepEqual(await run(), { kind: 'completed' });
    model.assertDone();
  });

  it('goes on after a pause, and ends when there is nothing in it', async () => {
    const pause = (content: string): Step => ({ content, stopReason: 'pause_turn' });
    const { run, turn, model } = await setUp([pause('I look.'), 'done']);
    assert.deepEqual(await run(), { kind: 'completed' });
    assert.deepEqual(turn.log(), [userText('go'), says('I look.'), says('done')]);
    model.assertDone();
    const empty: Step = { content: [], stopReason: 'pause_turn' };
    const silent = await setUp([empty]);
    assert.equal((await silent.run()).kind, 'failed');
    silent.model.assertDone();
  });

  it('asks once to go on when results were answered with nothing, outside the log', async () => {
    const echo = fakeTool('echo', async () => 'ok');
    const { run, turn, model } = await setUp([[call('a', 'echo')], [], 'done'], [echo]);
    assert.deepEqual(await run(), { kind: 'completed' });
    assert.match(JSON.stringify(model.requests[2]?.messages.at(-1)), /Your reply was empty/);
    assert.deepEqual(turn.log().slice(-1), [says('done')]);
    assert.equal(turn.log().length, 4);
    const mute = await setUp([[call('a', 'echo')], [], []], [echo]);
    const outcome = await mute.run();
    assert.match(outcome.kind === 'failed' ? outcome.error.message : '', /answered with nothing/);
    mute.model.assertDone();
  });

  it('stops at the round limit with a valid session', async () => {
    const { run, turn } = await setUp(
      [[call('a', 'echo')], [call('b', 'echo')]],
      [fakeTool('echo', async () => 'ok')],
      { maxRounds: 2 },
    );
    assert.deepEqual(await run(), { kind: 'roundLimit', rounds: 2 });
    assert.deepEqual(turn.log().at(-1), results(['b', 'ok']));
  });

  it('takes an answer of thinking alone for an empty one, and does not store it', async () => {
    const { run, turn } = await setUp([[{ type: 'thinking', thinking: 'Hm.', signature: 's' }]]);
    assert.equal((await run()).kind, 'failed');
    assert.deepEqual(turn.log(), [userText('go')]);
  });

  it('reports an empty answer instead of storing an empty message', async () => {
    const { run, turn } = await setUp([[]]);
    assert.equal((await run()).kind, 'failed');
    assert.deepEqual(turn.log(), [userText('go')]);
  });
});

function longHistory(): Message[] {
  return Array.from({ length: 10 }, (_, n) => [
    calls(call(`h${n}`, 'read')),
    results([`h${n}`, 'word '.repeat(100)]),
  ]).flat();
}

function text(block: { readonly content: readonly { readonly type: string }[] }): unknown {
  const [part] = block.content;
  return part && 'text' in part ? part.text : undefined;
}
