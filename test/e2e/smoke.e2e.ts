import assert from 'node:assert/strict';

import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

describe('the packaged extension', () => {
  const used = useWindow({});
  let window: Workbench;
  before(() => {
    ({ window } = used);
  });

  it('has its own place in the activity bar, with a hint while nothing is remembered', async () => {
    await window.openView('Memory Agent');
    await window.sideBar.getByText('Nothing is remembered in this workspace yet.').waitFor();
    assert.deepEqual(await window.treeLabels(), []);
  });

  it('offers its commands in the palette', async () => {
    await window.runCommand('memoryAgent.showLog', 'Memory: Show Log');
    await window.page.locator('.part.panel').getByText('Output').first().waitFor();
  });
});
