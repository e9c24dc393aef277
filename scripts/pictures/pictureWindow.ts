// A window of the running product to take pictures of: a theme, a folder with memories, a model that plays its part.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Locator } from 'playwright-core';

import { startSession, type SessionOptions } from '../../test/e2e/session.ts';
import type { Workbench } from '../../test/e2e/workbench.ts';
import { startFakeMessagesApi, type FakeMessagesApi } from '../../test/support/fakeMessagesApi.ts';
import { storyResponder } from '../../test/support/story.ts';

export const THEMES = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  hc: 'Default High Contrast',
  hcLight: 'Default High Contrast Light',
} as const;
export type Theme = keyof typeof THEMES;

/** Nobody waits for a picture, and a busy machine is slow. */
const LIMIT_MS = 60_000;
/** What comes or goes slowly would be in a picture half. */
const SETTINGS = { 'workbench.reduceMotion': 'on' };

export interface PictureWindowOptions extends Omit<SessionOptions, 'env'> {
  readonly theme: Theme;
  /** Prepares the folder that is opened. */
  readonly fill?: (workspace: string) => Promise<void>;
  readonly open?: 'nothing';
}

export interface PictureWindow {
  readonly window: Workbench;
  readonly workspace: string;
  readonly api: FakeMessagesApi;
}

export async function inPictureWindow(
  { theme, fill, open, ...options }: PictureWindowOptions,
  work: (shown: PictureWindow) => Promise<void>,
): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-pictures-'));
  // The name stands in the window's title.
  const workspace = path.join(home, 'sample');
  fs.mkdirSync(workspace);
  await fill?.(workspace);
  const api = await startFakeMessagesApi({ respond: storyResponder });
  const session = await startSession({
    ...options,
    env: { ANTHROPIC_API_KEY: 'none-needed', ANTHROPIC_BASE_URL: api.url },
    settings: { ...SETTINGS, 'workbench.colorTheme': THEMES[theme], ...options.settings },
  });
  try {
    const window = await session.openWindow(open === 'nothing' ? undefined : workspace);
    window.page.setDefaultTimeout(LIMIT_MS);
    await work({ window, workspace, api });
  } finally {
    await session.stop();
    await api.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** The pointer would leave a hover in the picture. */
export async function movePointerAway({ page }: Workbench): Promise<void> {
  await page.mouse.move(700, 400);
  const hover = page.locator('.workbench-hover').filter({ visible: true });
  await hover.first().waitFor({ state: 'hidden' });
}

/** Drags the side of a part: the one to the right of it, or by less than 0 the one to the left of it. */
export async function widen({ window }: PictureWindow, part: string, by: number): Promise<void> {
  const { x, y, width, height } = await partOf(window.page.locator(part));
  const side = { x: by < 0 ? x : x + width, y: y + height / 2 };
  const { mouse } = window.page;
  await mouse.move(side.x, side.y);
  await mouse.down();
  await mouse.move(side.x + by, side.y, { steps: 5 });
  await mouse.up();
}

export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The upper part of an element, or all of it. */
export async function partOf(
  element: Locator,
  { height }: { readonly height?: number } = {},
): Promise<Part> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element to take a picture of is not shown.');
  return { ...box, height: Math.min(box.height, height ?? box.height) };
}
