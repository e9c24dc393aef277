import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { keepScreenshotOfFailure, startSession, type Session } from './session.ts';
import type { Workbench } from './workbench.ts';

describe('the packaged extension', () => {
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-workspace-'));
  let session: Session | undefined;
  let window: Workbench;

  before(async () => {
    session = await startSession({});
    window = await session.openWindow(workspace);
  });
  afterEach(async function () {
    await keepScreenshotOfFailure(this.currentTest, window);
  });
  after(async () => {
    await session?.stop();
    fs.rmSync(workspace, { recursive: true });
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
