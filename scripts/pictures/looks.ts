// Every surface for a person to look at, in one theme: `name-theme.png` in a folder.

import path from 'node:path';

import { OTHER_AGENT } from '../../test/e2e/otherAgent.ts';
import type { Workbench } from '../../test/e2e/workbench.ts';
import { inPictureWindow, movePointerAway, type Theme } from './pictureWindow.ts';
import { lookAtChat } from './looks/chat.ts';
import { lookAtEditors } from './looks/editors.ts';
import {
  hoverOver,
  openMemories,
  STATUS_ITEM,
  untilHover,
  type LookOptions,
  type Surface,
} from './looks/look.ts';
import { lookAtPicks } from './looks/picks.ts';
import { lookAtSettings, lookAtWalkthrough } from './looks/settings.ts';
import { lookAtSidebar } from './looks/sidebar.ts';
import { wordsOf } from './looks/words.ts';
import { fillForPicks, fillWith, fillWithOdd, fillWithTen } from './samples.ts';

interface LooksOptions {
  readonly theme: Theme;
  readonly folder: string;
}

/** As narrow as VS Code makes a window with a side bar. */
const NARROW = { width: 620, height: 760 };
/** All settings below each other. */
const TALL = { width: 1400, height: 2600 };

const lookAtOdd: Surface = async ({ window }, { look, text }) => {
  await openMemories(window, '部署时间与发布流程');
  await look('rows');
  await hoverOver(window, '部署时间与发布流程');
  await look('hover');
  await window.statusHover(STATUS_ITEM, text('Open Settings'));
  await look('status-hover');
};

const lookAtMany: Surface = async ({ window }, { look, text }) => {
  await openMemories(window, 'user');
  await look('rows');
  await window.statusHover(STATUS_ITEM, text('Open Settings'));
  await look('status-hover');
};

const lookAtUntrusted: Surface = async ({ window }, { look }) => {
  await openWelcome(window);
  await look('welcome');
  await window.page.locator(`[id="${STATUS_ITEM}"]`).hover();
  await untilHover(window);
  await look('status-hover');
};

const lookAtNoFolder: Surface = async ({ window }, { look, text }) => {
  await openWelcome(window);
  await look('welcome');
  await window.statusHover(STATUS_ITEM, text('Open Settings'));
  await look('status-hover');
};

/** Each is looked at in a window of its own. */
export const LOOKS: Readonly<Record<string, LookOptions>> = {
  sidebar: { fill: fillWithTen, surface: lookAtSidebar },
  editors: { fill: fillWithTen, surface: lookAtEditors },
  picks: { fill: fillForPicks, surface: lookAtPicks },
  chat: { fill: fillWithTen, link: [OTHER_AGENT], surface: lookAtChat },
  walkthrough: { fill: fillWithTen, surface: lookAtWalkthrough },
  settings: { viewport: TALL, surface: lookAtSettings },
  narrow: { fill: fillWithOdd, viewport: NARROW, surface: lookAtOdd },
  many: { fill: fillWith(2000), surface: lookAtMany },
  untrusted: { untrusted: true, fill: fillWithTen, surface: lookAtUntrusted },
  nothing: { open: 'nothing', surface: lookAtNoFolder },
};

export async function takeLooks(options: LooksOptions): Promise<void> {
  for (const name of Object.keys(LOOKS)) {
    await takeLook(name, options);
    await takeLook(name, { ...options, language: 'zh-cn' });
  }
}

export async function takeLook(
  name: string,
  { theme, folder, language }: LooksOptions & { readonly language?: 'zh-cn' },
): Promise<void> {
  const { surface, ...options } = LOOKS[name] ?? {};
  const suffix = language === undefined ? '' : '-chinese';
  await inPictureWindow({ ...options, theme, ...(language && { language }) }, async (shown) => {
    await surface?.(shown, {
      ...wordsOf(language),
      look: async (picture) => {
        const file = path.join(folder, `${name}-${picture}${suffix}-${theme}.png`);
        await shown.window.screenshot(file);
      },
    });
  });
}

/** With the words of the welcome in the view's place. */
async function openWelcome(window: Workbench): Promise<void> {
  await window.openView('Memory Agent');
  await window.sideBar.locator('.welcome-view-content').first().waitFor();
  await movePointerAway(window);
}
