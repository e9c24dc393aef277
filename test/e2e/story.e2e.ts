import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi } from '../support/fakeMessagesApi.ts';
import { STORY_PROMPTS, storyResponder } from '../support/story.ts';
import { untilEqual } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const [PREFER_TABS, CREATE_FILE, WHAT_DID_I_SAY, PREFER_QUOTES] = STORY_PROMPTS;

/** The four prompts of the tutorial, as a person lives them, and what a person then does in the sidebar. */
describe('the story', () => {
  const used = useWindow({
    api: { respond: storyResponder, apiKey: 'story-key' },
    environmentKey: 'story-key',
    chatModel: 'Claude Auto',
  });
  const { workspace } = used;
  const memory = path.join(workspace, '.memory');
  const tabs = path.join(memory, 'user-preference-tabs.md');
  const quotes = path.join(memory, 'user-preference-single-quotes.md');
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });

  it('saves what the person prefers, and tells of it', async () => {
    const answer = await window.chat.ask(`@memory ${PREFER_TABS}`);
    assert.match(answer, /tabs for indentation/);
    const notice = window.notification('user-preference-tabs').first();
    await notice.waitFor();
    assert.match(
      await window.notificationText('user-preference-tabs'),
      /user-preference-tabs.*Prefers tabs over spaces for indentation/,
    );
    assert.match(fs.readFileSync(tabs, 'utf8'), /^---\nname: user-preference-tabs\n/);
    const index = fs.readFileSync(path.join(memory, 'MEMORY.md'), 'utf8');
    assert.match(index, /^- \[user-preference-tabs\]\(user-preference-tabs\.md\) — .* \[user\]$/m);
  });

  it('shows the memory in its group of the sidebar', async () => {
    await window.openView('Memory Agent');
    await window.treeRow('user-preference-tabs').waitFor();
    await untilEqual(
      () => window.treeLabels(),
      ['user', 'user-preference-tabs', 'feedback', 'project', 'reference'],
    );
    await untilEqual(() => window.treeDescription('user'), '1');
  });

  it('opens the memory from the notification', async () => {
    await window.pressInNotification('user-preference-tabs', 'Open');
    await window.frontTab('user-preference-tabs.md').waitFor();
    await window.editorShowing(/Indent\swith\stabs,\snot\sspaces\./).waitFor();
  });

  it('recalls it in a new chat after a reload, shows it, and writes a file with tabs', async () => {
    await window.reload();
    await window.chat.open();
    await window.chat.untilModel('Claude Auto');
    await window.chat.startNew();
    const answer = await window.chat.send(`@memory ${CREATE_FILE}`);
    assert.match(await window.chat.confirmationTitle(), /test\.py/);
    assert.equal(fs.existsSync(path.join(workspace, 'test.py')), false);
    await window.chat.allowTool('Allow Once');
    assert.match(await window.chat.answerText(answer), /created test\.py/);
    const code = fs.readFileSync(path.join(workspace, 'test.py'), 'utf8');
    assert.match(code, /^\treturn /m);
    assert.doesNotMatch(code, /^ /m);
    assert.deepEqual(await window.chat.references(answer), ['user-preference-tabs.md']);

    const turn = api.messageRequests.find(({ body }) => lastWords(body) === CREATE_FILE);
    assert.match(JSON.stringify(turn?.body.messages), /<relevant_memories>.*Indent with tabs/);
    // Extraction reads the session log: what was recalled must not be in there.
    const learned = await api.waitForRequest(
      ({ body }) => !body.tools && JSON.stringify(body.messages ?? '').includes(CREATE_FILE),
    );
    assert.doesNotMatch(JSON.stringify(learned.body.messages), /relevant_memories/);
  });

  it('answers from memory, with no tool', async () => {
    const before = api.messageRequests.length;
    const answer = await window.chat.ask(`@memory ${WHAT_DID_I_SAY}`);
    assert.match(answer, /Prefers tabs over spaces for indentation/);
    const turns = api.messageRequests.slice(before).filter(({ body }) => body.tools);
    assert.equal(turns.length, 1);
    // It stood in the history already, so it was not sent a second time.
    const sent = JSON.stringify(turns[0]?.body.messages);
    assert.equal(sent.split('Indent with tabs, not spaces.').length - 1, 1);
  });

  it('saves a second memory and leaves the first as it was', async () => {
    const first = fs.readFileSync(tabs);
    await window.chat.ask(`@memory ${PREFER_QUOTES}`);
    await window.notification('user-preference-single-quotes').first().waitFor();
    assert.match(fs.readFileSync(quotes, 'utf8'), /Write strings in single quotes/);
    assert.deepEqual(fs.readFileSync(tabs), first);
    await window.openView('Memory Agent');
    await window.treeRow('user-preference-single-quotes').waitFor();
    await untilEqual(() => window.treeDescription('user'), '2 · 1 recalled');
    await window.treeRow('user-preference-single-quotes').click();
    await window.frontTab('user-preference-single-quotes.md').waitFor();
  });

  it('makes a new memory by hand, and reads the folder again on request', async () => {
    await window.pressInViewTitle('New');
    await window.pick('project');
    await window.answer('The port of the service is 8080');
    await window.treeRow('the-port-of-the-service-is').waitFor();
    await window.frontTab('the-port-of-the-service-is.md').waitFor();
    await window.chooseInViewMenu('Refresh');
    await window.treeRow('the-port-of-the-service-is').waitFor();
    fs.rmSync(path.join(memory, 'the-port-of-the-service-is.md'));
    await window.treeRow('the-port-of-the-service-is').waitFor({ state: 'detached' });
  });

  it('edits a memory from the sidebar, which follows', async () => {
    await window.clearNotifications();
    await window.pressInTreeRow('user-preference-single-quotes', 'Edit');
    await window.frontTab('user-preference-single-quotes.md').waitFor();
    // The tab comes to the front before its text does.
    await window.editorShowing(/over\sdouble\squotes/).waitFor();
    const edited = fs.readFileSync(quotes, 'utf8').replace('over double quotes', 'everywhere');
    await window.writeInEditor(edited);
    const described = window.treeRow('user-preference-single-quotes').getByText('everywhere');
    await described.waitFor();
    assert.equal(fs.readFileSync(quotes, 'utf8'), edited);
  });

  it('follows a change on disk that another program makes', async () => {
    const note =
      '---\nname: deploy\ndescription: Deploys go out on Friday\ntype: project\n---\n\nAt noon.\n';
    fs.writeFileSync(path.join(memory, 'deploy.md'), note);
    await window.treeRow('deploy').waitFor();
    fs.rmSync(path.join(memory, 'deploy.md'));
    await window.treeRow('deploy').waitFor({ state: 'detached' });
  });

  it('asks before it deletes, moves the file to the trash, and brings it back', async () => {
    const text = fs.readFileSync(quotes);
    await window.pressInTreeRow('user-preference-single-quotes', 'Delete');
    assert.match(await window.dialogText(), /user-preference-single-quotes/);
    await window.pressInDialog('Delete');
    await window.treeRow('user-preference-single-quotes').waitFor({ state: 'detached' });
    assert.equal(fs.existsSync(quotes), false);
    const trash = fs.readdirSync(path.join(memory, '.trash')).join('\n');
    assert.match(trash, /user-preference-single-quotes/);
    await window.pressInNotification('user-preference-single-quotes', 'Undo');
    await window.treeRow('user-preference-single-quotes').waitFor();
    assert.deepEqual(fs.readFileSync(quotes), text);
  });

  it('shows what consolidation proposes, does what is picked, and can take it back', async () => {
    const twin =
      '---\nname: indentation\ndescription: Prefers tabs\ntype: user\n---\n\nTabs, please.\n';
    fs.writeFileSync(path.join(memory, 'indentation.md'), twin);
    await window.treeRow('indentation').waitFor();
    const before = fs.readFileSync(tabs);
    await window.runCommand('memoryAgent.consolidate', 'Memory: Consolidate');
    const proposed = window.quickInput.locator('.quick-input-list-entry', { hasText: 'Merge' });
    await proposed.getByText('edited by hand').waitFor();
    // What a person wrote is not picked to begin with.
    await proposed.click();
    await proposed.getByRole('button', { name: 'Show Difference' }).click();
    await window.editorShowing(/Tabs,\splease\./).waitFor();
    await window.pick('Back to All Changes');
    await window.acceptPicked();
    await window.treeRow('indentation').waitFor({ state: 'detached' });
    assert.match(fs.readFileSync(tabs, 'utf8'), /Tabs, please\./);
    const trash = fs.readdirSync(path.join(memory, '.trash')).join('\n');
    assert.match(trash, /indentation\.md$/m);
    await window.pressInNotification('user-preference-tabs', 'Undo');
    // The last to come back is the memory that was changed first.
    await window.statusMessage('Undone.').waitFor();
    await window.treeRow('indentation').waitFor();
    assert.deepEqual(fs.readFileSync(tabs), before);
  });

  it('consolidates by a slash command, and changes nothing when nothing is picked', async () => {
    const before = fs.readFileSync(tabs);
    const answer = await window.chat.send('@memory /consolidate');
    const proposed = window.quickInput.locator('.quick-input-list-entry', { hasText: 'Merge' });
    await proposed.waitFor();
    await window.page.keyboard.press('Escape');
    assert.match(await window.chat.answerText(answer), /The consolidation has ended/);
    assert.deepEqual(fs.readFileSync(tabs), before);
  });

  it('forgets by a slash command, and asks first', async () => {
    await window.clearNotifications();
    await window.chat.ask('@memory /forget indentation');
    await window.chat.press('Delete “indentation”');
    await window.pressInDialog('Delete');
    await window.treeRow('indentation').waitFor({ state: 'detached' });
  });
});

function lastWords(body: { messages?: readonly { content: unknown }[] }): unknown {
  const content = body.messages?.at(-1)?.content;
  return Array.isArray(content) ? content.at(-1)?.text : undefined;
}
