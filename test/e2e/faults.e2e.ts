import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi } from '../support/fakeMessagesApi.ts';
import { holdBefore, text, toolUse } from '../support/messageEvents.ts';
import { until } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const KEY = 'right-key';
const MAX_ROUNDS = 3;
/** An answer to the question for a summary, which comes before a history is cut without one. */
const NO_SUMMARY = {
  status: 400,
  error: { type: 'invalid_request_error', message: 'This model writes no summaries.' },
};

describe('without a key', () => {
  const used = useWindow({ api: { apiKey: KEY }, chatModel: 'Claude (set an API key)' });
  const { workspace } = used;
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });

  it('shows what a first request would hold, in a new chat', async () => {
    const shown = await window.chat.ask('@memory /context');
    assert.match(shown, /Nothing was said in this chat yet/);
    assert.match(shown, /Tools\s+[\d,]+\s/);
    assert.deepEqual(api.messageRequests, []);
  });

  it('remembers, recalls and forgets without a model', async () => {
    const remembered = await window.chat.ask('@memory /remember project: we deploy on Fridays');
    assert.match(remembered, /we-deploy-on-fridays/);
    const file = path.join(workspace, '.memory', 'we-deploy-on-fridays.md');
    assert.match(fs.readFileSync(file, 'utf8'), /type: project/);
    assert.match(await window.chat.ask('@memory /recall deploy'), /we-deploy-on-fridays/);
    await window.chat.ask('@memory /forget deploy');
    await window.chat.press('Delete “we-deploy-on-fridays”');
    await window.pressInDialog('Delete');
    await window.notification('we-deploy-on-fridays').first().waitFor();
    assert.equal(fs.existsSync(file), false);
    assert.deepEqual(api.messageRequests, []);
  });

  it('offers to set a key, and says so when it is wrong', async () => {
    await window.chat.ask('@memory hello');
    await window.chat.press('Set API Key');
    await window.answer('wrong-key');
    await window.chat.untilModel('Claude Auto');
    const answer = await window.chat.send('@memory hello again');
    await window.chat.errorIn(answer).waitFor();
    assert.match(await window.chat.errorIn(answer).innerText(), /key/i);
  });

  it('answers after the right key is set with the button of the error', async () => {
    await window.chat.press('Set API Key');
    await window.answer(KEY);
    api.push({ blocks: [text('Here I am.')] }, { blocks: [text('{"operations":[]}')] });
    assert.match(await window.chat.ask('@memory are you there?'), /Here I am\./);
  });
});

