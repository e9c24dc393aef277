// The settings in each of their tabs, and the walkthrough step by step.

import type { Locator } from 'playwright-core';

import type { Workbench } from '../../../test/e2e/workbench.ts';
import { run, type Surface } from './look.ts';

export const lookAtSettings: Surface = async ({ window }, { look }) => {
  const editor = await openSettings(window);
  for (const tab of ['User', 'Remote', 'Workspace']) {
    await editor
      .getByRole('tab', { name: new RegExp(`^${tab}`) })
      .first()
      .click();
    await ourSetting(editor).waitFor();
    await look(tab.toLowerCase());
  }
};

export const lookAtWalkthrough: Surface = async ({ window }, looking) => {
  // Beside two side bars VS Code has no room for the pictures.
  await window.page.keyboard.press('Control+Alt+B');
  await run(window, 'getStarted', looking);
  const titles = window.page.locator('.gettingStartedContainer .step-title');
  await titles.first().waitFor();
  for (let step = 0; step < (await titles.count()); step++) {
    await titles.nth(step).click();
    await looking.look(`step-${step + 1}`);
  }
};

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
