// The side bar: rows, hovers, menus, search, what one types into boxes, dialogs, what waits for review, what failed.

import fs from 'node:fs';
import path from 'node:path';

import { silentLog } from '../../../src/base/log.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { movePointerAway, widen } from '../pictureWindow.ts';
import { DAMAGED, PROPOSED, SECRET } from '../samples.ts';
import { hoverOver, leave, openMemories, run, untilHover, type Surface } from './look.ts';

export const lookAtSidebar: Surface = async (shown, looking) => {
  const { window, workspace } = shown;
  const { look, text, title, view } = looking;
  const { page, quickInput } = window;
  const memory = path.join(workspace, '.memory');
  await openMemories(window, 'indentation');
  await look('ten');
  await hoverOver(window, 'indentation');
  await look('row-hover');
  await movePointerAway(window);
  await hoverOver(window, 'feedback');
  await look('group-hover');
  await movePointerAway(window);
  await window.treeRow('indentation').click({ button: 'right' });
  await page.locator('.monaco-menu').first().waitFor();
  await look('context-menu');
  await leave(window);
  await window.pressInViewTitle('Views and More Actions...');
  await page.locator('.monaco-menu').first().waitFor();
  await look('view-menu');
  await leave(window);

  await run(window, 'searchMemories', looking);
  await quickInput.getByText(text('Search Memories')).waitFor();
  await page.keyboard.type('tabs');
  await window.treeRow('style-guide').waitFor({ state: 'detached' });
  await look('search');
  await page.keyboard.type(' zzz');
  await window.treeRow('indentation').waitFor({ state: 'detached' });
  await look('search-no-hits');
  await page.keyboard.press('Enter');
  await quickInput.waitFor({ state: 'hidden' });
  await movePointerAway(window);
  await look('search-kept');
  // The focus goes to the tree, which would close the palette.
  await window.pressInViewTitle(title('clearSearch'));
  await window.treeRow('style-guide').waitFor();

  await run(window, 'newMemory', looking);
  await quickInput.getByRole('option').nth(3).waitFor();
  await look('new-type');
  await window.pick('user');
  const input = quickInput.locator('.quick-input-box input');
  await quickInput.locator('.quick-input-message').getByText(/\S/).first().waitFor();
  await look('new-text');
  await input.fill(`The key of staging is ${SECRET}`);
  await quickInput.locator('.quick-input-message').getByText('Anthropic').waitFor();
  await look('new-secret');
  await leave(window);
  await window.chooseInTreeRow('indentation', title('renameMemory'));
  await input.fill('!!!');
  await quickInput
    .getByText(text('Write a name with letters or digits, or press Escape.'))
    .waitFor();
  await look('rename-bad');
  await input.fill('Tabs');
  await quickInput.getByText('“tabs”').first().waitFor();
  await look('rename-taken');
  await leave(window);
  await window.chooseInTreeRow('indentation', title('changeType'));
  await quickInput.getByRole('option').nth(3).waitFor();
  await look('change-type');
  await leave(window);

  await window.treeRow('dashboard').click();
  await window.treeRow('style-guide').click({ modifiers: ['Control'] });
  await page.keyboard.press('Delete');
  await window.dialog.waitFor();
  await look('delete-two');
  await leave(window);

  const store = new MemoryStore({ folder: memory, log: silentLog });
  await store.proposals.add(PROPOSED);
  await window.rowIn(view('review'), 'error-dashboard').waitFor();
  await window.rowIn(view('review'), 'error-dashboard').hover();
  await untilHover(window);
  await look('review');
  await window.rowIn(view('review'), 'error-dashboard').click({ button: 'right' });
  await page.locator('.monaco-menu').first().waitFor();
  await look('review-menu');
  await leave(window);
  await window.rowIn(view('review'), 'error-dashboard').click();
  await window.frontTab(/error-dashboard/).waitFor();
  await movePointerAway(window);
  await look('review-text');

  fs.writeFileSync(path.join(memory, 'broken.md'), DAMAGED);
  await window.treeRow('broken.md').waitFor();
  await hoverOver(window, 'broken.md');
  await look('damaged-hover');
  await movePointerAway(window);
  await widen(shown, '.part.sidebar', 250);
  await look('wide');

  const trash = path.join(memory, '.trash');
  fs.rmSync(trash, { recursive: true, force: true });
  fs.writeFileSync(trash, '');
  await window.pressInTreeRow('tabs', title('deleteMemory'));
  await look('delete');
  await window.pressInDialog(text('Delete'));
  await window.notification(/\S/).first().waitFor();
  await look('failed');
  fs.rmSync(trash);
  await window.clearNotifications();
  await window.pressInTreeRow('tabs', title('deleteMemory'));
  await window.pressInDialog(text('Delete'));
  await window.notification('tabs').first().waitFor();
  await look('deleted');
  await window.clearNotifications();

  // What is not read: a link in the place of the folder.
  fs.renameSync(memory, path.join(workspace, 'gone'));
  fs.symlinkSync(memory, memory);
  await window.chooseInViewMenu(title('refreshMemories'));
  await window.treeRow('.memory').waitFor();
  await hoverOver(window, '.memory');
  await look('unreadable');
};
