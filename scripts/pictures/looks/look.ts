// What the looks share.

import type { Workbench } from '../../../test/e2e/workbench.ts';
import { COMMANDS, type CommandKey } from '../../../src/manifest.ts';
import {
  movePointerAway,
  type PictureWindow,
  type PictureWindowOptions,
} from '../pictureWindow.ts';
import type { Words } from './words.ts';

export interface Looking extends Words {
  /** Takes a picture. */
  readonly look: (name: string) => Promise<void>;
}

export type Surface = (shown: PictureWindow, looking: Looking) => Promise<void>;

export interface LookOptions extends Omit<PictureWindowOptions, 'theme' | 'language'> {
  readonly surface: Surface;
}

export const STATUS_ITEM = 'memory-agent.memory-agent.memoryAgent.status';

/** With this row in sight. */
export async function openMemories(window: Workbench, row: string): Promise<void> {
  await window.openView('Memory Agent');
  await window.treeRow(row).first().waitFor();
  await movePointerAway(window);
}

export async function run(window: Workbench, key: CommandKey, words: Words): Promise<void> {
  await window.runCommand(COMMANDS[key], words.command(key));
}

export async function hoverOver(window: Workbench, row: string): Promise<void> {
  await window.treeRow(row).hover();
  await untilHover(window);
}

export async function untilHover({ page }: Workbench): Promise<void> {
  const hover = page.locator('.workbench-hover').filter({ visible: true });
  await hover.filter({ hasText: /\S/, hasNotText: 'Loading...' }).first().waitFor();
}

/** Leaves a pick, an input box, a menu or a dialog. */
export async function leave({ page, quickInput, dialog }: Workbench): Promise<void> {
  await page.keyboard.press('Escape');
  await quickInput.waitFor({ state: 'hidden' });
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('.monaco-menu').waitFor({ state: 'hidden' });
}
