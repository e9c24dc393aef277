import assert from 'node:assert/strict';
import path from 'node:path';
import { measure } from '../../../../src/context/measure.ts';
import { cutMechanically, mechanicalCut } from '../../../../src/context/stages/mechanicalCut.ts';
import { summaryBlock } from '../../../../src/context/summaryBlock.ts';
import { userText, type Message, type ToolResultBlock } from '../../../../src/models/model.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { filled, longTurn } from '../../../support/histories.ts';
import {
  NEVER_ABORTED,
  NEVER_OVER,
  stageInput,
  type StageInputOptions,
} from '../../../support/stageInput.ts';
import { readTree, useTempFolder } from '../../../support/tempFolder.ts';

const NO_SUMMARY = {
  goal: '',
  decisions: [],
  files: [],
  done: [],
  remaining: [],
  constraints: [],
  facts: [],
};

describe('the cut that needs no model', () => {
  const folder = useTempFolder();
  const input = (messages: readonly Message[], options: Partial<StageInputOptions> = {}) =>
    stageInput({ messages, root: folder.path, ...options });
  const cut = (messages: readonly Message[], options: Partial<StageInputOptions> = {}) =>
    cutMechanically(input(messages, options), NEVER_ABORTED);

  it('keeps a marker, the current request and the last messages, pairs whole', async () => {
    const messages = [...old(60), ...longTurn(61)];
    const result = await cut(messages, { budget: NEVER_OVER });
    const [first, ...tail] = result?.messages ?? [];
    const [marker, ...request] = first?.content ?? [];
    assert.match(
      marker?.type === 'context' ? marker.text : '',
      /^\[Moved out of this conversation: 114 messages\.\][^]* verbatim in \.transcripts\/session\.jsonl, /,
    );
    assert.deepEqual(request, messages[60]?.content);
    assert.deepEqual(tail, messages.slice(-6));
    assert.equal(result?.archive, path.join(folder.path, '.transcripts', 'session.jsonl'));
  });

  it('carries on a summary that stood in what leaves', async () => {
    const note = {
      transcript: 'x',
      changedFiles: [],
      openTodos: undefined,
      loadedSkills: [],
      said: [],
      kept: [],
      target: 0,
    };
    const summary = summaryBlock({ ...NO_SUMMARY, goal: 'Tidy up.' }, note);
    const summed: Message = { role: 'user', content: [...userText('old').content, summary] };
    const messages = [summed, ...old(40).slice(1), ...longTurn(61)];
    const result = await cut(messages, { budget: NEVER_OVER });
    const blocks = result?.messages.flatMap((message) =>
      message.role === 'user' ? message.content : [],
    );
    assert.deepEqual(
      blocks?.filter((block) => block === summary),
      [summary],
    );
    assert.ok(!JSON.stringify(result?.messages).includes('"old"'));
  });

  it('runs as a stage only when the history is too large', async () => {
    const messages = longTurn(61);
    const none = await mechanicalCut.run(input(messages, { budget: NEVER_OVER }), NEVER_ABORTED);
    assert.equal(none, undefined);
    const some = await mechanicalCut.run(input(messages), NEVER_ABORTED);
    assert.ok(some);
  });

  it('shortens long results that it keeps to how they begin', async () => {
    const messages = [
      userText('go'),
      calls(call('a', 'bash')),
      results(['a', filled(45_000, 'a')]),
    ];
    const result = await cut(messages, { budget: { trigger: 2_000, target: 1_600 } });
    const [block] = resultsIn(result?.messages);
    const [text] = block?.content ?? [];
    assert.ok(text?.type === 'text' && text.text.endsWith(filled(45_000, 'a').slice(0, 2_000)));
    assert.equal((await readTree(folder.path))[block?.archived?.place ?? ''], filled(45_000, 'a'));
    assert.deepEqual(result?.messages.slice(0, 2), messages.slice(0, 2));
  });

  it('keeps fewer messages, and only then leaves of results where they stand', async () => {
    const messages = [...old(10), ...longTurn(21).map(withLongResult)];
    const shapeWithin = async (limit: number) =>
      shapeOf((await cut(messages, { budget: { trigger: limit, target: limit } }))?.messages);
    const [one, none, all] = [1_000, 150, 20_000];
    assert.deepEqual(await shapeWithin(all), [
      'user',
      'call',
      'text',
      'call',
      'text',
      'call',
      'text',
    ]);
    assert.deepEqual(await shapeWithin(one), ['user', 'call', 'text']);
    assert.deepEqual(await shapeWithin(none), ['user', 'call', 'line', 'call', 'line']);
    assert.deepEqual(await shapeWithin(0), ['user', 'call', 'line']);
  });

  it('keeps every unread result, spread over more messages than it would keep', async () => {
    const ids = Array.from({ length: 9 }, (_, index) => `r${index}`);
    const messages = [
      ...old(20),
      userText('go'),
      calls(...ids.map((id) => call(id, 'bash'))),
      ...ids.map((id) => results([id, filled(3_000, id)])),
    ];
    const after = (await cut(messages))?.messages;
    assert.deepEqual(
      resultsIn(after).map((block) => [block.tool_use_id, block.archived?.characters]),
      ids.map((id) => [id, 3_000]),
    );
  });

  it('keeps unread results also when the person has spoken since', async () => {
    const messages = [
      ...old(20),
      calls(call('a', 'bash')),
      results(['a', 'what it printed']),
      userText('Now this.'),
    ];
    const after = (await cut(messages))?.messages;
    assert.deepEqual(shapeOf(after), ['user', 'call', 'text', 'user']);
  });

  it('keeps unread results also behind many notices', async () => {
    const messages = [...old(20), userText('go'), ...longTurn(3).slice(1), ...notices(7)];
    const after = (await cut(messages))?.messages;
    assert.deepEqual(shapeOf(after).slice(0, 4), ['user', 'call', 'line', 'user']);
  });

  it('starts with a reply behind the request', async () => {
    const rounds = longTurn(7).slice(1);
    const noticed = [...rounds.slice(0, 2), ...notices(1), ...rounds.slice(2)];
    const after = (await cut([...old(20), userText('go'), ...noticed], { budget: NEVER_OVER }))
      ?.messages;
    assert.deepEqual(shapeOf(after), ['user', 'call', 'text', 'call', 'text']);
  });

  it('shortens a long text in a call that it keeps', async () => {
    const content = filled(60_000, 'file');
    const messages = [
      userText('go'),
      calls(call('a', 'write_file', { path: 'a.ts', content })),
      results(['a', 'Written.']),
    ];
    const after = (await cut(messages))?.messages ?? [];
    assert.ok(measure(after) < measure(messages) / 10);
    assert.ok(Object.values(await readTree(folder.path)).includes(content));
  });

  it('has nothing to offer, and writes nothing, when only a long request is left', async () => {
    assert.equal(await cut([userText(filled(100_000, 'pasted'))]), undefined);
    assert.deepEqual(await readTree(folder.path), {});
  });

  it('cuts on when it is forced again after more rounds, with one marker', async () => {
    const all = [...old(30), ...longTurn(61)];
    const first = await cut(all.slice(0, 61), { budget: NEVER_OVER });
    const second = await cut([...(first?.messages ?? []), ...all.slice(61)], {
      budget: NEVER_OVER,
    });
    const markers = JSON.stringify(second?.messages).match(/Moved out of this conversation: \d+/g);
    assert.deepEqual(markers, ['Moved out of this conversation: 84']);
  });

  it('goes on when it is forced and what usually leaves is gone already', async () => {
    const shapes: string[][] = [];
    let messages: readonly Message[] = longTurn(7);
    for (;;) {
      const result = await cut(messages, { budget: NEVER_OVER });
      if (!result) break;
      messages = result.messages;
      shapes.push(shapeOf(messages));
    }
    assert.deepEqual(shapes, [
      ['user', 'call', 'text', 'call', 'text'],
      ['user', 'call', 'text'],
      ['user', 'call', 'line'],
    ]);
  });
});

function old(messages: number): Message[] {
  return Array.from({ length: messages }, (_, index) =>
    index % 2 === 0 ? userText(`question ${index}`) : says(filled(400, `answer ${index}`)),
  );
}

function notices(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => ({
    role: 'user',
    content: [{ type: 'context', text: `Notice ${index}.`, records: {} }],
  }));
}

function withLongResult(message: Message): Message {
  const [block] = resultsIn([message]);
  return block ? results([block.tool_use_id, filled(9_000, block.tool_use_id)]) : message;
}

/** `text` for a result in full or its beginning, `line` for one that only says where it stands. */
function shapeOf(messages: readonly Message[] = []): string[] {
  return messages.map((message) => {
    if (message.role === 'assistant') return 'call';
    const [block] = resultsIn([message]);
    if (!block) return 'user';
    return block.archived && !JSON.stringify(block.content).includes('begins') ? 'line' : 'text';
  });
}

function resultsIn(messages: readonly Message[] = []): ToolResultBlock[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );
}
