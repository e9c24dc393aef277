import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { FakeMessagesApi, RequestBody } from '../support/fakeMessagesApi.ts';
import { readRequest } from '../support/storyRequest.ts';
import { TeachableModel } from '../support/teachableModel.ts';
import { changeSettings } from './changeSettings.ts';
import { until } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const NOTES = {
  'deploy-day': 'Deploys go out on Thursday',
  'deploy-host': 'Deploys run from the host beech',
};
const REQUEST = 'When do deploys go out, and from which host?';

describe('a person who wants to see it first', () => {
  const model = new TeachableModel();
  const used = useWindow({
    api: { respond: model.respond },
    environmentKey: 'any-key',
    settings: { 'memoryAgent.extraction': 'review' },
    chatModel: 'Claude Auto',
  });
  const { workspace } = used;
  const memory = path.join(workspace, '.memory');
  let window: Workbench;
  let api: FakeMessagesApi;
  before(async () => {
    ({ window, api } = used);
    await window.openView('Memory Agent');
  });
  beforeEach(async () => {
    await window.clearNotifications();
  });

  it('finds what they said under To Review, looks at it, accepts it, and takes that back', async () => {
    const words = 'I prefer tabs for indentation';
    model.teach({ quote: words, name: 'indentation' });
    await window.chat.ask(`@memory ${words}.`);
    const told = await window.notificationText('indentation');
    assert.equal(told, `Proposed “indentation” for review: ${words}.`);
    await window.rowIn('To Review', 'indentation').waitFor();
    assert.deepEqual(memories(), []);

    await window.pressInTreeRow('indentation', 'Show Difference');
    await window.frontTab('indentation (Proposed)').waitFor();
    await window.editorShowing(/name:\sindentation/).waitFor();
    await window.clearNotifications();
    await window.pressInTreeRow('indentation', 'Accept');
    await window.notification('Remembered “indentation”').waitFor();
    await window.rowIn('Memories', 'indentation').waitFor();
    await window.rowIn('To Review', 'indentation').waitFor({ state: 'detached' });
    await window.editorTab('indentation (Proposed)').waitFor({ state: 'detached' });
    assert.deepEqual(memories(), ['indentation.md']);

    await window.pressInNotification('Remembered “indentation”', 'Undo');
    await window.statusMessage('Undone.').waitFor();
    await window.rowIn('Memories', 'indentation').waitFor({ state: 'detached' });
    assert.deepEqual(memories(), []);
  });

  it('rejects it, and does not see it again though it is said again', async () => {
    const words = 'I prefer long lines';
    model.teach({ quote: words, name: 'long-lines' });
    await window.chat.ask(`@memory ${words}.`);
    await window.rowIn('To Review', 'long-lines').waitFor();
    await window.clearNotifications();
    await window.pressInTreeRow('long-lines', 'Reject');
    await window.notification('Rejected, and not proposed again: “long-lines”').waitFor();
    await window.rowIn('To Review', 'long-lines').waitFor({ state: 'detached' });

    const next = 'I prefer short functions';
    model.teach({ quote: next, name: 'short-functions' });
    await window.chat.ask(`@memory As I said: ${words}. ${next}.`);
    // They are proposed in one go.
    await window.rowIn('To Review', 'short-functions').waitFor();
    assert.equal(await window.treeRow('long-lines').count(), 0);
    assert.deepEqual(memories(), []);
  });

  it('accepts all that waits, and can take that back as one change', async () => {
    const words = 'I prefer early returns';
    model.teach({ quote: words, name: 'early-returns' });
    await window.chat.ask(`@memory ${words}.`);
    await window.rowIn('To Review', 'early-returns').waitFor();
    await window.rowIn('To Review', 'short-functions').waitFor();
    await window.clearNotifications();
    await window.view('To Review').locator('.pane-header').hover();
    await window.view('To Review').getByRole('button', { name: 'Accept All Proposals' }).click();
    const told = await window.notificationText('memories saved');
    assert.equal(told, '2 memories saved: short-functions, early-returns');
    assert.deepEqual(memories(), ['early-returns.md', 'short-functions.md']);

    await window.pressInNotification('memories saved', 'Undo');
    await window.rowIn('Memories', 'early-returns').waitFor({ state: 'detached' });
    await window.rowIn('Memories', 'short-functions').waitFor({ state: 'detached' });
    assert.deepEqual(memories(), []);
  });

  it('sees what a change would replace, accepts it there, and takes that back', async () => {
    writeNotes();
    await window.rowIn('Memories', 'deploy-day').waitFor();
    const words = 'Deploys go out on Monday';
    model.teach({ quote: words, name: 'deploy-day', type: 'project', target: 'deploy-day.md' });
    await window.chat.ask(`@memory ${words}.`);
    const told = await window.notificationText('deploy-day');
    assert.equal(told, `Proposed a change to “deploy-day”: ${words}.`);
    await window.rowIn('To Review', 'deploy-day').click();
    await window.frontTab('deploy-day (Now ↔ Proposed)').waitFor();
    const editors = window.page.locator('.part.editor .monaco-diff-editor');
    await editors.locator('.original').getByText('Thursday').first().waitFor();
    await editors.locator('.modified').getByText('Monday').first().waitFor();
    assert.match(read('deploy-day'), /Thursday/);

    await window.page.locator('.part.editor').getByRole('button', { name: 'Accept' }).click();
    await window.notification('Updated memory “deploy-day”').waitFor();
    await window.editorTab('deploy-day (Now ↔ Proposed)').waitFor({ state: 'detached' });
    assert.match(read('deploy-day'), /Monday/);
    await window.pressInNotification('Updated memory “deploy-day”', 'Undo');
    await until(() => /Thursday/.test(read('deploy-day')) || undefined);
  });

  it('picks the memories that are sent with a request', async () => {
    await changeSettings(window, workspace, { 'memoryAgent.recall': 'review' });
    await window.chat.startNew();
    const asked = api.messageRequests.length;
    const answer = await window.chat.send(`@memory ${REQUEST}`);
    await window.quickInput.getByText('Memories to send with this request').waitFor();
    await window.quickInput.getByText('2 Selected').waitFor();
    // Nothing of them was sent so far.
    assert.equal(api.messageRequests.length, asked);
    await window.quickInput.getByRole('checkbox', { name: /^deploy-host, / }).click();
    await window.quickInput.getByText('1 Selected').waitFor();
    await pressInPick('Enter');
    await window.chat.untilDone(answer);

    const request = JSON.stringify(turnAbout(REQUEST));
    assert.match(request, /Deploys go out on Thursday/);
    assert.doesNotMatch(request, /beech|Index of all memories|memory_index/);
    assert.match(await window.chat.answerText(answer), /Recalled 1 of 2 memories/);
  });

  it('sends none when they leave the list', async () => {
    await window.chat.startNew();
    const words = 'From where do deploys run, and on which day?';
    const answer = await window.chat.send(`@memory ${words}`);
    await window.quickInput.getByText('Memories to send with this request').waitFor();
    await pressInPick('Escape');
    await window.chat.untilDone(answer);
    const request = JSON.stringify(turnAbout(words));
    assert.doesNotMatch(request, /Thursday|beech|Index of all memories|memory_index/);
  });

  it('keeps all memories to themselves, and gets no new ones, when both are off', async () => {
    const words = 'I prefer blue themes';
    model.teach({ quote: words, name: 'themes' });
    await changeSettings(window, workspace, OFF);
    await window.chat.startNew();
    const asked = api.messageRequests.length;
    await window.chat.ask(`@memory ${words}.`);
    await window.chat.ask(`@memory ${REQUEST}`);
    const requests = api.messageRequests.slice(asked).map(({ body }) => body);
    assert.deepEqual(
      requests.map((body) => readRequest(body).kind),
      ['turn', 'turn'],
    );
    assert.doesNotMatch(JSON.stringify(requests), /Thursday|beech|deploy-(?:day|host)/);
    assert.doesNotMatch(JSON.stringify(requests), /# Memory|memory_index|relevant_memories/);
    assert.deepEqual(memories(), ['deploy-day.md', 'deploy-host.md']);
  });

  it('is told that nothing was saved where saving is off, and can save the words all the same', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-e2e-off-'));
    const other = await used.openWindow(folder);
    await changeSettings(other, folder, OFF);
    const answer = await other.chat.ask('@memory Remember that we ship on the first of a month.');
    assert.match(answer, /Nothing was saved, since the setting memoryAgent\.extraction is off\./);
    assert.deepEqual(fs.readdirSync(folder), ['.vscode']);
    await other.chat.press('Remember These Words');
    await other.notification('Remembered').waitFor();
    const [file = ''] = memories(path.join(folder, '.memory'));
    const saved = fs.readFileSync(path.join(folder, '.memory', file), 'utf8');
    assert.match(saved, /we ship on the first of a month/);
    await other.page.close();
    fs.rmSync(folder, { recursive: true, maxRetries: 5 });
  });

  function memories(folder = memory): readonly string[] {
    if (!fs.existsSync(folder)) return [];
    return fs
      .readdirSync(folder)
      .filter((file) => file.endsWith('.md') && file !== 'MEMORY.md')
      .toSorted();
  }

  function read(name: string): string {
    return fs.readFileSync(path.join(memory, `${name}.md`), 'utf8');
  }

  function writeNotes(): void {
    fs.mkdirSync(memory, { recursive: true });
    for (const [name, description] of Object.entries(NOTES)) {
      const head = `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n`;
      fs.writeFileSync(path.join(memory, `${name}.md`), `${head}\n${description}.\n`);
    }
  }

  async function pressInPick(key: string): Promise<void> {
    await window.quickInput.locator('input[type="text"]').first().press(key);
    await window.quickInput.waitFor({ state: 'hidden' });
  }

  function turnAbout(words: string): RequestBody | undefined {
    return api.messageRequests
      .map(({ body }) => body)
      .findLast((body) => readRequest(body).kind === 'turn' && readRequest(body).words === words);
  }
});

const OFF = { 'memoryAgent.extraction': 'off', 'memoryAgent.recall': 'off' };
