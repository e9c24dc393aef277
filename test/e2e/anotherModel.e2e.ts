import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

describe('with a model of another extension', () => {
  const used = useWindow({
    link: ['test/e2e/fixtures/another-model'],
    chatModel: 'Another Model',
  });
  const { workspace } = used;
  let window: Workbench;
  before(() => {
    ({ window } = used);
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
