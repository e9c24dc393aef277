// A window of the running product to take pictures of: a theme, a folder with memories, a model that plays its part.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

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

/** What comes or goes slowly would be in a picture half. */
const SETTINGS = { 'workbench.reduceMotion': 'on' };

interface PictureWindowOptions extends Omit<SessionOptions, 'env'> {
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
