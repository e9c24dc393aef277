// Every surface for a person to look at, in one theme: `name-theme.png` in a folder.

import fs from 'node:fs';
import path from 'node:path';

import type { Locator } from 'playwright-core';

import type { Workbench } from '../../test/e2e/workbench.ts';
import { STORY_PROMPTS } from '../../test/support/story.ts';
import {
  inPictureWindow,
  movePointerAway,
  type PictureWindow,
  type Theme,
} from './pictureWindow.ts';
import { fillWith, fillWithOdd, fillWithTen } from './samples.ts';

interface LooksOptions {
  readonly theme: Theme;
  readonly folder: string;
}

type Look = (name: string) => Promise<void>;

const STATUS = 'memory-agent.memory-agent.memoryAgent.status';
/** As narrow as VS Code makes a window with a side bar. */
const NARROW = { width: 620, height: 760 };
/** All settings below each other. */
const TALL = { width: 1400, height: 2600 };

export async function takeLooks(options: LooksOptions): Promise<void> {
  const { theme } = options;
  const look =
    ({ window }: PictureWindow, suffix = ''): Look =>
    (name) =>
      window.screenshot(path.join(options.folder, `${name}${suffix}-${theme}.png`));
  await inPictureWindow({ theme, fill: fillWithTen }, async (shown) => {
    await lookAtTen(shown, look(shown));
  });
  await inPictureWindow({ theme, fill: fillWithTen, language: 'zh-cn' }, async (shown) => {
    await lookAtStart(shown, look(shown, '-chinese'));
  });
  await inPictureWindow({ theme, fill: fillWithOdd, viewport: NARROW }, async (shown) => {
    await lookAtOdd(shown, look(shown, '-narrow'));
  });
  await inPictureWindow({ theme, fill: fillWith(2000) }, async (shown) => {
    await openMemories(shown.window, 'user');
    await movePointerAway(shown.window);
    await look(shown)('two-thousand');
  });
  await inPictureWindow({ theme, viewport: TALL }, async (shown) => {
    await lookAtSettings(shown, look(shown));
  });
  await inPictureWindow({ theme, untrusted: true, fill: fillWithTen }, async (shown) => {
    await openWelcome(shown.window, 'until you trust');
    await look(shown)('untrusted');
  });
  await inPictureWindow({ theme, open: 'nothing' }, async (shown) => {
    await openWelcome(shown.window, 'No folder is open');
    await look(shown)('no-folder');
  });
}

async function lookAtTen({ window, workspace }: PictureWindow, look: Look): Promise<void> {
  await openMemories(window, 'indentation');
  await movePointerAway(window);
  await look('ten');
  await window.treeRow('indentation').hover();
  await window.page.locator('.workbench-hover').first().waitFor();
  await look('row-hover');
  await movePointerAway(window);
  await window.treeRow('indentation').click({ button: 'right' });
  await window.page.locator('.monaco-menu').first().waitFor();
  await look('context-menu');
  await window.page.keyboard.press('Escape');
  await window.runCommand('memoryAgent.searchMemories', 'Memory: Search');
  await window.quickInput.getByText('Search Memories').waitFor();
  await window.page.keyboard.type('tabs');
  await window.treeRow('style-guide').waitFor({ state: 'detached' });
  await look('filter');
  await window.page.keyboard.press('Enter');
  // The focus goes to the tree, which would close the palette.
  await window.pressInViewTitle('Clear Search');
  await window.treeRow('style-guide').waitFor();

  await window.chat.open();
  await window.chat.untilModel('Claude');
  await window.chat.ask(`@memory ${STORY_PROMPTS[3]}`);
  await window.notification('single-quotes').first().waitFor();
  await look('notice');
  await window.statusHover(STATUS, 'memories');
  await look('status-hover');
  await window.chat.ask('@memory /help');
  await movePointerAway(window);
  await look('chat-help');
  await window.clearNotifications();

  // Beside two side bars VS Code has no room for the pictures.
  await window.page.keyboard.press('Control+Alt+B');
  await window.runCommand('memoryAgent.getStarted', 'Memory: Get Started');
  await window.page.locator('.gettingStartedContainer .step-title').first().waitFor();
  await look('walkthrough');
  await window.page.locator('.gettingStartedContainer .step-title').nth(3).click();
  await look('walkthrough-consolidate');
  await window.page.keyboard.press('Control+W');

  // What is not read: a link in the place of the folder.
  const memory = path.join(workspace, '.memory');
  fs.renameSync(memory, path.join(workspace, 'gone'));
  fs.symlinkSync(memory, memory);
  await window.chooseInViewMenu('Refresh');
  await window.treeRow('.memory').waitFor();
  await window.treeRow('.memory').hover();
  await window.page.locator('.workbench-hover').first().waitFor();
  await look('unreadable');
}

async function lookAtStart({ window }: PictureWindow, look: Look): Promise<void> {
  await openMemories(window, 'indentation');
  await movePointerAway(window);
  await look('ten');
  await window.runCommand('memoryAgent.getStarted', '记忆: 快速入门');
  await window.page.locator('.gettingStartedContainer .step-title').first().waitFor();
  await look('walkthrough');
  await window.chat.open();
  await window.chat.untilModel('Claude');
  await window.chat.ask(`@memory ${STORY_PROMPTS[3]}`);
  await window.notification('single-quotes').first().waitFor();
  await look('notice');
  await window.statusHover(STATUS, '记忆');
  await look('status-hover');
  await openSettings(window);
  await look('settings');
}

async function lookAtOdd({ window }: PictureWindow, look: Look): Promise<void> {
  await openMemories(window, '部署时间与发布流程');
  await movePointerAway(window);
  await look('long-and-chinese');
  await window.statusHover(STATUS, 'memories');
  await look('status-hover');
}

async function lookAtSettings({ window }: PictureWindow, look: Look): Promise<void> {
  const editor = await openSettings(window);
  for (const tab of ['User', 'Remote', 'Workspace']) {
    await editor
      .getByRole('tab', { name: new RegExp(`^${tab}`) })
      .first()
      .click();
    await ourSetting(editor).waitFor();
    await look(`settings-${tab.toLowerCase()}`);
  }
}

/** With our settings alone in sight. */
async function openSettings({ page }: Workbench): Promise<Locator> {
  await page.keyboard.press('Control+,');
  const editor = page.locator('.settings-editor');
  await editor.waitFor();
  await page.keyboard.type('@ext:memory-agent.memory-agent');
  await ourSetting(editor).waitFor();
  return editor;
}

function ourSetting(editor: Locator): Locator {
  return editor.locator('.setting-item-category', { hasText: 'Memory Agent' }).first();
}

/** With this row in sight. */
async function openMemories(window: Workbench, row: string): Promise<void> {
  await window.openView('Memory Agent');
  await window.treeRow(row).first().waitFor();
}

/** With these words of the welcome in the view's place. */
async function openWelcome(window: Workbench, words: string): Promise<void> {
  await window.openView('Memory Agent');
  await window.sideBar.getByText(words).waitFor();
  await movePointerAway(window);
}
