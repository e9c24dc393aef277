// A memory in the editor: the line of commands, problems with their hovers and fixes, completion, the index.

import fs from 'node:fs';
import path from 'node:path';

import { repeat } from '../../../test/e2e/repeat.ts';
import { movePointerAway } from '../pictureWindow.ts';
import { FAULTY } from '../samples.ts';
import { openMemories, run, type Surface } from './look.ts';

export const lookAtEditors: Surface = async ({ window, workspace }, looking) => {
  const { look, text } = looking;
  const { page } = window;
  const word = (words: string) =>
    page.locator('.part.editor .view-line span span').getByText(words).first();
  const showHover = async (words: string): Promise<void> => {
    const hover = page.locator('.monaco-hover-content').filter({ visible: true });
    await repeat(
      async () => {
        await word(words).click();
        await page.keyboard.press('Control+K');
        await page.keyboard.press('Control+I');
      },
      () => hover.first().waitFor({ timeout: 3000 }),
    );
  };
  await openMemories(window, 'indentation');
  await window.treeRow('indentation').click();
  const lens = page.locator('.codelens-decoration');
  await lens.getByText(text('Pin'), { exact: true }).waitFor();
  await movePointerAway(window);
  await look('memory');
  await showHover('description');
  await look('key-hover');

  fs.writeFileSync(path.join(workspace, '.memory', 'faulty.md'), FAULTY);
  await window.treeRow('faulty').first().waitFor();
  await window.treeRow('faulty').click();
  await page.locator('.squiggly-warning').first().waitFor();
  await page.keyboard.press('Control+Shift+M');
  await page.locator('.markers-panel .monaco-list-row').nth(3).waitFor();
  await movePointerAway(window);
  await look('problems');
  await page.keyboard.press('Control+J');
  await showHover('ghp_');
  await look('problem-hover');
  await page.keyboard.press('Escape');
  const menu = page.locator('.action-widget').first();
  await repeat(
    () => page.keyboard.press('Control+.'),
    () => menu.waitFor({ timeout: 1500 }),
  );
  await look('fixes');
  await page.keyboard.press('Escape');

  await window.typeInEditor('---\nname: tabs\ndescription: Prefers tabs\ntype:');
  await page.keyboard.type(' ');
  await page.locator('.suggest-widget .monaco-list-row').nth(3).waitFor();
  await look('types');
  await page.keyboard.press('Escape');
  await page.keyboard.type('\n');
  await page.keyboard.press('Control+Space');
  await page.locator('.suggest-widget .monaco-list-row').nth(3).waitFor();
  await look('keys');
  await page.keyboard.press('Escape');
  await window.runCommand('workbench.action.files.revert', 'File: Revert File');

  await run(window, 'openIndex', looking);
  await window.frontTab('MEMORY.md').waitFor();
  await lens.first().waitFor();
  await look('index');
};
