// What the agent does in a turn whatever model it works with: stops, tools, limits, and the way out of a
// conversation that is too long.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi } from '../support/fakeMessagesApi.ts';
import { holdBefore, text, toolUse } from '../support/messageEvents.ts';
import {
  checkNextTurn,
  lastRequest,
  nextConversation,
  sentConversation,
  type Talk,
} from './conversation.ts';
import { ended, firstLine } from './runningCommand.ts';
import { MAX_ROUNDS } from './useModel.ts';
import type { UsedWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

/** An answer to the question for a summary, which comes before a history is cut without one. */
const NO_SUMMARY = {
  status: 400,
  error: { type: 'invalid_request_error', message: 'This model writes no summaries.' },
};
const TOO_LONG = {
  status: 400,
  error: {
    type: 'invalid_request_error',
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
  },
};

export function turnsOfAnyModel(used: UsedWindow): void {
  const { workspace } = used;
  let api: FakeMessagesApi;
  let chat: Workbench['chat'];
  before(() => {
    ({ api } = used);
    ({ chat } = used.window);
  });

  it('shows a slow answer as it comes', async () => {
    const hold = holdBefore(6);
    api.push({ blocks: [text('The first words, and the last.')], hold, delayMs: 20 });
    const answer = await chat.send('@memory hello');
    await answer.getByText('The first words').first().waitFor();
    assert.equal(await chat.stopButton.isVisible(), true);
    hold.open();
    assert.equal(await chat.answerText(answer), 'The first words, and the last.');
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant: The first words, and the last.',
    ]);
  });

  it('stops in the middle of an answer, and keeps what was shown', async () => {
    const hold = holdBefore(5);
    api.push({ blocks: [text('A long answer that nobody waits for.')], hold });
    const answer = await chat.send('@memory hello');
    await answer.getByText('A long').first().waitFor();
    await chat.stop();
    await lastRequest(api).hungUp;
    await checkNextTurn({ api, chat }, ['user: hello', 'assistant: A long answer th']);
  });

  it('stops in the middle of a command, and ends it', async () => {
    const started = path.join(workspace, 'started');
    const command = `echo $$ > ${started}; sleep 600`;
    const glob = toolUse('toolu_after', 'glob', { pattern: '*' });
    api.push({ blocks: [text('I wait.'), toolUse('toolu_sleep', 'bash', { command }), glob] });
    await chat.send('@memory hello');
    await chat.allowTool('Allow Once');
    const pid = await firstLine(started);
    await chat.stop();
    await ended(pid);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant: I wait.',
      'assistant calls bash',
      'assistant calls glob',
      'result: [Stopped by the user.',
      'failed: Cancelled by the user',
    ]);
  });

  it('writes a file that the person allows', async () => {
    const input = { path: 'wanted.txt', content: 'yes' };
    api.push({ blocks: [toolUse('toolu_yes', 'write_file', input)] }, { blocks: [text('Done.')] });
    const answer = await chat.send('@memory hello');
    await chat.allowTool('Allow Once');
    assert.match(await chat.answerText(answer), /Done\.$/);
    assert.equal(fs.readFileSync(path.join(workspace, 'wanted.txt'), 'utf8'), 'yes');
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant calls write_file',
      'result: ',
      'assistant: Done.',
    ]);
  });

  it('runs nothing that the person declines, and tells the model', async () => {
    const input = { path: 'unwanted.txt', content: 'no' };
    api.push({ blocks: [toolUse('toolu_no', 'write_file', input)] }, { blocks: [text('Fine.')] });
    const answer = await chat.send('@memory hello');
    await chat.skipTool();
    assert.match(await chat.answerText(answer), /Fine\.$/);
    assert.equal(fs.existsSync(path.join(workspace, 'unwanted.txt')), false);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant calls write_file',
      'failed: The user declined',
      'assistant: Fine.',
    ]);
  });

  it('tells the model of a tool that is not there, and goes on', async () => {
    const call = toolUse('toolu_unknown', 'fly', { to: 'the moon' });
    api.push({ blocks: [call] }, { blocks: [text('Then I walk.')] });
    assert.match(await chat.ask('@memory hello'), /Then I walk\.$/);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant calls fly',
      'failed: There is no tool named "fly". The tools are: ',
      'assistant: Then I walk.',
    ]);
  });

  it('tells the model of an input that does not fit, and goes on', async () => {
    const call = toolUse('toolu_unfit', 'read_file', { file: 1 });
    api.push({ blocks: [call] }, { blocks: [text('Then I do not.')] });
    assert.match(await chat.ask('@memory hello'), /Then I do not\.$/);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant calls read_file',
      'failed: ',
      'assistant: Then I do not.',
    ]);
    assert.match(sentConversation(api)[2] ?? '', /path/);
  });

  it('asks once more when the model answers results with nothing', async () => {
    const call = toolUse('toolu_look', 'glob', { pattern: '*' });
    api.push({ blocks: [call] }, { blocks: [] }, { blocks: [text('That was all.')] });
    assert.match(await chat.ask('@memory hello'), /That was all\.$/);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant calls glob',
      'result: ',
      'user is asked by us to go on',
      'assistant: That was all.',
    ]);
  });

  it('reads files of one reply together', async () => {
    // Neither can be read alone.
    const names = ['joint-a.txt', 'joint-b.txt'];
    for (const name of names) fs.writeFileSync(path.join(workspace, name), `This is ${name}.`);
    const calls = names.map((name) => toolUse(`toolu_${name[6]}`, 'read_file', { path: name }));
    api.push({ blocks: calls }, { blocks: [text('Both read.')] });
    assert.match(await chat.ask('@memory hello'), /Both read\.$/);
    assert.match(JSON.stringify(lastRequest(api).body), /This is joint-a.*This is joint-b/);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      'assistant calls read_file',
      'assistant calls read_file',
      'result: ',
      'result: ',
      'assistant: Both read.',
    ]);
  });

  it('stops at the round limit, and continues when asked to', async () => {
    const rounds = Array.from({ length: MAX_ROUNDS }, (_, round) => ({
      blocks: [toolUse(`toolu_${round}`, 'glob', { pattern: '*' })],
    }));
    api.push(...rounds);
    const answer = await chat.send('@memory hello');
    assert.match(await chat.answerText(answer), /I stopped after 5 rounds/);
    api.push({ blocks: [text('Further.')] });
    assert.match(await chat.answerText(await chat.followUp('Continue')), /Further\./);
    await checkNextTurn({ api, chat }, [
      'user: hello',
      ...rounds.flatMap(() => ['assistant calls glob', 'result: ']),
      'user: Continue',
      'assistant: Further.',
    ]);
  });

  it('archives and asks again when the conversation is too long for the model', async () => {
    await fillConversation({ api, chat });
    api.push(TOO_LONG, NO_SUMMARY, { blocks: [text('It fits now.')] });
    const answer = await chat.send('@memory and four?');
    assert.match(await chat.answerMarkdown(answer), /moved to the archive.*It fits now\.$/s);
    const lines = sentConversation(api);
    assert.equal(lines.at(-1), 'user: and four?');
    assert.match(archivedText(workspace), /one: an old answer/);
    assert.match(
      (await nextConversation({ api, chat })).join('\n'),
      /user: and four\?.*assistant: It fits now\./s,
    );
  });

  it('goes on after an overflow in the middle of an answer', async () => {
    await fillConversation({ api, chat });
    const hold = holdBefore(5);
    const reply = { blocks: [text('The first half, ')], stop: 'model_context_window_exceeded' };
    api.push({ ...reply, hold }, NO_SUMMARY, { blocks: [text('and the second.')] });
    const answer = await chat.send('@memory go on');
    await answer.getByText('The first half').first().waitFor();
    hold.open();
    assert.match(await chat.answerMarkdown(answer), /The first half.*and the second\.$/s);
    assert.match(
      (await nextConversation({ api, chat })).join('\n'),
      /user: go on.*The first half, .*assistant: and the second\./s,
    );
  });

  it('gives up when making room does not help, and answers the next request', async () => {
    await fillConversation({ api, chat });
    api.push(TOO_LONG, NO_SUMMARY, TOO_LONG);
    const answer = await chat.send('@memory and four?');
    await chat.errorIn(answer).waitFor();
    assert.match(await chat.errorIn(answer).innerText(), /too long for the model/);
    assert.match((await nextConversation({ api, chat })).join('\n'), /user: and four\?/);
  });
}

/** So much that something can leave it. */
async function fillConversation({ api, chat }: Talk): Promise<void> {
  for (const question of ['one', 'two', 'three']) {
    api.push({ blocks: [text(`${question}: ${'an old answer '.repeat(300)}`)], chunk: 1000 });
    await chat.ask(`@memory ${question}`);
  }
}

function archivedText(workspace: string): string {
  const folder = path.join(workspace, '.transcripts');
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
}
