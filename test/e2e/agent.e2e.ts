import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi, RequestBody } from '../support/fakeMessagesApi.ts';
import { text, toolUse } from '../support/messageEvents.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const NOTES = 'port: 8080\nhost: localhost\nmode: fast\n';
const SKILL = `---
name: release-notes
description: How release notes are written here
---

Write one line for each change. The template stands in template.md.
`;
const LINES = 20_000;

describe('an agent at work', () => {
  const used = useWindow({
    environmentKey: 'any-key',
    settings: {
      'memoryAgent.extraction': 'off',
      'memoryAgent.recall': 'off',
      'memoryAgent.confirmCommands': 'unlessReadOnly',
      'memoryAgent.showUsage': true,
      'chat.agent.collapseCompletedResponses': false,
    },
    fill(workspace) {
      fs.writeFileSync(path.join(workspace, 'notes.txt'), NOTES);
      const skill = path.join(workspace, '.claude', 'skills', 'release-notes');
      fs.mkdirSync(skill, { recursive: true });
      fs.writeFileSync(path.join(skill, 'SKILL.md'), SKILL);
      fs.writeFileSync(path.join(skill, 'template.md'), 'TEMPLATE: - what changed\n');
    },
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
  afterEach(() => {
    api.assertDone();
  });

  it('shows the difference before it edits a file that it has read, and keeps the rest', async () => {
    const edit = { path: 'notes.txt', old_text: 'port: 8080', new_text: 'port: 9090' };
    api.push(
      { blocks: [toolUse('toolu_read', 'read_file', { path: 'notes.txt' })] },
      { blocks: [toolUse('toolu_edit', 'edit_file', edit)] },
      { blocks: [text('Changed.')] },
    );
    const answer = await window.chat.send('@memory use port 9090');
    await window.chat.confirmation.waitFor();
    const shown = await window.chat.confirmation.innerText();
    assert.match(shown, /-\s*port:\s8080/);
    assert.match(shown, /\+\s*port:\s9090/);
    assert.match(shown, /host:\slocalhost/);
    await window.chat.allowTool('Allow Once');
    assert.match(await window.chat.answerText(answer), /Changed\./);
    assert.equal(read('notes.txt'), NOTES.replace('8080', '9090'));
    fs.writeFileSync(path.join(workspace, 'notes.txt'), NOTES);
  });

  it('refuses, without asking, to edit a file that changed since it was read', async () => {
    const edit = { path: 'notes.txt', old_text: 'port: 8080', new_text: 'port: 9090' };
    api.push(
      { blocks: [toolUse('toolu_read', 'read_file', { path: 'notes.txt' })] },
      () => {
        fs.writeFileSync(path.join(workspace, 'notes.txt'), `${NOTES}mine: yes\n`);
        return { blocks: [toolUse('toolu_edit', 'edit_file', edit)] };
      },
      { blocks: [text('I have to read it again.')] },
    );
    assert.match(await window.chat.ask('@memory use port 9090'), /read it again/);
    const result = lastResult(api);
    assert.equal(result.is_error, true);
    assert.match(JSON.stringify(result.content), /changed since/);
    assert.equal(read('notes.txt'), `${NOTES}mine: yes\n`);
    fs.writeFileSync(path.join(workspace, 'notes.txt'), NOTES);
  });

  it('runs a command that only reads without asking, where the person wants that', async () => {
    api.push(
      { blocks: [toolUse('toolu_ls', 'bash', { command: 'ls && cat notes.txt' })] },
      { blocks: [text('There is one file.')] },
    );
    assert.match(await window.chat.ask('@memory what is here?'), /There is one file\./);
    assert.match(JSON.stringify(lastResult(api).content), /port: 8080/);
    api.push({ blocks: [toolUse('toolu_rm', 'bash', { command: 'ls; rm notes.txt' })] });
    api.push({ blocks: [text('Then not.')] });
    const answer = await window.chat.send('@memory and now?');
    await window.chat.confirmation.waitFor();
    await window.chat.skipTool();
    assert.match(await window.chat.answerText(answer), /Then not\./);
    assert.equal(read('notes.txt'), NOTES);
  });

  it('keeps the whole output of a command where the model can read it', async () => {
    let place = '';
    api.push(
      { blocks: [toolUse('toolu_seq', 'bash', { command: `seq 1 ${LINES}` })] },
      (body) => {
        place = /\.task_outputs\/tool-results\/[0-9a-f]{32}\.txt/.exec(resultsOf(body))?.[0] ?? '';
        const input = { path: place, offset: LINES / 2, limit: 1 };
        return { blocks: [toolUse('toolu_page', 'read_file', input)] };
      },
      { blocks: [text('I have counted.')] },
    );
    const answer = await window.chat.send('@memory count');
    await window.chat.allowTool('Allow Once');
    assert.match(await window.chat.answerText(answer), /I have counted\./);
    assert.match(JSON.stringify(lastResult(api).content), new RegExp(`\\b${LINES / 2}\\b`));
    const whole = Array.from({ length: LINES }, (_, index) => `${index + 1}\n`).join('');
    assert.equal(read(place), whole);
  });

  it('gives a task to a sub-agent, of which only the answer comes back', async () => {
    const bodies: RequestBody[] = [];
    const input = { title: 'Find the port', prompt: 'Which port stands in notes.txt?' };
    api.push(
      { blocks: [toolUse('toolu_task', 'task', input)] },
      (body) => {
        bodies.push(body);
        return { blocks: [toolUse('toolu_sub', 'read_file', { path: 'notes.txt' })] };
      },
      { blocks: [text('The port is 8080.')] },
      { blocks: [text('It is 8080.')] },
    );
    const answer = await window.chat.send('@memory secret words: which port?');
    assert.match(await window.chat.answerText(answer), /It is 8080\./);
    const markdown = await window.chat.answerMarkdown(answer);
    assert.doesNotMatch(markdown, /The port is 8080\./);
    const shown = await answer.innerText();
    assert.match(shown, /Find the port/);
    assert.match(shown, /↳.*notes\.txt/);
    const [task] = bodies;
    assert.ok(task);
    assert.doesNotMatch(JSON.stringify(task), /secret words/);
    const names = task.tools?.map(({ name }) => name) ?? [];
    assert.ok(names.includes('read_file') && !names.includes('task'), names.join());
    const result = JSON.stringify(lastResult(api).content);
    assert.match(result, /The port is 8080\./);
    assert.doesNotMatch(result, /host: localhost/);
    const transcript = /\.transcripts\/[\w-]+\.jsonl/.exec(result)?.[0] ?? '';
    assert.match(read(transcript), /host: localhost/);
  });

  it('shows the checklist of the model', async () => {
    const todos = (first: string, second: string) => ({
      todos: [
        { content: 'Read the notes', status: first },
        { content: 'Change the port', status: second },
      ],
    });
    api.push(
      { blocks: [toolUse('toolu_1', 'todo_write', todos('in_progress', 'pending'))] },
      { blocks: [toolUse('toolu_2', 'todo_write', todos('completed', 'in_progress'))] },
      { blocks: [text('One is done.')] },
    );
    const answer = await window.chat.send('@memory plan it');
    await window.chat.untilDone(answer);
    const shown = await answer.innerText();
    assert.match(shown, /Read the notes/);
    assert.match(shown, /Change the port/);
  });

  it('knows the skills of the workspace, and loads one', async () => {
    let system = '';
    api.push(
      (body) => {
        system = JSON.stringify(body.system);
        return { blocks: [toolUse('toolu_skill', 'load_skill', { name: 'release-notes' })] };
      },
      { blocks: [text('Loaded.')] },
    );
    assert.match(await window.chat.ask('@memory write release notes'), /Loaded\./);
    assert.match(system, /release-notes.*How release notes are written here/);
    assert.match(JSON.stringify(lastResult(api).content), /one line for each change/);
  });

  it('tells the tokens of the turn where the person wants that', async () => {
    api.push({
      blocks: [text('Here.')],
      usage: { input_tokens: 1_000, cache_read_input_tokens: 4_000, output_tokens: 200 },
    });
    const shown = await window.chat.ask('@memory are you there?');
    assert.match(shown, /5,000/);
    assert.match(shown, /80\s?%/);
  });

  function read(file: string): string {
    return fs.readFileSync(path.join(workspace, file), 'utf8');
  }
});

/** The last tool result that the model was sent. */
function lastResult(api: FakeMessagesApi) {
  const last = api.messageRequests.at(-1)?.body.messages.at(-1)?.content.at(-1);
  assert.equal(last?.type, 'tool_result');
  return last;
}

function resultsOf(body: RequestBody): string {
  return JSON.stringify(body.messages.at(-1)?.content);
}
