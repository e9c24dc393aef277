import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Locator } from 'playwright-core';

import { repeat } from './repeat.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const LONG = `Prefers tabs${', wide ones'.repeat(14)}`;
const TABS = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';

describe('a person who edits a memory by hand', () => {
  const used = useWindow({
    settings: { 'files.autoSave': 'off' },
    fill(folder) {
      fs.mkdirSync(path.join(folder, '.memory'));
      fs.writeFileSync(path.join(folder, '.memory', 'tabs.md'), TABS);
    },
  });
  const file = path.join(used.workspace, '.memory', 'tabs.md');
  let window: Workbench;
  before(async () => {
    ({ window } = used);
    await window.openView('Memory Agent');
    await window.treeRow('tabs').click();
    await window.editorShowing(/Use\stabs/).waitFor();
  });

  it('pins the memory in the line above its text, and unpins it there', async () => {
    await pressLens('Pin', lens('Unpin'));
    assert.match(fs.readFileSync(file, 'utf8'), /^pinned: true$/m);
    await window.editorShowing(/pinned:\strue/).waitFor();
    await pressLens('Unpin', lens('Pin'));
    assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /pinned: true/);
  });

  it('renames, moves and deletes it in that line, and takes each back', async () => {
    await pressLens('Rename…', window.quickInput.getByText('Rename Memory'));
    await window.answer('indentation');
    await window.frontTab('indentation.md').waitFor();
    await window.pressInNotification('Renamed “tabs” to “indentation”.', 'Undo');
    await window.frontTab('tabs.md').waitFor();

    await pressLens('Move to Personal', window.notification('Moved “tabs” to Personal.'));
    assert.equal(fs.existsSync(file), false);
    await window.pressInNotification('Moved “tabs” to Personal.', 'Undo');
    await window.treeRow('Personal').waitFor({ state: 'detached' });

    await pressLens('Delete', window.dialog);
    await window.pressInDialog('Delete');
    await window.treeRow('tabs').waitFor({ state: 'detached' });
    await window.pressInNotification('Deleted “tabs”.', 'Undo');
    await window.treeRow('tabs').waitFor();
  });

  it('sees a secret marked as it is typed, removes it by a key, and nothing is saved unasked', async () => {
    const { page } = window;
    await window.typeInEditor(TABS.replace('Use tabs.', `The key is ${TOKEN}`).trimEnd());
    await page.locator('.squiggly-warning').first().waitFor();
    const menu = page.locator('.action-widget');
    // What redraws the editor at that moment closes the menu.
    await repeat(
      () => page.keyboard.press('Control+.'),
      () => menu.getByText('Remove the secret').waitFor({ timeout: 1500 }),
    );
    await page.keyboard.press('Enter');
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
    await window.editorShowing(/\[redacted:\sa\sGitHub\stoken\]/).waitFor();
    assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /redacted/);
  });

  it('is offered the types with what they mean, and chooses one', async () => {
    const { page } = window;
    await window.typeInEditor('---\nname: tabs\ndescription: Prefers tabs\ntype:');
    await page.keyboard.type(' ');
    const list = page.locator('.suggest-widget .monaco-list-row');
    const feedback = list.filter({ hasText: 'feedback' }).filter({ hasText: 'Guidance you gave' });
    await feedback.waitFor();
    await feedback.click();
    await list.first().waitFor({ state: 'hidden' });
    await window.editorShowing(/type:\sfeedback/).waitFor();
    await window.writeInEditor(TABS.trimEnd());
    await page.locator('.part.editor .tab.dirty').waitFor({ state: 'detached' });
  });

  it('is led from a damaged memory to all that is wrong, and mends it there', async () => {
    fs.writeFileSync(file, TABS.replace('type', 'tpye').replace('Prefers tabs', LONG));
    await pressLens('Not readable as a memory: show the problems', problem('There is no type.'));
    await problem(`The description has ${LONG.length} characters`).waitFor();
    await mend('“type” is probably meant.', 'Change to “type”');
    await problem('There is no type.').waitFor({ state: 'detached' });
    await mend('The description has', 'Move the end of the description into the text');
    await problem('The description has').waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+S');
    await window.treeRow('tabs').waitFor();

    const twin = fs.readFileSync(file, 'utf8').replace('name: tabs', 'name: twin');
    fs.writeFileSync(path.join(path.dirname(file), 'twin.md'), twin);
    await mend('This says nothing that “twin” does not say.', 'Compare with “twin”');
    await window.frontTab('twin.md ↔ tabs.md').waitFor();
  });

  it('finds the index read-only, with a line that says that it is generated', async () => {
    await window.runCommand('memoryAgent.openIndex', 'Memory: Open Index');
    await window.frontTab('MEMORY.md').waitFor();
    const { page } = window;
    await pressLens('New Memory', window.quickInput.getByPlaceholder('What kind of memory is it?'));
    await page.keyboard.press('Escape');
    await window.openView('Explorer');
    const generated = 'Generated from the memories beside it: edit those instead';
    await pressLens(generated, window.treeRow('tabs'));
    const editor = page.locator('.part.editor .editor-instance .monaco-editor').first();
    await editor.locator('.native-edit-context, textarea.inputarea').first().focus();
    await page.keyboard.type('x');
    const refusal = page.locator('.monaco-editor-overlaymessage');
    await refusal.getByText('Editor is read-only').waitFor();
    assert.match(await window.editorText(), /^#\sMemory\sIndex/);
  });

  function lens(title: string): Locator {
    return window.page.locator('.codelens-decoration').getByText(title, { exact: true });
  }

  /** Until that is seen which comes of it. */
  async function pressLens(title: string, seen: Locator): Promise<void> {
    await lens(title).waitFor();
    // A line of commands that is just being drawn anew takes no click.
    await repeat(
      async () => {
        if ((await seen.count()) === 0) await lens(title).click({ timeout: 2000 });
      },
      () => seen.waitFor({ timeout: 2000 }),
    );
  }

  /** In the list of all problems. */
  function problem(text: string): Locator {
    return window.page.locator('.markers-panel .monaco-list-row', { hasText: text });
  }

  /** By the keys that open what can be done about one of them. */
  async function mend(text: string, title: string): Promise<void> {
    await problem(text).click();
    await repeat(
      () => window.page.keyboard.press('Control+.'),
      () => window.page.locator('.monaco-menu').waitFor({ timeout: 2000 }),
    );
    await window.menuItem(title);
  }
});
