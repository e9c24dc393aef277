import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Caller } from '../../../../src/agent/caller.ts';
import type { TurnEvent } from '../../../../src/agent/events.ts';
import { createMemoryTools } from '../../../../src/agent/memoryTools.ts';
import { createSessionTools } from '../../../../src/agent/sessionTools.ts';
import { DECLINED_RESULT, type Tool } from '../../../../src/agent/tools.ts';
import { createCompact } from '../../../../src/agent/tools/compact.ts';
import { createTask } from '../../../../src/agent/tools/task.ts';
import { runTurn, type TurnRequest } from '../../../../src/agent/turn.ts';
import { createWorkspaceTools } from '../../../../src/agent/workspaceTools.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { validMessages } from '../../../../src/context/validRequest.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import {
  messageText,
  ModelError,
  userText,
  type AssistantBlock,
  type Message,
  type ModelRequest,
} from '../../../../src/models/model.ts';
import { SessionStore } from '../../../../src/sessions/sessionStore.ts';
import { UNSET } from '../../../support/contextWindows.ts';
import { call, fakeTool, results, says } from '../../../support/conversation.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel, type Step } from '../../../support/scriptedModel.ts';
import { answering, summaryAnswer } from '../../../support/summaries.ts';
import { readTree, useTempFolder } from '../../../support/tempFolder.ts';
import { turnDeps, turnRequest } from '../../../support/turnRequests.ts';

const REQUEST = 'Where is the port set? My dog is called Rex.';
const PROMPT = 'Find the file that sets the port.';
const MEMORY = {
  name: 'user-preference-tabs',
  description: 'Use tabs for indentation',
  type: 'user',
  body: 'Use tabs, not spaces.',
} as const;

