import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { FakeMessagesApi, RequestBody } from '../support/fakeMessagesApi.ts';
import { git, skipWithoutGit } from '../support/git.ts';
import { text } from '../support/messageEvents.ts';
import { storyResponder } from '../support/story.ts';
import { readRequest } from '../support/storyRequest.ts';
import { filesWith } from './filesWith.ts';
import { untilEqual } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

/** From pieces, so that no scanner takes this file for a leak. */
const SECRET = ['sk', 'ant', 'api03', 'Zq7w9Xk2Lm4Np8Rt6Vy1'].join('-');

const TABS = 'i-prefer-tabs-for-indentation';
const RELEASE = 'the-release-goes-out-on-friday';

const PROJECT = {
  'CLAUDE.md': '# Errors\n\nAn error names the file.\n',
  '.cursor/rules/returns.mdc': '---\ndescription: Early returns\n---\n\nReturn early.\n',
  '.cursor/rules/names.mdc': '---\ndescription: Names of files\n---\n\nName files by the idea.\n',
  '.cursor/rules/release.mdc': 'The release goes out on Friday.\n',
};

/** What a person does with memories that are there: take back, move, share, import, look over. */
describe('memories in the hands of a person', () => {
  /** What the words of a turn teach, as soon as the model has thought about them. */
  let learned: Promise<object> | undefined;
  const used = useWindow({
    api: {
      respond: async (body) =>
        isExtraction(body) && learned
          ? { blocks: [text(JSON.stringify({ operations: [await learned] }))] }
          : storyResponder(body),
    },
    environmentKey: 'any-key',
    settings: { 'files.autoSave': 'off' },
    chatModel: 'Claude Auto',
    fill(folder) {
      for (const [name, content] of Object.entries(PROJECT)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), content);
      }
    },
  });
  const { workspace } = used;
  const memory = path.join(workspace, '.memory');
  const tabs = path.join(memory, `${TABS}.md`);
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });
  beforeEach(() => {
    learned = undefined;
  });

  it('takes back the last change, and after a reload the one before', async () => {
    await window.chat.ask('@memory /remember I prefer tabs for indentation.');
    await window.chat.ask('@memory /remember project: The release goes out on Friday.');
    await window.openView('Memory Agent');
    const text = fs.readFileSync(tabs);
    await window.pressInTreeRow(TABS, 'Delete');
    await window.pressInDialog('Delete');
    await window.treeRow(TABS).waitFor({ state: 'detached' });

    await undoLastChange(window, TABS);
    await window.treeRow(TABS).waitFor();
    assert.deepEqual(fs.readFileSync(tabs), text);

    await window.reload();
    await window.chat.open();
    await window.chat.untilModel('Claude Auto');
    await undoLastChange(window, RELEASE);
    await window.treeRow(RELEASE).waitFor({ state: 'detached' });
    assert.deepEqual(fs.readFileSync(tabs), text);
  });

  it('brings back what was undone, and an earlier text', async () => {
    await window.clearNotifications();
    await window.runCommand('memoryAgent.restoreMemory', 'Memory: Restore Deleted…');
    await window.pick(RELEASE);
    await window.treeRow(RELEASE).waitFor();

    const earlier = fs.readFileSync(tabs);
    learned = Promise.resolve(updateOf(TABS, 'I prefer tabs that are four columns wide'));
    await window.chat.ask('@memory I prefer tabs that are four columns wide.');
    await window.notification(`Updated memory “${TABS}”`).waitFor();
    assert.match(fs.readFileSync(tabs, 'utf8'), /four columns wide/);
    await window.runCommand('memoryAgent.restoreMemory', 'Memory: Restore Deleted…');
    await window.pick(TABS);
    await window.treeRow(TABS).getByText('I prefer tabs for indentation.').waitFor();
    assert.deepEqual(fs.readFileSync(tabs), earlier);
  });

  it('moves a memory to the personal ones, which count in every folder, and back', async () => {
    await window.clearNotifications();
    const text = fs.readFileSync(tabs);
    await window.chooseInTreeRow(TABS, 'Move to Personal');
    await window.notification(`Moved “${TABS}” to Personal.`).waitFor();
    await window.treeRow('Personal').waitFor();
    await untilEqual(
      () => window.treeLabels(),
      [
        'user',
        'feedback',
        'project',
        RELEASE,
        'reference',
        'Personal',
        'user',
        TABS,
        'feedback',
        'project',
        'reference',
      ],
    );
    assert.equal(fs.existsSync(tabs), false);

    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-e2e-elsewhere-'));
    const other = await used.openWindow(elsewhere);
    const answer = await other.chat.send('@memory What did I tell you about my preferences?');
    assert.match(await other.chat.answerText(answer), /I prefer tabs for indentation/);
    assert.deepEqual(await other.chat.references(answer), [`${TABS}.md`]);
    await other.page.close();
    fs.rmSync(elsewhere, { recursive: true, maxRetries: 5 });

    await window.chooseInTreeRow(TABS, 'Move to Workspace');
    await window.treeRow('Personal').waitFor({ state: 'detached' });
    await window.treeRow(TABS).waitFor();
    assert.deepEqual(fs.readFileSync(tabs), text);
  });

  it('shares a memory with git, and keeps it private again', async function () {
    skipWithoutGit(this);
    git(workspace, 'init', '--quiet');
    git(workspace, 'add', '.');
    git(workspace, 'commit', '--quiet', '-m', 'Start');
    const status = () => git(workspace, 'status', '--porcelain', '-uall').trim();
    assert.equal(status(), '');

    await window.clearNotifications();
    await window.chooseInTreeRow(TABS, 'Share with Git');
    await window.notification(`“${TABS}” can be committed now`).waitFor();
    await window
      .treeRow(TABS)
      .and(window.page.getByLabel(`${TABS}, shared with Git,`))
      .waitFor();
    assert.equal(status(), `?? .memory/.gitignore\n?? .memory/${TABS}.md`);

    await window.pressInNotification(`“${TABS}” can be committed now`, 'Undo');
    await window.statusMessage('Undone.').waitFor();
    assert.equal(status(), '');
    await window.clearNotifications();
    await window.chooseInTreeRow(TABS, 'Share with Git');
    await window.notification(`“${TABS}” can be committed now`).waitFor();

    await window.chooseInTreeRow(TABS, 'Keep Private');
    await window.notification(`Git does not take “${TABS}” any more.`).waitFor();
    await window
      .treeRow(TABS)
      .and(window.page.getByLabel(`${TABS}, shared with Git,`))
      .waitFor({ state: 'detached' });
    assert.equal(status(), '');
  });

  it('renames a memory with what points to it, changes its type, and takes both back', async () => {
    await window.clearNotifications();
    const link = path.join(memory, 'style.md');
    const linking = `---\nname: style\ndescription: How to write\ntype: feedback\n---\n\nSee [tabs](${TABS}.md).\n`;
    fs.writeFileSync(link, linking);
    await window.treeRow('style').waitFor();
    await window.pressInTreeRow(TABS, 'Edit');
    await window.frontTab(`${TABS}.md`).waitFor();
    await window.chooseInTreeRow(TABS, 'Rename…');
    await window.answer('Indentation');
    await window.notification(`Renamed “${TABS}” to “indentation”, and 1 link to it.`).waitFor();
    await window.treeRow('indentation').waitFor();
    await window.frontTab('indentation.md').waitFor();
    await window.editorTab(`${TABS}.md`).waitFor({ state: 'detached' });
    assert.equal(fs.readFileSync(link, 'utf8'), linking.replace(TABS, 'indentation'));

    await window.chooseInTreeRow('indentation', 'Change Type…');
    await window.pick('reference');
    await window.pressInNotification('Updated memory “indentation”', 'Undo');
    await window.statusMessage('Undone.').waitFor();
    await undoLastChange(window, TABS);
    await window.treeRow(TABS).waitFor();
    await window.frontTab(`${TABS}.md`).waitFor();
    assert.equal(fs.readFileSync(link, 'utf8'), linking);
  });

  it('copies a memory, shows its file, and deletes a damaged one', async () => {
    await window.chooseInTreeRow(TABS, 'Copy');
    await window.statusMessage(`Copied as Markdown: “${TABS}”`).waitFor();
    fs.writeFileSync(path.join(memory, 'broken.md'), 'no front matter');
    await window.treeRow('broken.md').waitFor();
    await window.chooseInTreeRow('broken.md', 'Delete');
    assert.match(await window.dialogText(), /^Delete the damaged file “broken\.md”\?/);
    await window.pressInDialog('Delete');
    await window.pressInNotification('Deleted “broken.md”.', 'Undo');
    await window.treeRow('broken.md').waitFor();
    fs.rmSync(path.join(memory, 'broken.md'));
    await window.treeRow('broken.md').waitFor({ state: 'detached' });

    await window.chooseInTreeRow(TABS, 'Reveal in Explorer');
    await window.sideBar.locator('.explorer-folders-view .selected', { hasText: TABS }).waitFor();
    await window.openView('Memory Agent');
  });

  it('refuses a key, says what it is, and saves the rest without it', async () => {
    await window.clearNotifications();
    const answer = await window.chat.ask(`@memory /remember The key of staging is ${SECRET}`);
    assert.match(answer, /Not remembered: this holds an Anthropic key/);
    assert.equal(fs.readdirSync(memory).filter((name) => /staging/.test(name)).length, 0);
    await window.chat.press('Save Without the Secret');
    await window.notification('the-key-of-staging-is').first().waitFor();
    await window.treeRow('the-key-of-staging-is-redacted').waitFor();
    // The chat itself is kept by VS Code, beside these.
    const user = path.join(used.home, 'user-data');
    for (const folder of [
      workspace,
      path.join(user, 'User/globalStorage'),
      path.join(user, 'logs'),
    ]) {
      assert.deepEqual(filesWith(folder, SECRET), []);
    }
  });

  it('imports what other agents were told, without what it knows, as one change', async () => {
    await window.clearNotifications();
    await window.runCommand('memoryAgent.importMemories', 'Memory: Import…');
    await window.quickInput
      .getByRole('option', { name: 'Instructions for agents' })
      .first()
      .waitFor();
    await window.pick('Cursor rules');
    await window.quickInput.getByPlaceholder('2 new memories. Choose what to import').waitFor();
    await window.acceptPicked();
    await window.treeRow('returns').waitFor();
    await window.treeRow('names').waitFor();
    await window.pressInNotification('2 memories', 'Undo');
    await window.treeRow('returns').waitFor({ state: 'detached' });
    await window.treeRow('names').waitFor({ state: 'detached' });
  });

  it('looks over all memories, and leads to the file', async () => {
    await window.clearNotifications();
    const stale =
      '---\nname: deploy\ndescription: How to deploy\ntype: project\n---\n\nSee `scripts/deploy.sh`.\n';
    fs.writeFileSync(path.join(memory, 'deploy.md'), stale);
    await window.treeRow('deploy').waitFor();
    await window.runCommand('memoryAgent.healthCheck', 'Memory: Health Check');
    const report = window.page
      .frameLocator('iframe.webview.ready')
      .frameLocator('iframe#active-frame');
    await report.getByRole('heading', { name: 'Out of date (1)' }).waitFor();
    await report.getByRole('link', { name: 'deploy.md' }).click();
    await window.frontTab('deploy.md').waitFor();
  });

  it('lets words that are not saved yet win over what the agent learns meanwhile', async () => {
    await window.clearNotifications();
    await window.pressInTreeRow(TABS, 'Edit');
    await window.frontTab(`${TABS}.md`).waitFor();
    const thinking = Promise.withResolvers<object>();
    learned = thinking.promise;
    const asked = extractions(api);
    await window.chat.ask('@memory I prefer tabs that are two columns wide.');
    await api.waitForRequest(() => extractions(api) > asked);
    const atWork = window.page.getByText('Looking for what to remember…');
    await atWork.waitFor();
    // Only now: VS Code saves all editors when a request is sent.
    const written = fs.readFileSync(tabs, 'utf8').replace('tabs for', 'tabs, always tabs, for');
    await window.typeInEditor(written);
    // The window tells the extension in the order in which things happen.
    await window.runCommand('memoryAgent.editMemory', 'Memory: Edit');
    await window.quickInput.getByRole('option', { name: TABS }).waitFor();
    await window.page.keyboard.press('Escape');
    thinking.resolve(updateOf(TABS, 'I prefer tabs that are two columns wide'));
    // It is refused, so the model looks again, and is refused again.
    await api.waitForRequest(() => extractions(api) > asked + 1);
    await atWork.waitFor({ state: 'detached' });
    assert.doesNotMatch(fs.readFileSync(tabs, 'utf8'), /always|two columns/);

    await window.editorTab(`${TABS}.md`).click();
    await window.page.keyboard.press('Control+S');
    await window.treeRow(TABS).getByText('tabs, always tabs').waitFor();
    assert.equal(fs.readFileSync(tabs, 'utf8'), written);
  });
});

function isExtraction(body: RequestBody): boolean {
  return readRequest(body).kind === 'extraction';
}

function extractions(api: FakeMessagesApi): number {
  return api.messageRequests.filter(({ body }) => isExtraction(body)).length;
}

/** What the model would learn about a memory from words of the person. */
function updateOf(name: string, quote: string): object {
  return {
    op: 'update',
    target: `${name}.md`,
    name,
    description: `${quote}.`,
    type: 'user',
    body: `${quote}.`,
    scope: 'persistent',
    quote,
  };
}

async function undoLastChange(window: Workbench, name: string): Promise<void> {
  await window.runCommand('memoryAgent.undoLastChange', 'Memory: Undo Last Change');
  await window.notification(`“${name}”`).waitFor();
}
