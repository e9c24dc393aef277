import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { storyResponder } from '../support/story.ts';
import { untilEqual } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

/** By name: type, description and text. */
const MEMORIES: Readonly<Record<string, readonly [string, string, string]>> = {
  editor: ['user', 'Works in a dark editor', 'The theme is dark.'],
  tabs: ['user', 'Prefers tabs for indentation', 'Tabs, 四个空格宽.'],
  release: ['project', 'The release goes out on Friday', 'Never on a holiday.'],
};

/** The tree in the hands of a person who mostly uses the keyboard. */
describe('the memories in the side bar', () => {
  const used = useWindow({
    api: { respond: storyResponder },
    environmentKey: 'any-key',
    chatModel: 'Claude Auto',
    fill(folder) {
      for (const name of Object.keys(MEMORIES)) remember(folder, name);
    },
  });
  let window: Workbench;
  before(() => {
    ({ window } = used);
  });

  it('are searched while one types, and shown again by Escape', async () => {
    await window.openView('Memory Agent');
    await window.treeRow('release').waitFor();
    await focusTree();
    await typeSearch('ＴABS 空格');
    await untilTold('1 of 3 memories holds “ＴABS 空格”');
    await untilEqual(() => window.treeLabels(), ['user', 'tabs']);
    await window.page.keyboard.press('Escape');
    await window.treeRow('release').waitFor();

    await focusTree();
    await typeSearch('goes');
    await untilTold('1 of 3 memories holds “goes”');
    await window.page.keyboard.press('Enter');
    await focused('release').waitFor();
    remember(used.workspace, 'standup', ['project', 'The standup goes on at ten', 'Daily.']);
    await untilTold('2 of 4 memories hold “goes”');
    await window.treeRow('standup').waitFor();
    await untilEqual(() => window.treeLabels(), ['project', 'release', 'standup']);
    await window.page.keyboard.press('Escape');
    await window.treeRow('tabs').waitFor();
    await focused('release').waitFor();
    await untilEqual(
      () => window.treeLabels(),
      ['user', 'editor', 'tabs', 'feedback', 'project', 'release', 'standup', 'reference'],
    );
  });

  it('are opened, renamed and deleted by keys, the one that has the focus', async () => {
    await window.treeRow('editor').click();
    await window.frontTab('editor.md').waitFor();
    await focusTree();
    await window.page.keyboard.press('ArrowDown');
    await focused('tabs').waitFor();
    await window.page.keyboard.press('F2');
    await window.quickInput.getByText('Rename').first().waitFor();
    await window.answer('indentation');
    await window.treeRow('indentation').waitFor();
    await window.treeRow('tabs').waitFor({ state: 'detached' });

    await focusTree();
    await window.page.keyboard.press('End');
    await focused('reference').waitFor();
    // Nothing happens on a row that is no memory.
    await window.page.keyboard.press('Delete');
    await window.page.keyboard.press('ArrowUp');
    await focused('standup').waitFor();
    await window.page.keyboard.press('Enter');
    await window.page.locator('.part.editor .monaco-editor.focused').waitFor();
    await focusTree();
    await window.page.keyboard.press('Delete');
    await window.dialog.getByText('Delete the memory “standup”?').waitFor();
    await window.pressInDialog('Delete');
    await window.treeRow('standup').waitFor({ state: 'detached' });
  });

  it('are deleted together when several are selected', async () => {
    remember(used.workspace, 'one', ['reference', 'Of one', 'One.']);
    remember(used.workspace, 'two', ['reference', 'Of two', 'Two.']);
    await window.treeRow('two').waitFor();
    await window.treeRow('one').click();
    await focusTree();
    await window.page.keyboard.press('Shift+ArrowDown');
    await window.page.keyboard.press('Delete');
    await window.dialog.getByText('Delete 2 memories?').waitFor();
    await window.pressInDialog('Delete');
    await window.treeRow('two').waitFor({ state: 'detached' });
    assert.equal(fs.existsSync(file('one')), false);
  });

  it('take the type of the group that they are dragged onto', async () => {
    await window.treeRow('release').dragTo(window.treeRow('feedback'));
    await window.sideBar
      .getByRole('treeitem', { name: 'feedback, number of memories: 1' })
      .waitFor();
    assert.match(fs.readFileSync(file('release'), 'utf8'), /type: feedback/);
  });

  it('are marked while the model has them for the last request', async () => {
    await window.chat.ask('@memory Which theme do I work in?');
    const row = window.sideBar.getByRole('treeitem', {
      name: /editor.*recalled for the last request/,
    });
    await row.waitFor();
    await row.getByText('recalled · now · Works in a dark editor').waitFor();
  });

  it('stay folded over a reload, until one of them is asked for', async () => {
    await window.treeRow('editor').click();
    await window.frontTab('editor.md').waitFor();
    await window.treeRow('user').click();
    await window.treeRow('editor').waitFor({ state: 'detached' });
    // Unlike a reload of the page it keeps what was stored a moment ago.
    const isLoaded = window.page.waitForEvent('load', { timeout: 60_000 });
    await window.runCommand('workbench.action.reloadWindow', 'Developer: Reload Window');
    await isLoaded;
    // A busy machine takes long to start the extensions anew.
    await window.treeRow('feedback').waitFor({ timeout: 60_000 });
    await window.treeRow('release').waitFor();
    assert.equal(await window.treeRow('editor').count(), 0);

    await window.runCommand('memoryAgent.showInSidebar', 'Memory: Show in Memories View');
    await focused('editor').waitFor();
  });

  function file(name: string): string {
    return path.join(used.workspace, '.memory', `${name}.md`);
  }

  async function focusTree(): Promise<void> {
    const list = window.sideBar.locator('.monaco-list');
    // A row that was clicked has it on its own; what opens may take it once more.
    await list.focus();
    await list.and(window.page.locator(':focus')).waitFor();
  }

  async function typeSearch(words: string): Promise<void> {
    await window.page.keyboard.press('Control+F');
    await window.quickInput.getByText('Search Memories').waitFor();
    await window.page.keyboard.type(words);
  }

  function remember(
    folder: string,
    name: string,
    [type, description, body] = MEMORIES[name] ?? ['', '', ''],
  ): void {
    const memory = path.join(folder, '.memory');
    fs.mkdirSync(memory, { recursive: true });
    const text = `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n---\n\n${body}\n`;
    fs.writeFileSync(path.join(memory, `${name}.md`), text);
  }

  function untilTold(message: string): Promise<void> {
    return window.sideBar.locator('.message').getByText(message, { exact: true }).waitFor();
  }

  function focused(label: string) {
    return window.treeRow(label).and(window.page.locator('.focused'));
  }
});