describe('a task', () => {
  const folder = useTempFolder();

  function setUp(steps: readonly Step[], tools: readonly Tool[] = []) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const deps = turnDeps(folder.path, scopesOf(store));
    const model = scriptedModel(steps);
    const events: TurnEvent[] = [];
    const controller = new AbortController();
    const run = (more: Partial<TurnRequest> = {}, signal = controller.signal) =>
      runTurn(
        deps,
        turnRequest({
          text: REQUEST,
          model,
          utilityModel: answering('{"operations":[]}'),
          folders: [folder.path],
          tools: [createTask(), ...tools],
          ...more,
        }),
        (event) => events.push(event),
        signal,
      );
    const logOf = async (ref: Awaited<ReturnType<typeof run>>['ref']) =>
      (await deps.sessions.find(ref))?.log() ?? [];
    return { store, deps, model, events, controller, run, logOf };
  }

  /** The messages in the one transcript. */
  function transcript(): readonly Message[] {
    const parent = path.join(folder.path, '.transcripts');
    const [name, ...others] = fs.readdirSync(parent).filter((file) => file.endsWith('.jsonl'));
    assert.deepEqual(others, []);
    const text = fs.readFileSync(path.join(parent, name ?? ''), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => {
        const { id: _, ...message } = JSON.parse(line);
        return message;
      });
  }

  it('begins with its prompt alone: nothing of the conversation, and no memories', async () => {
    const { store, model, run } = setUp([tasks(PROMPT), 'It is in a.ts.', 'In a.ts.']);
    await store.create(MEMORY);
    await run();
    const [first, inTask] = model.requests;
    assert.match(JSON.stringify(first), /Use tabs, not spaces/);
    assert.deepEqual(inTask?.messages.map(messageText), [PROMPT]);
    assert.doesNotMatch(JSON.stringify(inTask), /Rex|tabs/);
    assert.match(inTask?.system ?? '', /last message is all that is returned/);
    assert.ok(inTask?.system.includes(`The working folder is ${folder.path} (`));
    model.assertDone();
  });

  it('is given no half of a character', async () => {
    const { model, run } = setUp([tasks('Find \ud800.'), 'It is in a.ts.', 'In a.ts.']);
    await run();
    assert.deepEqual(model.requests[1]?.messages.map(messageText), ['Find \ufffd.']);
  });

  it('gives back its answer and where its course stands, and nothing else', async () => {
    const foundOnTheWay = 'found on the way';
    const { model, run, logOf } = setUp(
      [tasks(PROMPT), [call('x', 'look')], 'It is in a.ts.', 'In a.ts.'],
      [fakeTool('look', async () => foundOnTheWay, { readOnly: true })],
    );
    const { ref, outcome } = await run();
    assert.deepEqual(outcome, { kind: 'completed' });
    const log = await logOf(ref);
    assert.deepEqual(validMessages(log, log).repairs, []);
    assert.equal(log.length, 4);
    const [, file = ''] =
      /^It is in a\.ts\.\n\n\[Its whole course is in (\.transcripts\/[\w-]+\.jsonl)\.\]$/.exec(
        resultText(log),
      ) ?? [];
    assert.ok(fs.existsSync(path.join(folder.path, file)), resultText(log));
    assert.doesNotMatch(JSON.stringify(model.requests.at(-1)), new RegExp(foundOnTheWay));
  });

  it('is in its transcript word for word after each message, before anything follows', async () => {
    const seen: (readonly Message[])[] = [];
    const look = fakeTool('look', async () => {
      seen.push(transcript());
      return 'port = 1';
    });
    const { run } = setUp(
      [
        tasks(PROMPT),
        [call('x', 'look')],
        () => {
          seen.push(transcript());
          return 'It is in a.ts.';
        },
        'In a.ts.',
      ],
      [look],
    );
    await run();
    const begun = [userText(PROMPT), { role: 'assistant', content: [call('x', 'look')] }];
    assert.deepEqual(seen, [begun, [...begun, results(['x', 'port = 1'])]]);
    assert.deepEqual(transcript(), [...begun, results(['x', 'port = 1']), says('It is in a.ts.')]);
  });

  it('leaves the cached prefix of the conversation as it is', async () => {
    const { model, run } = setUp([tasks(PROMPT), 'It is in a.ts.', 'In a.ts.']);
    await run();
    const [before, , after] = model.requests;
    assert.equal(after?.system, before?.system);
    assert.deepEqual(after?.tools, before?.tools);
    assert.deepEqual(after?.messages.slice(0, before?.messages.length), before?.messages);
  });

  it('has the tools of the turn but those for tasks, the checklist and memories', async () => {
    const sessions = new SessionStore();
    const memoryTools = createMemoryTools({
      memory: () => undefined,
      recall: () => 'auto',
      extraction: () => 'auto',
      sessions,
      folder: () => folder.path,
      now: () => new Date(),
      log: silentLog,
    });
    const { model, run, logOf } = setUp([
      tasks(PROMPT),
      [call('y', 'task', { title: 'x', prompt: 'y' })],
      'Alone.',
      'Done.',
    ]);
    const { ref } = await run({ tools: [...createSessionTools(sessions), ...memoryTools] });
    assert.deepEqual(toolNames(model.requests[1]), ['compact', 'search_history', 'search_memory']);
    assert.match(JSON.stringify(model.requests[2]), /no tool named \\"task\\"/);
    assert.match(resultText(await logOf(ref)), /^Alone\./);
  });

  it('is told of skills where they can be loaded', async () => {
    const { model, run } = setUp([tasks(PROMPT), '1', 'Done.', tasks(PROMPT), '2', 'Done.']);
    const load = fakeTool('load_skill', async () => '', { readOnly: true });
    await run();
    await run({ tools: [createTask(), load] });
    assert.deepEqual(
      [model.requests[1], model.requests[4]].map(
        (request) => request?.system.match(/skill/g)?.length,
      ),
      [undefined, 3],
    );
  });

  it('has only tools that read where the turn has only those, and none without a folder', async () => {
    const workspace = diskWorkspace([folder.path]);
    const reading = createWorkspaceTools({ workspace }).filter((tool) => tool.readOnly);
    const { model, run } = setUp([tasks(PROMPT), 'Found.', 'Done.', tasks(PROMPT), 'No.', 'Done.']);
    await run({ tools: [...reading, createTask()] });
    assert.deepEqual(toolNames(model.requests[1]), ['read_file', 'glob', 'grep']);
    const { outcome } = await run({ tools: [createTask()], folders: [] });
    assert.deepEqual(outcome, { kind: 'completed' });
    assert.deepEqual(toolNames(model.requests[4]), []);
    assert.match(model.requests[4]?.system ?? '', /No folder is open/);
  });

  it('makes its calls in its own name, with its own memory of files', async () => {
    const callers: (Caller | undefined)[] = [];
    const note = fakeTool('note', async (_input, _signal, caller) => {
      callers.push(caller);
      return 'noted';
    });
    const { run } = setUp(
      [[call('a', 'note')], tasks(PROMPT), [call('b', 'note')], 'Done.', 'Done.'],
      [note],
    );
    await run();
    const [ofTurn, ofTask] = callers;
    assert.equal(ofTurn?.task, undefined);
    assert.ok(ofTurn?.runTask);
    assert.equal(ofTask?.task, `Title: ${PROMPT}`);
    assert.equal(ofTask?.runTask, undefined);
    assert.notEqual(ofTask?.seen, ofTurn?.seen);
  });

  it('tells what happens in it as its own, so that the figures of the conversation stay', async () => {
    const { events, run } = setUp(
      [tasks(PROMPT), [call('x', 'look')], 'Found.', 'Done.'],
      [fakeTool('look', async () => 'x')],
    );
    await run();
    const shown = events.map((event) =>
      event.type === 'inTask' ? `${event.title}: ${event.event.type}` : event.type,
    );
    const inTask = (type: string) => `Title: ${PROMPT}: ${type}`;
    assert.deepEqual(
      shown.filter((type) => type !== 'recalled' && !type.endsWith('text')),
      [
        'answered',
        'toolStarted',
        inTask('answered'),
        inTask('toolStarted'),
        inTask('toolFinished'),
        inTask('answered'),
        'toolFinished',
        'answered',
      ],
    );
  });

  it('is paid for by the conversation, and leaves nothing behind in the window', async () => {
    const usage = { input: 50, output: 2, cacheRead: 0, cacheWrite: 900 };
    const of = (content: string | readonly AssistantBlock[]): Step => ({ content, usage });
    const { deps, events, model, run } = setUp([of(tasks(PROMPT)), of('Found.'), of('Done.')]);
    const { ref } = await run();
    const paid = events.flatMap((event) => (event.type === 'answered' ? [event.usage] : []));
    const sum = { input: 150, output: 6, cacheRead: 0, cacheWrite: 2_700, requests: 3 };
    assert.deepEqual(paid.at(-1), sum);
    assert.deepEqual((await deps.sessions.find(ref))?.usage(), sum);
    const [name = ''] = fs
      .readdirSync(path.join(folder.path, '.transcripts'))
      .filter((file) => file.endsWith('.jsonl'));
    const factorOf = (sessionId: string) => deps.compactor.factor({ sessionId, modelId: model.id });
    assert.notEqual(factorOf(ref.sessionId), 1);
    assert.equal(factorOf(path.parse(name).name), 1);
  });

  it('is neither learned from nor running, and no search finds its words', async () => {
    const utilityModel = scriptedModel(['{"operations":[]}']);
    const running: number[] = [];
    const { deps, run } = setUp([
      tasks('I always use zebrapad.'),
      () => {
        running.push(deps.sessions.running().length);
        return 'I prefer quokkafont.';
      },
      'Done.',
    ]);
    const { learning } = await run({ utilityModel });
    await learning;
    assert.deepEqual(running, [1]);
    assert.match(JSON.stringify(utilityModel.requests), /Rex/);
    assert.doesNotMatch(JSON.stringify(utilityModel.requests), /zebrapad|quokkafont/);
    assert.deepEqual(await deps.sessions.unlearned(), []);
    const found = await deps.sessions.search('quokkafont');
    // The answer in the conversation, and not the message of the task.
    assert.deepEqual(
      found.map(({ from }) => from),
      ['tool'],
    );
  });

  it('passes on that a call of it was declined', async () => {
    const declined = fakeTool('write_file', () => Promise.reject(new Error(DECLINED_RESULT)));
    const { model, run } = setUp(
      [tasks(PROMPT), [call('x', 'write_file')], 'They declined.', 'Done.'],
      [declined],
    );
    await run();
    assert.ok(JSON.stringify(model.requests[2]).includes(DECLINED_RESULT));
  });

  it('names the files that it wrote', async () => {
    const workspace = diskWorkspace([folder.path]);
    const { run, logOf } = setUp(
      [
        tasks(PROMPT),
        [call('x', 'write_file', { path: 'a.ts', content: 'a' })],
        'Written.',
        'Done.',
      ],
      createWorkspaceTools({ workspace }),
    );
    const { ref } = await run();
    assert.match(resultText(await logOf(ref)), /^Written\.\n\n\[Files that it wrote: a\.ts\. Its/);
  });

  it('names a file that it wrote on one line, whatever it is called', async () => {
    const { run, logOf } = setUp(
      [tasks(PROMPT), [call('x', 'write_file', { path: 'a\nGo on.ts' })], 'Written.', 'Done.'],
      [fakeTool('write_file', async () => 'Overwrote it.')],
    );
    const { ref } = await run();
    assert.match(resultText(await logOf(ref)), /\[Files that it wrote: a\\u000aGo on\.ts\. Its/);
  });

  it('cuts an answer that is too long, and says so', async () => {
    const { run, logOf } = setUp([tasks(PROMPT), `${'x'.repeat(30_000)}end`, 'Done.']);
    const { ref } = await run();
    const text = resultText(await logOf(ref));
    assert.match(text, /^x{20000}\n\n\[Cut here, after 20000 of 30003 characters\. Its whole/);
    assert.equal(messageText(transcript().at(-1) ?? says('')).slice(-3), 'end');
  });

  it('puts together an answer that went on behind the output limit', async () => {
    const { run, logOf } = setUp([
      tasks(PROMPT),
      { content: 'It is in a', stopReason: 'max_tokens' },
      '.ts, line 3.',
      'Done.',
    ]);
    const { ref } = await run();
    assert.match(resultText(await logOf(ref)), /^It is in a\.ts, line 3\.\n/);
  });

  const looks = Array.from({ length: 50 }, (_, index): AssistantBlock[] => [
    { type: 'text', text: `Looked ${index} times.` },
    call(`x${index}`, 'look'),
  ]);
  const failures: readonly [name: string, steps: readonly Step[], told: RegExp][] = [
    ['an error', [new ModelError('network', 'The line was cut.')], /: The line was cut\./],
    ['a refusal', [new ModelError('refused', 'Declined.')], /: Declined\./],
    ['an empty answer', [[]], /: The model answered with nothing/],
    ['too many rounds', looks, /: it used all of its 50 replies\.\n\nIts last words:\nLooked 49/],
    ['a stop from elsewhere', [new ModelError('cancelled', 'Stop.')], /: its model stopped\./],
    [
      'a cut answer',
      [{ content: 'Half of', error: new ModelError('network', 'The line was cut.') }],
      /: The line was cut\.\n\nIts last words:\nHalf of\n/,
    ],
  ];
  for (const [name, steps, told] of failures) {
    it(`that ends with ${name} is a failed call that tells how far it came`, async () => {
      const { model, run, logOf } = setUp(
        [tasks(PROMPT), ...steps, 'I did it myself.'],
        [fakeTool('look', async () => 'x', { readOnly: true })],
      );
      const { ref, outcome } = await run({ maxRounds: 100 });
      assert.deepEqual(outcome, { kind: 'completed' });
      const log = await logOf(ref);
      assert.equal(resultOf(log).is_error, true);
      assert.match(resultText(log), told);
      assert.match(resultText(log), /\[Its whole course is in \.transcripts\/\S+\.jsonl\.\]/);
      assert.match(resultText(log), /give what is left as a smaller task/);
      model.assertDone();
    });
  }

  it('has no more rounds than the turn that gives it', async () => {
    const { run, model, logOf } = setUp(
      [tasks(PROMPT), ...looks.slice(0, 3), 'Done.'],
      [fakeTool('look', async () => 'x', { readOnly: true })],
    );
    const { ref } = await run({ maxRounds: 3 });
    assert.match(resultText(await logOf(ref)), /all of its 3 replies/);
    assert.match(model.requests[1]?.system ?? '', /You have 3 replies/);
  });

  it('is told in time that its last reply comes, and can answer with what it has', async () => {
    const { run, model, logOf, events } = setUp(
      [tasks(PROMPT), ...looks.slice(0, 2), 'In a.ts, as far as I saw.', 'Done.'],
      [fakeTool('look', async () => 'x', { readOnly: true })],
    );
    const { ref } = await run({ maxRounds: 3 });
    assert.match(resultText(await logOf(ref)), /^In a\.ts, as far as I saw\./);
    const told = model.requests.map((request) => /reply is the last/.test(JSON.stringify(request)));
    assert.deepEqual(told, [false, false, false, true, false]);
    assert.doesNotMatch(JSON.stringify(transcript()), /reply is the last/);
    assert.ok(!events.some(({ type }) => type === 'archiveFailed'));
  });

  it('comes to its end when its course cannot be archived, and says so', async () => {
    fs.writeFileSync(path.join(folder.path, '.transcripts'), 'in the way');
    const { run, logOf } = setUp([tasks(PROMPT), 'It is in a.ts.', 'Done.']);
    const { ref } = await run();
    assert.match(resultText(await logOf(ref)), /^It is in a\.ts\.\n\n\[Its course could not be/);
  });

  it('is stopped with the turn, in the middle of a tool too', async () => {
    const { run, controller, model, logOf, deps } = setUp(
      [tasks(PROMPT, 'Another.'), [call('x', 'slow')], [call('y', 'slow')]],
      [
        fakeTool('slow', (_input, signal) => {
          const stopped = Promise.withResolvers<string>();
          signal.addEventListener('abort', () => stopped.reject(new Error('aborted')));
          if (model.requests.length === 3) controller.abort();
          return stopped.promise;
        }),
      ],
    );
    const { ref, outcome } = await run({ extraction: 'off' });
    assert.deepEqual(outcome, { kind: 'cancelled' });
    const log = await logOf(ref);
    assert.deepEqual(validMessages(log, log).repairs, []);
    for (const block of log[2]?.content ?? [])
      assert.match(
        textIn(block),
        /^The task was not brought to its end: it was stopped by the user/,
      );
    const files = await readTree(path.join(folder.path, '.transcripts'));
    const transcripts = Object.entries(files).filter(([name]) => name.endsWith('.jsonl'));
    assert.deepEqual(
      transcripts.map(([, text]) => text.trim().split('\n').length),
      [3, 3],
    );
    assert.deepEqual(deps.sessions.running(), []);
    model.push('Going on.');
    const next = await run({ previous: ref, extraction: 'off' }, new AbortController().signal);
    assert.deepEqual(next.outcome, { kind: 'completed' });
  });

  it('that is stopped tells what it had done by then, so that the next request goes on from it', async () => {
    const { run, controller, logOf } = setUp(
      [
        tasks(PROMPT),
        [...says('I write it down.').content, call('w', 'write_file', { path: 'b.ts' })],
        () => {
          controller.abort();
          return 'Too late.';
        },
      ],
      [fakeTool('write_file', async () => 'Created b.ts.')],
    );
    const { ref } = await run();
    const text = resultText(await logOf(ref));
    assert.match(text, /it was stopped by the user\.\n\nIts last words:\nI write it down\./);
    assert.match(text, /\[Files that it wrote: b\.ts\. Its whole course is in \.transcripts\//);
    assert.match(text, /\n\nLook at what was done before you go on\.$/);
  });

  it('is stopped while its model answers', async () => {
    const { run, controller } = setUp([
      tasks(PROMPT),
      () => {
        controller.abort();
        return 'Too late.';
      },
    ]);
    assert.deepEqual((await run()).outcome, { kind: 'cancelled' });
  });

  it('runs beside others, four at once, and all answers come back in the order of the calls', async () => {
    let running = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const prompts = ['0', '1', '2', '3', '4', '5'];
    const inTask: Step = async (request) => {
      most = Math.max(most, ++running);
      if (running === 4) gate.resolve();
      await gate.promise;
      running--;
      return `Answer ${messageText(request.messages[0] ?? says(''))}`;
    };
    const { run, logOf } = setUp([tasks(...prompts), ...prompts.map(() => inTask), 'Done.']);
    const { ref } = await run();
    assert.equal(most, 4);
    const [, , message] = await logOf(ref);
    assert.deepEqual(
      message?.content.map((block) => /^Answer (\d)/.exec(textIn(block))?.[1]),
      prompts,
    );
  });

  it('that waits for its turn does not begin any more when the turn is stopped', async () => {
    const endless: Step = () => new Promise(() => {});
    const { run, controller, model } = setUp([
      tasks('0', '1', '2', '3', '4'),
      endless,
      endless,
      endless,
      () => {
        controller.abort();
        return 'D.';
      },
    ]);
    assert.deepEqual((await run()).outcome, { kind: 'cancelled' });
    assert.equal(model.requests.length, 5);
  });

  const narrow = [
    ['in a small window', { input: 9_000, output: 1_000 }, UNSET],
    ['where the person wants it short', {}, { ...UNSET, maxTokens: 5_000 }],
  ] as const;
  for (const [where, limits, compaction] of narrow) {
    it(`compacts its own history ${where}, and the conversation keeps its own`, async () => {
      const rounds = Array.from({ length: 12 }, (_, index) => [call(`x${index}`, 'look')]);
      const { events, model, run, logOf } = setUp(
        [tasks(PROMPT), ...rounds, 'It is in a.ts.', 'Done.'],
        [fakeTool('look', async () => 'a line of a file\n'.repeat(200), { readOnly: true })],
      );
      const small = { ...model, limits: { ...model.limits, ...limits } };
      const summariser = answering(summaryAnswer({ goal: PROMPT }));
      const { ref, outcome } = await run({
        model: small,
        utilityModel: summariser,
        compaction,
        extraction: 'off',
        maxRounds: 40,
      });
      assert.deepEqual(outcome, { kind: 'completed' });
      const compacted = (event: TurnEvent) => event.type === 'compacted';
      assert.ok(events.some((event) => event.type === 'inTask' && compacted(event.event)));
      assert.ok(!events.some(compacted));
      assert.match(resultText(await logOf(ref)), /^It is in a\.ts\./);
      // The prompt, twelve calls with their results, the answer.
      assert.equal(transcript().length, 26);
      const last = model.requests.at(-2);
      assert.match(JSON.stringify(last?.messages), new RegExp(PROMPT));
    });
  }

  it('makes room when its model finds it too long, and goes on', async () => {
    const { events, model, run, logOf } = setUp(
      [
        tasks(PROMPT),
        [call('x', 'look')],
        new ModelError('overflow', 'prompt is too long'),
        'It is in a.ts.',
        'Done.',
      ],
      [fakeTool('look', async () => 'a line of a file\n'.repeat(500))],
    );
    const { ref } = await run({ extraction: 'off' });
    assert.match(resultText(await logOf(ref)), /^It is in a\.ts\./);
    const compactions = events.filter(
      (event) => event.type === 'inTask' && event.event.type === 'compacted',
    );
    assert.equal(compactions.length, 1);
    model.assertDone();
  });

  it('compacts when it asks for it itself', async () => {
    const { events, run, model } = setUp(
      [tasks(PROMPT), [call('x', 'look')], [call('y', 'compact')], 'It is in a.ts.', 'Done.'],
      [fakeTool('look', async () => 'a line of a file\n'.repeat(500)), createCompact()],
    );
    const utilityModel = answering(summaryAnswer({ goal: PROMPT }));
    await run({ utilityModel, extraction: 'off' });
    const stages = events.flatMap((event) =>
      event.type === 'inTask' && event.event.type === 'compacted' ? event.event.stages : [],
    );
    assert.deepEqual(stages, ['summarise']);
    model.assertDone();
  });

  it('looks for nothing to remember before its history is compacted', async () => {
    const utilityModel = scriptedModel([
      summaryAnswer({ goal: PROMPT }),
      // From the turn itself, when it is over.
      '{"operations":[]}',
    ]);
    const { run } = setUp(
      [tasks(PROMPT), [call('x', 'look')], [call('y', 'compact')], 'It is in a.ts.', 'Done.'],
      [fakeTool('look', async () => 'a line of a file\n'.repeat(500)), createCompact()],
    );
    const { learning } = await run({ utilityModel });
    await learning;
    utilityModel.assertDone();
  });
});

/** A reply that gives these tasks. */
function tasks(...prompts: readonly string[]): AssistantBlock[] {
  return prompts.map((prompt, index) =>
    call(`t${index}`, 'task', { title: `Title: ${prompt}`, prompt }),
  );
}

function toolNames(request: ModelRequest | undefined): readonly string[] {
  return request?.tools.map(({ name }) => name) ?? [];
}

/** Of the first call of a log. */
function resultOf(log: readonly Message[]) {
  const block = log
    .flatMap((message) => [...message.content])
    .find(({ type }) => type === 'tool_result');
  assert.ok(block?.type === 'tool_result');
  return block;
}

function resultText(log: readonly Message[]): string {
  return textIn(resultOf(log));
}

function textIn(block: Message['content'][number]): string {
  if (block.type !== 'tool_result') return '';
  return block.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
