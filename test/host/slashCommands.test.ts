import assert from 'node:assert/strict';
import path from 'node:path';
import type * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { runSlashCommand } from '../../src/vscode/slashCommands.ts';
import { readTree, useTempFolder } from '../support/tempFolder.ts';

describe('slash commands', () => {
  const temp = useTempFolder();

  async function remember(prompt: string) {
    const store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
    const said: string[] = [];
    const response = {
      markdown: (text: string) => said.push(text),
      reference: () => undefined,
      button: () => undefined,
    } as unknown as vscode.ChatResponseStream;
    await runSlashCommand({ command: 'remember', prompt, store, response });
    return { text: said.join(''), records: (await store.list()).records };
  }

  it('remember what the person says, once, whatever its case and spaces', async () => {
    assert.match((await remember('project: deploys are on Friday')).text, /^Remembered:/);
    const { text, records } = await remember('project: Deploys  are on friday');
    assert.match(text, /Already remembered/);
    assert.equal(records.length, 1);
  });

  it('remember no secret, and say what it looks like', async () => {
    const key = `sk-ant-${'a1'.repeat(10)}`;
    const { text } = await remember(`my key is ${key}`);
    assert.match(text, /holds an Anthropic key/);
    assert.doesNotMatch(text, new RegExp(key));
    assert.deepEqual(await readTree(temp.path), {});
  });
});
