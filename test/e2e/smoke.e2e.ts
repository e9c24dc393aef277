import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Locator } from 'playwright-core';

import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const STATUS = 'memory-agent.memory-agent.memoryAgent.status';

describe('the packaged extension', () => {
  const used = useWindow({});
  const { workspace } = used;
  let window: Workbench;
  before(() => {
    ({ window } = used);
  });

  it('has its own place in the activity bar, with a hint while nothing is remembered', async () => {
    await window.openView('Memory Agent');
    await window.sideBar.getByText('Nothing is remembered in this workspace yet.').waitFor();
    assert.deepEqual(await window.treeLabels(), []);
  });

  it('offers there to write a memory, to import some, and to say one in the chat', async () => {
    const press = (name: string) => window.sideBar.getByRole('button', { name }).click();
    await press('New Memory');
    const kind = window.quickInput.getByPlaceholder('What kind of memory is it?');
    // A busy machine takes long to start the extension.
    await kind.waitFor({ timeout: 60_000 });
    await window.page.keyboard.press('Escape');
    await press('Import Memories');
    await window.quickInput.getByRole('option', { name: 'Choose a File…' }).waitFor();
    await window.page.keyboard.press('Escape');
    await press('Open Chat');
    await window.chat.untilTyped('@memory');
  });

  it('leads from the hint to a walkthrough with a picture for each step', async () => {
    await window.sideBar.locator('a', { hasText: 'Get started' }).click();
    await step('Choose a model').waitFor();
    for (const title of [
      'Say something to remember',
      'See what is remembered',
      'Keep it tidy',
      'It stays yours',
      'Choose a model',
    ]) {
      await step(title).click();
      const picture = window.page.locator('.gettingStartedContainer .getting-started-media img');
      // Beside two side bars VS Code has no room to show it.
      await picture.waitFor({ state: 'attached' });
      await window.page.waitForFunction(isLoaded, await picture.elementHandle());
    }
  });

  it('ends a step of the walkthrough when that is done, however it was done', async () => {
    const remember = step('Say something to remember');
    await doneMark(remember).waitFor({ state: 'detached' });
    await window.sideBar.getByRole('button', { name: 'New Memory' }).waitFor();
    fs.mkdirSync(path.join(workspace, '.memory'), { recursive: true });
    fs.writeFileSync(
      path.join(workspace, '.memory', 'tabs.md'),
      '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n',
    );
    await window.treeRow('tabs').waitFor();
    await doneMark(remember).waitFor();
    await remember.click();
    await remember.getByRole('button', { name: 'Try in Chat' }).click();
    await window.chat.untilTyped('@memory I prefer tabs for indentation, not spaces.');
    const sidebar = step('See what is remembered');
    await sidebar.click();
    await sidebar.getByRole('button', { name: 'Show Memories' }).click();
    await doneMark(sidebar).waitFor();
    assert.equal(await doneMark(step('Choose a model')).count(), 0);
  });

  it('does in the walkthrough what each of its buttons says', async () => {
    const press = async (title: string, button: string) => {
      await step(title).click();
      await step(title).getByRole('button', { name: button, exact: true }).click();
    };
    await press('Choose a model', 'Set Anthropic API Key');
    await window.quickInput.getByText('Anthropic API Key').first().waitFor();
    await window.page.keyboard.press('Escape');
    await press('Choose a model', 'Choose a Model in Chat');
    await window.chat.view.getByText('I prefer tabs').waitFor({ state: 'detached' });
    await window.chat.untilTyped('@memory');
    await press('Keep it tidy', 'Consolidate');
    await window.notification('There is nothing to consolidate yet.').waitFor();
    await press('Keep it tidy', 'Undo Last Consolidation');
    await window.notification('There is no consolidation to undo.').waitFor();
    await press('It stays yours', 'Open Index');
    await window.frontTab('MEMORY.md').waitFor();
    await window.runCommand('memoryAgent.getStarted', 'Memory: Get Started');
    await press('It stays yours', 'Open Settings');
    await window.frontTab('Settings').waitFor();
  });

  it('tells in the status bar how many memories there are, and leads to them from there', async () => {
    await window.openView('Explorer');
    const told = await window.statusHover(STATUS, '1 memory in this workspace');
    assert.match(told, /Show Memories · New Memory · Open Settings/);
    const hover = window.page.locator('.workbench-hover', { hasText: '1 memory' });
    await hover.getByRole('link', { name: 'Show Memories' }).click();
    await window.treeRow('tabs').waitFor();
    await window.statusHover(STATUS, '1 memory in this workspace');
    await hover.getByRole('link', { name: 'New Memory' }).click();
    await window.quickInput.getByPlaceholder('What kind of memory is it?').waitFor();
    await window.page.keyboard.press('Escape');
    await window.openView('Explorer');
    await window.page.locator(`[id="${STATUS}"]`).click();
    await window.treeRow('tabs').waitFor();
  });

  it('shows its settings in sections', async () => {
    await window.statusHover(STATUS, '1 memory in this workspace');
    const hover = window.page.locator('.workbench-hover', { hasText: '1 memory' });
    await hover.getByRole('link', { name: 'Open Settings' }).click();
    const contents = window.page.locator('.settings-editor .settings-toc-container');
    for (const section of ['Memories', 'Agent', 'Conversations', 'Models'])
      await contents.getByText(section, { exact: true }).waitFor();
    const first = window.page.locator('.settings-editor .setting-item-contents').first();
    await first.getByText('Whether memories are saved').waitFor();
    await first.locator('option', { hasText: 'Automatic' }).waitFor({ state: 'attached' });
  });

  it('offers its commands in the palette', async () => {
    await window.runCommand('memoryAgent.showLog', 'Memory: Show Log');
    await window.page.locator('.part.panel').getByText('Output').first().waitFor();
  });

  function step(title: string): Locator {
    const steps = window.page.locator('.gettingStartedContainer .getting-started-step');
    return steps.filter({ has: window.page.locator('.step-title').getByText(title) });
  }

  function doneMark(shown: Locator): Locator {
    return shown.locator('.codicon-getting-started-step-checked');
  }
});

/** Runs in the page. */
function isLoaded(picture: unknown): boolean {
  return (
    typeof picture === 'object' &&
    picture !== null &&
    'naturalWidth' in picture &&
    Number(picture.naturalWidth) > 0
  );
}
