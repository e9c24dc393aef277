import assert from 'node:assert/strict';
import path from 'node:path';

import { holdBefore, text, toolUse } from '../support/messageEvents.ts';
import { checkNextTurn } from './conversation.ts';
import { replyFaults } from './modelFaults.ts';
import { turnsOfAnyModel } from './modelTurns.ts';
import { CLAUDE } from './modelUnderTest.ts';
import { ended, firstLine } from './runningCommand.ts';
import { useModel } from './useModel.ts';

describe('with Claude', () => {
  const used = useModel(CLAUDE);
  const { workspace } = used;
  turnsOfAnyModel(used);
  replyFaults(used, CLAUDE);

  it('says that it waits, and asks again, when the server is overloaded', async () => {
    const { api, window } = used;
    const hold = holdBefore(0);
    api.push(
      { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } },
      { blocks: [text('Now it works.')], hold },
    );
    const answer = await window.chat.send('@memory hello');
    await answer.getByText(/Trying again in 1 s: overloaded \(attempt 2 of 4\)/).waitFor();
    await hold.reached;
    hold.open();
    assert.match(await window.chat.answerText(answer), /Now it works\./);
  });

  it('goes on when a server is back that was down', async () => {
    const { api, window } = used;
    await api.goDown();
    const answer = await window.chat.send('@memory hello');
    await answer
      .getByText(/Trying again in \d s: no connection/)
      .first()
      .waitFor();
    await api.comeBack();
    api.push({ blocks: [text('Back again.')] });
    assert.match(await window.chat.answerText(answer), /Back again\./);
    await checkNextTurn({ api, chat: window.chat }, ['user: hello', 'assistant: Back again.']);
  });

  it('leads from an error to another model, and to a new chat', async () => {
    const { api, window } = used;
    const never = { 'x-should-retry': 'false' };
    const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
    api.push({ status: 529, error: overloaded, headers: never });
    await window.chat.untilDone(await window.chat.send('@memory hello'));
    await window.chat.press('Pick Another Model');
    await window.page.getByPlaceholder('Search models').waitFor();
    await window.page.keyboard.press('Escape');

    const tooLong = { type: 'request_too_large', message: 'Request exceeds the maximum size' };
    api.push({ status: 413, error: tooLong, headers: never });
    const answer = await window.chat.send('@memory hello again');
    await window.chat.untilDone(answer);
    await window.chat.press('Start New Chat');
    await answer.waitFor({ state: 'detached' });
  });

  it('ends the waiting for a server when it is stopped', async () => {
    const { api, window } = used;
    const error = { type: 'rate_limit_error', message: 'Too many requests' };
    api.push({ status: 429, error, headers: { 'retry-after': '50' } });
    const answer = await window.chat.send('@memory hello');
    await answer.getByText(/Trying again in 50 s/).waitFor();
    await window.chat.stop();
    await checkNextTurn({ api, chat: window.chat }, ['user: hello']);
  });

  it('stops a command that does not want to end, and keeps the turn', async () => {
    const { api, window } = used;
    const started = path.join(workspace, 'stubborn');
    api.push({ blocks: [stubbornCommand('toolu_stubborn', started)] });
    await window.chat.send('@memory never end');
    await window.chat.allowTool('Allow Once');
    const pid = await firstLine(started);
    await window.chat.stop();
    await ended(pid);
    await checkNextTurn({ api, chat: window.chat }, [
      'user: never end',
      'assistant calls bash',
      'result: [Stopped by the user.',
    ]);
  });

  it('leaves no command running when the window is closed', async () => {
    const { api, window } = used;
    const started = path.join(workspace, 'left');
    api.push({ blocks: [stubbornCommand('toolu_left', started)] });
    await window.chat.send('@memory run a server');
    await window.chat.allowTool('Allow Once');
    const pid = await firstLine(started);
    await window.reload();
    await ended(pid);
    await window.chat.open();
    await window.chat.untilModel(CLAUDE.chatModel);
  });
});

/** It refuses TERM, and tells of itself in the file `started`. */
function stubbornCommand(id: string, started: string) {
  const command = `trap '' TERM; echo $$ > ${started}; while true; do sleep 1; done`;
  return toolUse(id, 'bash', { command });
}