describe('when things go wrong', () => {
  const used = useWindow({
    api: { apiKey: KEY },
    environmentKey: KEY,
    settings: { 'memoryAgent.extraction': 'off', 'memoryAgent.maxRounds': MAX_ROUNDS },
    chatModel: 'Claude Auto',
  });
  const { workspace } = used;
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });
  beforeEach(async () => {
    await window.chat.startNew();
  });

  it('stops in the middle of an answer, and goes on with the next request', async () => {
    const hold = holdBefore(6);
    const words = 'A long answer that nobody waits for to the end of.';
    api.push({ blocks: [text(words)], hold });
    const answer = await window.chat.send('@memory tell me a story');
    await hold.reached;
    await answer.getByText('A long').first().waitFor();
    await window.chat.stop();
    await lastRequest(api).hungUp;
    api.push({ blocks: [text('Another one.')] });
    assert.match(await window.chat.ask('@memory another, please'), /Another one\./);
    const roles = lastRequest(api).body.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'user']);
  });

  it('stops in the middle of a command, kills it, and leaves a valid session', async () => {
    const started = path.join(workspace, 'started');
    const command = `echo $$ > ${started}; sleep 600`;
    api.push({ blocks: [toolUse('toolu_sleep', 'bash', { command })] });
    await window.chat.send('@memory wait for ten minutes');
    await window.chat.allowTool('Allow Once');
    const pid = await firstLine(started);
    await window.chat.stop();
    await gone(pid);
    api.push({ blocks: [text('Still here.')] });
    assert.match(await window.chat.ask('@memory are you there?'), /Still here\./);
    const [result] = lastRequest(api).body.messages[2]?.content ?? [];
    assert.equal(result?.type, 'tool_result');
    assert.equal(result?.['tool_use_id'], 'toolu_sleep');
    assert.equal(result?.['is_error'], true);
  });

  it('runs nothing when the person declines, and tells the model', async () => {
    const input = { path: 'unwanted.txt', content: 'no' };
    api.push({ blocks: [toolUse('toolu_no', 'write_file', input)] }, { blocks: [text('Fine.')] });
    const answer = await window.chat.send('@memory write a file');
    await window.chat.skipTool();
    assert.match(await window.chat.answerText(answer), /Fine\./);
    assert.equal(fs.existsSync(path.join(workspace, 'unwanted.txt')), false);
    const [result] = lastRequest(api).body.messages.at(-1)?.content ?? [];
    assert.equal(result?.['is_error'], true);
    assert.match(JSON.stringify(result?.content), /declined/);
  });

  it('archives and asks again when the conversation is too long for the model', async () => {
    const old = 'an old answer '.repeat(300);
    for (const question of ['one', 'two', 'three']) {
      api.push({ blocks: [text(`${question}: ${old}`)] });
      await window.chat.ask(`@memory ${question}`);
    }
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    api.push({ status: 400, error: { type: 'invalid_request_error', message } }, NO_SUMMARY, {
      blocks: [text('It fits now.')],
    });
    const answer = await window.chat.send('@memory and four?');
    assert.match(await window.chat.answerText(answer), /It fits now\./);
    const archives = fs.readdirSync(path.join(workspace, '.transcripts'));
    const transcript = archives.find((name) => name.endsWith('.jsonl')) ?? '';
    const archived = fs.readFileSync(path.join(workspace, '.transcripts', transcript), 'utf8');
    assert.match(archived, /one: an old answer/);
    assert.match(JSON.stringify(lastRequest(api).body.messages), /and four\?/);
    assert.match(await window.chat.answerMarkdown(answer), /moved to the archive/);
  });

  it('says that it waits, and asks again, when the server is overloaded', async () => {
    const hold = holdBefore(0);
    api.push(
      { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } },
      { blocks: [text('Now it works.')], hold },
    );
    const answer = await window.chat.send('@memory hello');
    await answer.getByText(/Trying again in \d+ s: .*\(attempt 2 of 4\)/).waitFor();
    await hold.reached;
    hold.open();
    assert.match(await window.chat.answerText(answer), /Now it works\./);
  });

  it('goes on after an overflow in the middle of an answer', async () => {
    for (const question of ['one', 'two', 'three']) {
      api.push({ blocks: [text(`${question}: ${'an old answer '.repeat(300)}`)] });
      await window.chat.ask(`@memory ${question}`);
    }
    api.push(
      { blocks: [text('The first half, ')], stop: 'model_context_window_exceeded' },
      NO_SUMMARY,
      { blocks: [text('and the second.')] },
    );
    const answer = await window.chat.send('@memory go on');
    assert.match(await window.chat.answerMarkdown(answer), /The first half.*and the second\./s);
    assert.equal(lastRequest(api).body.messages.at(-1)?.role, 'user');
  });

  it('stops at the round limit, and continues when asked to', async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      api.push({ blocks: [toolUse(`toolu_${round}`, 'glob', { pattern: '*' })] });
    }
    const answer = await window.chat.send('@memory look around');
    assert.match(await window.chat.answerText(answer), /I stopped after 3 rounds/);
    api.push({ blocks: [text('Going on.')] });
    const next = await window.chat.followUp('Continue');
    assert.match(await window.chat.answerText(next), /Going on\./);
  });

  it('stops a command that does not want to end, and keeps the turn', async () => {
    const started = path.join(workspace, 'stubborn');
    const command = `trap '' TERM; echo $$ > ${started}; while true; do sleep 1; done`;
    api.push({ blocks: [toolUse('toolu_stubborn', 'bash', { command })] });
    await window.chat.send('@memory never end');
    await window.chat.allowTool('Allow Once');
    const pid = await firstLine(started);
    await window.chat.stop();
    await gone(pid);
    api.push({ blocks: [text('Here.')] });
    assert.match(await window.chat.ask('@memory and now?'), /Here\./);
    const roles = lastRequest(api).body.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'user']);
    assert.match(JSON.stringify(lastRequest(api).body.messages[0]), /never end/);
  });

  it('leaves no command running when the window is closed', async () => {
    const started = path.join(workspace, 'left');
    const command = `trap '' TERM; echo $$ > ${started}; while true; do sleep 1; done`;
    api.push({ blocks: [toolUse('toolu_left', 'bash', { command })] });
    await window.chat.send('@memory run a server');
    await window.chat.allowTool('Allow Once');
    const pid = await firstLine(started);
    await window.reload();
    await gone(pid);
    await window.chat.open();
    await window.chat.untilModel('Claude Auto');
  });

  it('keeps the start of an answer that is cut off, and says what happened', async () => {
    api.push({ blocks: [text('Half an answer, and then')], cutAfter: 5 });
    const answer = await window.chat.send('@memory go on');
    await window.chat.errorIn(answer).waitFor();
    assert.match(await window.chat.answerMarkdown(answer), /Half an/);
  });
});

function lastRequest(api: FakeMessagesApi): FakeMessagesApi['messageRequests'][number] {
  const request = api.messageRequests.at(-1);
  assert.ok(request, 'nothing was asked');
  return request;
}

/** The first line of a file, as soon as it stands there. */
async function firstLine(file: string): Promise<string> {
  return until(() => {
    const [line, rest] = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    return rest === undefined ? undefined : line;
  });
}

async function gone(pid: string): Promise<void> {
  await until(() => {
    try {
      process.kill(Number(pid), 0);
      return undefined;
    } catch {
      return true;
    }
  });
}
