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
