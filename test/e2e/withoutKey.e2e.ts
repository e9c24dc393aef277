import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi } from '../support/fakeMessagesApi.ts';
import { text } from '../support/messageEvents.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const KEY = 'right-key';

describe('without a key', () => {
  const used = useWindow({ api: { apiKey: KEY }, chatModel: 'Claude (set an API key)' });
  const { workspace } = used;
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });

  it('says what it is for when it is asked nothing, with words to send and what to press', async () => {
    const welcome = await window.chat.send('@memory');
    assert.match(await window.chat.answerText(welcome), /Nothing is remembered here yet\./);
    await welcome.locator('.avatar .codicon-notebook').waitFor();
    await welcome.getByRole('link', { name: 'I prefer tabs over spaces. Remember that.' }).click();
    await window.chat.untilTyped('@memory I prefer tabs over spaces. Remember that.');
    const help = await window.chat.followUp('What else can I say?');
    assert.match(await window.chat.answerText(help), /Where memories live/);
    await window.chat.press('Show Memories');
    await window.sideBar.getByText('Nothing is remembered in this workspace yet.').waitFor();
    await window.chat.press('Get Started');
    await window.page.locator('.gettingStartedContainer .getting-started-step').first().waitFor();
    await help.getByRole('link', { name: 'the settings' }).click();
    await window.page.locator('.settings-editor').getByText('@ext:memory-agent').waitFor();
    assert.deepEqual(api.messageRequests, []);
  });

  it('shows what a first request would hold, in a new chat', async () => {
    const shown = await window.chat.ask('@memory /context');
    assert.match(shown, /Nothing has been said in this chat yet/);
    assert.match(shown, /Tools\s+[\d,]+\s/);
    assert.deepEqual(api.messageRequests, []);
  });

  it('remembers, recalls and forgets without a model', async () => {
    const remembered = await window.chat.ask('@memory /remember project: we deploy on Fridays');
    assert.match(remembered, /we-deploy-on-fridays/);
    const file = path.join(workspace, '.memory', 'we-deploy-on-fridays.md');
    assert.match(fs.readFileSync(file, 'utf8'), /type: project/);
    await window.chat.ask('@memory /remember I prefer tabs');
    const all = await window.chat.followUp('Show what is remembered');
    assert.match(await window.chat.answerText(all), /i-prefer-tabs.*we-deploy-on-fridays/s);
    assert.match(await window.chat.ask('@memory /recall deploy'), /we-deploy-on-fridays/);
    await window.chat.ask('@memory /forget deploy');
    await window.chat.press('Delete “we-deploy-on-fridays”');
    await window.pressInDialog('Delete');
    await window.notification('we-deploy-on-fridays').first().waitFor();
    assert.equal(fs.existsSync(file), false);
    assert.deepEqual(api.messageRequests, []);
  });

  it('offers to set a key, and says so when it is wrong', async () => {
    const told = await window.chat.ask('@memory /consolidate');
    assert.match(told, /I need an Anthropic API key/);
    await window.chat.ask('@memory hello');
    await window.chat.press('Set API Key');
    await window.answer('wrong-key');
    await window.chat.untilModel('Claude Auto');
    const answer = await window.chat.followUp('Ask again');
    await window.chat.errorIn(answer).waitFor();
    assert.match(await window.chat.errorIn(answer).innerText(), /key/i);
  });

  it('answers after the right key is set with the button of the error', async () => {
    await window.chat.press('Set API Key');
    await window.answer(KEY);
    api.push({ blocks: [text('Here I am.')] }, { blocks: [text('{"operations":[]}')] });
    const answer = await window.chat.followUp('Try again');
    assert.match(await window.chat.answerText(answer), /Here I am\./);
    const sent = JSON.stringify(api.messageRequests.at(-2)?.body.messages);
    assert.match(sent, /hello.*Try again/);
    assert.doesNotMatch(sent, /I need an Anthropic API key|Nothing is remembered here yet/);
  });

  it('has the first step of the walkthrough done by then', async () => {
    await window.runCommand('memoryAgent.getStarted', 'Memory: Get Started');
    const first = window.page.locator('.gettingStartedContainer .getting-started-step').first();
    await first.getByText('Choose a model', { exact: true }).waitFor();
    await first.locator('.codicon-getting-started-step-checked').waitFor();
  });
});
