import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi, RawBlock, RequestBody } from '../support/fakeMessagesApi.ts';
import { holdBefore, text, toolUse } from '../support/messageEvents.ts';
import { untilChatIsKept } from './keptChats.ts';
import { until } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const MODEL = 'Claude Sonnet';
const NOTES = 'The service listens on port 8081.\n';
const THOUGHT = {
  type: 'thinking',
  thinking: 'The notes may tell — I look there first.',
  signature: 'EuYBCkQYAiJA7p+/0kz==',
} as const;
const READ_NOTES = toolUse('toolu_notes', 'read_file', { path: 'notes.txt' });

describe('a conversation', () => {
  const used = useWindow({
    api: { models: [modelThatThinks()] },
    environmentKey: 'any-key',
    settings: { 'memoryAgent.extraction': 'off', 'memoryAgent.recall': 'off' },
    fill: (workspace) => fs.writeFileSync(path.join(workspace, 'notes.txt'), NOTES),
    chatModel: MODEL,
  });
  const { workspace } = used;
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });
  afterEach(async () => {
    await window.chat.startNew();
  });

  it('goes on after a reload with its calls, their results and its signed thinking', async () => {
    api.push({ blocks: [THOUGHT, READ_NOTES] }, { blocks: [text('Port 8081.')] });
    assert.match(await window.chat.ask('@memory which port?'), /Port 8081\./);
    const before = lastRequest(api);
    await reload(['Port 8081.']);
    api.push({ blocks: [text('As I said.')] });
    assert.match(await window.chat.ask('@memory are you sure?'), /As I said\./);

    const after = lastRequest(api);
    assert.deepEqual(after.messages[1]?.content.map(withoutMark), [THOUGHT, READ_NOTES]);
    assert.equal(saidTo(after, 2), NOTES.trim());
    // Byte for byte, so that what the server has cached is of use.
    const ofBefore = JSON.stringify(before.messages.map(plain));
    assert.equal(JSON.stringify(after.messages.slice(0, 3).map(plain)), ofBefore);
    assert.equal(JSON.stringify(after.system), JSON.stringify(before.system));
    assert.equal(JSON.stringify(after.tools), JSON.stringify(before.tools));
  });

  it('keeps a finished call of a turn that a reload breaks off', async () => {
    await finishOneTurn('Hello, first.');
    const hold = holdBefore(0);
    api.push({ blocks: [READ_NOTES] }, { blocks: [text('Too late.')], hold });
    await window.chat.send('@memory read the notes');
    await hold.reached;
    await reload(['Hello, first.', 'read the notes']);
    api.push({ blocks: [text('It is 8081.')] });
    assert.match(await window.chat.ask('@memory so which port?'), /It is 8081\./);

    const { messages } = lastRequest(api);
    assert.deepEqual(roles(messages), ['user', 'assistant', 'user', 'assistant', 'user']);
    assert.match(JSON.stringify(messages[2]?.content), /read the notes/);
    assert.deepEqual(messages[3]?.content.map(withoutMark), [READ_NOTES]);
    const [result, ...words] = messages[4]?.content ?? [];
    assert.equal(result?.['tool_use_id'], READ_NOTES.id);
    assert.match(JSON.stringify(result?.content), /port 8081/);
    assert.match(JSON.stringify(words), /so which port\?/);
  });

  it('tells the model of a call that a reload cut off, and keeps the one before it', async () => {
    await finishOneTurn('Hello, second.');
    const started = path.join(workspace, 'started');
    const sleep = toolUse('toolu_sleep', 'bash', { command: `touch ${started}; sleep 600` });
    api.push({ blocks: [READ_NOTES] }, { blocks: [sleep] });
    await window.chat.send('@memory read and wait');
    await window.chat.allowTool('Allow Once');
    await until(() => fs.existsSync(started) || undefined);
    await reload(['Hello, second.', 'read and wait']);
    api.push({ blocks: [text('It was cut off.')] });
    assert.match(await window.chat.ask('@memory what happened?'), /It was cut off\./);

    const { messages } = lastRequest(api);
    const expected = ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'];
    assert.deepEqual(roles(messages), expected);
    assert.match(saidTo(lastRequest(api), 4), /port 8081/);
    const [result, ...words] = messages[6]?.content ?? [];
    assert.equal(result?.['tool_use_id'], sleep.id);
    assert.equal(result?.['is_error'], true);
    assert.match(JSON.stringify(words), /what happened\?/);
  });

  it('answers a request once more from where it stood', async () => {
    await finishOneTurn();
    api.push({ blocks: [READ_NOTES] }, { blocks: [text('First try.')] });
    await window.chat.ask('@memory which port?');
    api.push({ blocks: [text('Second try.')] });
    await window.chat.retry();
    await window.chat.lastAnswer.getByText('Second try.').waitFor();
    await window.chat.untilDone(window.chat.lastAnswer);
    assert.deepEqual(spoken(lastRequest(api)), ['hello', 'Hello.', 'which port?']);
    api.push({ blocks: [text('Further on.')] });
    await window.chat.ask('@memory go on');
    const all = ['hello', 'Hello.', 'which port?', 'Second try.', 'go on'];
    assert.deepEqual(spoken(lastRequest(api)), all);
  });

  it('goes on from an earlier request that the person rewrites', async () => {
    await finishOneTurn();
    api.push({ blocks: [text('The old way.')] }, { blocks: [text('Further the old way.')] });
    await window.chat.ask('@memory turn left');
    await window.chat.ask('@memory go on');
    api.push({ blocks: [text('The new way.')] });
    await window.chat.rewrite(1, '@memory turn right');
    await window.chat.lastAnswer.getByText('The new way.').waitFor();
    await window.chat.untilDone(window.chat.lastAnswer);
    assert.deepEqual(spoken(lastRequest(api)), ['hello', 'Hello.', 'turn right']);
  });

  it('is found from another chat of the workspace, in Chinese as well', async () => {
    api.push({ blocks: [text('好的，数据库叫青鸟。')] });
    await window.chat.ask('@memory The staging host is heliotrope.');
    await window.chat.startNew();
    const inEnglish = toolUse('toolu_english', 'search_history', { query: 'staging heliotrope' });
    const inChinese = toolUse('toolu_chinese', 'search_history', { query: '青鸟' });
    api.push({ blocks: [inEnglish, inChinese] }, { blocks: [text('Found both.')] });
    assert.match(await window.chat.ask('@memory what did we say?'), /Found both\./);
    const [english, chinese] = lastRequest(api).messages.at(-1)?.content ?? [];
    assert.match(JSON.stringify(english?.content), /The staging host is heliotrope\./);
    assert.match(JSON.stringify(chinese?.content), /数据库叫青鸟/);
  });

  /** VS Code brings back a chat after a reload only when it holds a finished answer. */
  async function finishOneTurn(answer = 'Hello.'): Promise<void> {
    api.push({ blocks: [text(answer)] });
    await window.chat.ask('@memory hello');
  }

  /** Once VS Code has kept these words of the chat, and until it shows the first of them again. */
  async function reload(words: readonly [string, ...string[]]): Promise<void> {
    await untilChatIsKept(window.page, used.home, [...words, 'turnId']);
    await window.reload();
    // VS Code opens it by itself; the key for it would come in between, and begin a new chat.
    await window.chat.view.waitFor();
    await window.chat.untilModel(MODEL);
    await window.chat.view.getByText(words[0]).first().waitFor();
  }
});

function modelThatThinks(): object {
  const supported = { supported: true };
  const capabilities = { thinking: { types: { adaptive: supported } } };
  return { id: 'claude-sonnet-test', display_name: MODEL, capabilities };
}

function lastRequest({ messageRequests }: FakeMessagesApi): RequestBody {
  const request = messageRequests.at(-1);
  assert.ok(request, 'nothing was asked');
  return request.body;
}

function roles(messages: RequestBody['messages']): readonly string[] {
  return messages.map(({ role }) => role);
}

/** The words of both sides, without calls and results. */
function spoken({ messages }: RequestBody): readonly string[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => block.text ?? []));
}

/** The text of the result that a message begins with. */
function saidTo({ messages }: RequestBody, index: number): string {
  const [result] = messages[index]?.content ?? [];
  const [part] = (result?.content ?? []) as readonly RawBlock[];
  return part?.text ?? '';
}

function plain({ role, content }: RequestBody['messages'][number]): object {
  return { role, content: content.map(withoutMark) };
}

/** The mark of the cache moves with the end of the conversation. */
function withoutMark({ cache_control: _mark, ...block }: RawBlock): object {
  return block;
}
