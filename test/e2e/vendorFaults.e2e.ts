import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { text } from '../support/messageEvents.ts';
import { checkNextTurn, lastRequest } from './conversation.ts';
import { replyFaults } from './modelFaults.ts';
import { turnsOfAnyModel } from './modelTurns.ts';
import { BRIDGED } from './modelUnderTest.ts';
import { callsOfAnotherAgent } from './otherAgent.ts';
import { useModel } from './useModel.ts';

describe('with a model of another vendor', () => {
  const used = useModel(BRIDGED);
  turnsOfAnyModel(used);
  replyFaults(used, BRIDGED);
  callsOfAnotherAgent(used);

  it('says that a server is down, and answers when it is back', async () => {
    const { api, window } = used;
    await api.goDown();
    const answer = await window.chat.send('@memory hello');
    await window.chat.errorIn(answer).waitFor();
    assert.match(
      await window.chat.errorIn(answer).innerText(),
      /could not be reached: fetch failed/,
    );
    await api.comeBack();
    api.push({ blocks: [text('Back again.')] });
    assert.match(await window.chat.ask('@memory once more'), /Back again\./);
    await checkNextTurn({ api, chat: window.chat }, [
      'user: hello',
      'user: once more',
      'assistant: Back again.',
    ]);
  });

  it('consolidates with the picked model, also when there is a key for Claude', async () => {
    const { api, window, workspace } = used;
    fs.mkdirSync(path.join(workspace, '.memory'), { recursive: true });
    for (const name of ['one', 'two']) {
      const head = `---\nname: ${name}\ndescription: Fact ${name}\ntype: project\n---\n`;
      fs.writeFileSync(path.join(workspace, '.memory', `${name}.md`), `${head}\nFact ${name}.\n`);
    }
    api.push({ blocks: [text('{"merge":[],"update":[],"retire":[]}')] });
    const answer = await window.chat.send('@memory /consolidate');
    assert.match(await window.chat.answerText(answer), /The consolidation has ended/);
    assert.equal(lastRequest(api).body.model, 'bridged-1');
  });

  it('ends a consolidation when its answer is stopped', async () => {
    const { api, window } = used;
    api.push({ blocks: [text('{}')], stallAfter: 0 });
    await window.chat.send('@memory /consolidate');
    const progress = window.notification('Looking for what to consolidate in 2 memories');
    await progress.waitFor();
    // The notification may lie over the button.
    await window.page.keyboard.press('Control+Escape');
    await progress.waitFor({ state: 'detached' });
  });
});
