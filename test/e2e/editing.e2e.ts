import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { repeat } from './repeat.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
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

  it('pins the memory in the line above its text, which then offers to unpin it', async () => {
    const lens = (title: string) =>
      window.page.locator('.codelens-decoration').getByText(title, { exact: true });
    await lens('Pin').waitFor();
    // A line of commands that is just being drawn anew takes no click; what is pinned already stays so.
    await repeat(
      async () => {
        if ((await lens('Pin').count()) > 0) await lens('Pin').click();
      },
      () => lens('Unpin').waitFor({ timeout: 2000 }),
    );
    assert.match(fs.readFileSync(file, 'utf8'), /^pinned: true$/m);
    await window.editorShowing(/pinned:\strue/).waitFor();
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

  it('is offered the types with what they mean', async () => {
    const { page } = window;
    await window.typeInEditor('---\nname: tabs\ndescription: Prefers tabs\ntype:');
    await page.keyboard.type(' ');
    const list = page.locator('.suggest-widget .monaco-list-row');
    await list.filter({ hasText: 'feedback' }).filter({ hasText: 'Guidance you gave' }).waitFor();
    await page.keyboard.press('Escape');
    await list.first().waitFor({ state: 'hidden' });
    await window.writeInEditor(TABS.trimEnd());
  });

  it('finds the index read-only, with a line that says that it is generated', async () => {
    await window.runCommand('memoryAgent.openIndex', 'Memory: Open Index');
    await window.frontTab('MEMORY.md').waitFor();
    const { page } = window;
    await page.locator('.codelens-decoration').getByText('Generated from the memories').waitFor();
    const editor = page.locator('.part.editor .editor-instance .monaco-editor').first();
    await editor.locator('.native-edit-context, textarea.inputarea').first().focus();
    await page.keyboard.type('x');
    const refusal = page.locator('.monaco-editor-overlaymessage');
    await refusal.getByText('Editor is read-only').waitFor();
    assert.match(await window.editorText(), /^#\sMemory\sIndex/);
  });
});
