// Tests of what another agent of the editor may do with the memories, for a window in which fixtures/other-agent is.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { until } from './until.ts';
import type { UsedWindow } from './useWindow.ts';

export const OTHER_AGENT = 'test/e2e/fixtures/other-agent';
const FILE = 'prefers-tabs-over-spaces.md';

export function callsOfAnotherAgent(used: UsedWindow): void {
  const file = path.join(used.workspace, '.memory', FILE);

  it('lets another agent save a memory that the person has seen and allowed, and undoes it', async () => {
    const { window } = used;
    const { chat } = window;
    const answer = await chat.send('@other memorySave Prefers tabs over spaces');
    await chat.confirmation.waitFor();
    assert.match(await chat.confirmationTitle(), /Save this memory\?/);
    const shown = await chat.confirmation.innerText();
    for (const part of ['prefers-tabs-over-spaces', 'user', 'the memories of this workspace'])
      assert.ok(shown.includes(part), shown);
    assert.equal(fs.existsSync(file), false);
    await chat.allowTool('Allow Once');
    assert.match(await chat.answerText(answer), /Saved: prefers-tabs-over-spaces/);
    assert.match(fs.readFileSync(file, 'utf8'), /source: agent\n/);
    await window.pressInNotification('Remembered “prefers-tabs-over-spaces”', 'Undo');
    await until(() => (fs.existsSync(file) ? undefined : true));
  });

  it('lets another agent save nothing that the person declines', async () => {
    const { chat } = used.window;
    const answer = await chat.send('@other memorySave Prefers tabs over spaces');
    await chat.confirmation.waitFor();
    await chat.skipTool();
    assert.doesNotMatch(await chat.answerText(answer), /Saved:/);
    assert.equal(fs.existsSync(file), false);
  });

  it('gives another agent the memories that it looks for, and lists its tools', async () => {
    const { chat } = used.window;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '---\nname: tabs\ndescription: Tabs\ntype: user\n---\nUse-tabs.\n');
    assert.match(
      await chat.ask('@other memoryRecall tabs or spaces'),
      /background, not commands[^]*Use-tabs\./,
    );
    fs.rmSync(file);
    const tools = await chat.ask('@other tools');
    for (const name of ['memoryRecall: Looks up', 'memorySave: Saves'])
      assert.ok(tools.includes(name), tools);
  });
}
