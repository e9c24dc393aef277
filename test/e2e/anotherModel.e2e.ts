import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { keepScreenshotOfFailure, startSession, type Session } from './session.ts';
import type { Workbench } from './workbench.ts';

describe('with a model of another extension', () => {
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-another-'));
  let session: Session;
  let window: Workbench;

  before(async () => {
    session = await startSession({ link: ['test/e2e/fixtures/another-model'] });
    window = await session.openWindow(workspace);
    await window.chat.open();
    await window.chat.untilModel('Another Model');
  });
  afterEach(async function () {
    await keepScreenshotOfFailure(this.currentTest, window);
  });
  after(async () => {
    await session?.stop();
    fs.rmSync(workspace, { recursive: true, maxRetries: 5 });
  });

  it('answers without a key of ours', async () => {
    assert.match(await window.chat.ask('@memory hello there'), /You said: hello there/);
  });

  it('uses the tools, with the confirmation of VS Code', async () => {
    const answer = await window.chat.send('@memory please write it down');
    await window.chat.allowTool('Allow Once');
    assert.match(await window.chat.answerText(answer), /The tool said: .*written\.txt/s);
    const written = fs.readFileSync(path.join(workspace, 'written.txt'), 'utf8');
    assert.equal(written, 'by another model');
  });
});
