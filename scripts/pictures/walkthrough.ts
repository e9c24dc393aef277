// The pictures of the walkthrough: a part of the window for each of its steps, in media/walkthrough.

import path from 'node:path';

import { text as say } from '../../test/support/messageEvents.ts';
import { STORY_PROMPTS } from '../../test/support/story.ts';
import { ROOT } from '../places.ts';
import {
  inPictureWindow,
  movePointerAway,
  partOf,
  widen,
  type Part,
  type PictureWindow,
  type Theme,
} from './pictureWindow.ts';
import { CONSOLIDATED, fillWithTen } from './samples.ts';
import { writeSmallPng } from './smallPng.ts';

const WALKTHROUGH = path.join(ROOT, 'media', 'walkthrough');

/** Small, as the walkthrough shows a picture half as wide as the window. */
const VIEWPORT = { width: 1280, height: 680 };
/** VS Code shows a picture at two thirds of its size. */
const SCALE = 1.5;
const SETTINGS = { 'editor.minimap.enabled': false };

export async function takeWalkthrough(theme: Theme): Promise<void> {
  const options = { theme, viewport: VIEWPORT, settings: SETTINGS, fill: fillWithTen };
  await inPictureWindow(options, async (shown) => {
    const { window, api } = shown;
    const cdp = await window.page.context().newCDPSession(window.page);
    const take = async (step: string, part: Part): Promise<void> => {
      await movePointerAway(window);
      const file = path.join(WALKTHROUGH, `${step}-${theme}.png`);
      const clip = { ...part, scale: SCALE };
      const { data } = await cdp.send('Page.captureScreenshot', { clip });
      writeSmallPng(file, Buffer.from(data, 'base64'));
    };
    await window.openView('Memory Agent');
    await window.chat.open();
    await window.chat.untilModel('Claude');
    await window.treeRow('style-guide').waitFor();
    await widen(shown, '.part.sidebar', 80);
    await widen(shown, '.part.auxiliarybar', -150);
    await take('sidebar', await partOf(window.sideBar, { height: 380 }));

    await window.chat.type('@memory ');
    await window.page.keyboard.press('Escape');
    await window.chat.view
      .locator('.view-line span[class*="ced-chat-session-text"]')
      .first()
      .waitFor();
    await take('model', await bottomOf(shown, 190));

    await window.treeRow('indentation').click();
    const editor = window.page.locator('.part.editor');
    // The colours and the links above the text come last.
    await editor.locator('.codelens-decoration').getByText('Pin', { exact: true }).waitFor();
    await editor.locator('.view-line [class^="mtk"]:not(.mtk1)').first().waitFor();
    await take('yours', await partOf(editor, { height: 260 }));

    api.push({ blocks: [say(JSON.stringify(CONSOLIDATED))] });
    await window.runCommand('memoryAgent.consolidate', 'Memory: Consolidate');
    await window.quickInput.locator('.quick-input-list-entry', { hasText: 'Merge' }).waitFor();
    await take('consolidate', await partOf(window.quickInput));
    // Ten memories would be consolidated by themselves after what is said now.
    await window.acceptPicked();
    await window.treeRow('old-host').waitFor({ state: 'detached' });
    await window.clearNotifications();

    await window.chat.ask(`@memory ${STORY_PROMPTS[3]}`);
    await window.notification('single-quotes').first().waitFor();
    await take('remember', await bottomOf(shown, 330));
  });
}

/** Of the window, as wide as a notification with something around it. */
async function bottomOf(shown: PictureWindow, height: number): Promise<Part> {
  const { width, height: all } = VIEWPORT;
  const statusBar = await partOf(shown.window.page.locator('.part.statusbar'));
  const bottom = Math.min(all, statusBar.y + statusBar.height);
  return { x: width - 480, y: bottom - height, width: 480, height };
}
