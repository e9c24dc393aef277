import assert from 'node:assert/strict';
import path from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { COMMANDS } from '../../src/manifest.ts';
import type { MemoryScopes } from '../../src/memory/scopes.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { runMemoryCommand } from '../../src/vscode/chat/slashCommands.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { TABS } from '../support/records.ts';
import { scopesIn } from '../support/scopes.ts';
import { readTree, useTempFolder } from '../support/tempFolder.ts';

describe('slash commands', () => {
  const temp = useTempFolder();
  let scopes: MemoryScopes;

  beforeEach(() => {
    scopes = scopesIn(temp.path);
  });

  it('remember what the person says, once, whatever its case and spaces', async () => {
    assert.match((await run('remember', 'project: deploys are on Friday')).text, /^Remembered:/);
    const { text } = await run('remember', 'project: Deploys  are on friday');
    assert.match(text, /^Already remembered:/);
    const punctuated = await run('remember', 'project: deploys are on Friday!');
    assert.match(punctuated.text, /^Already remembered:/);
    assert.equal((await scopes.list()).records.length, 1);
  });

  it('remember nothing that is remembered in another scope, and say in which', async () => {
    await scopes.home.store.create({ ...TABS, name: 'quotes', body: 'Use single quotes.' });
    await scopes.personal.store.create(TABS);
    const { text } = await run('remember', 'use tabs.');
    assert.match(text, /^Already remembered:\n\n- \[tabs\].*`user` · Personal$/);
  });

  it('remember in one of several folders, and say in which', async () => {
    const store = new MemoryStore({ folder: path.join(temp.path, 'other'), log: silentLog });
    scopes.setWorkspace([...scopes.workspace, { kind: 'workspace', name: 'other', store }]);
    const { text } = await run('remember', 'I prefer tabs.');
    assert.match(text, /^Remembered:\n\n- .*`user` · work$/);
  });

  it('remember among the personal memories when no folder is open, and say so', async () => {
    scopes.setWorkspace([]);
    const { text } = await run('remember', 'I prefer tabs.');
    assert.match(text, /^Remembered among your personal memories, since no folder is open:\n\n- /);
    assert.equal((await scopes.personal.store.list()).records.length, 1);
  });

  it('remember no secret, say what it looks like, and offer the text without it', async () => {
    const key = `sk-ant-${'a1'.repeat(10)}`;
    const { text, buttons } = await run('remember', `project: my key is ${key}`);
    assert.match(text, /holds an Anthropic key/);
    assert.deepEqual(await readTree(temp.path), {});

    const [button] = buttons;
    assert.equal(button?.command, COMMANDS.saveRedacted);
    assert.equal(button.title, 'Save Without the Secret');
    const [record] = button.arguments ?? [];
    assert.equal(record.type, 'project');
    assert.equal(record.body, 'my key is [redacted: an Anthropic key]');
    assert.doesNotMatch(JSON.stringify({ text, buttons }), new RegExp(key));
  });

  it('remember nothing of what is nothing but a secret, and offer nothing', async () => {
    const { text, buttons } = await run('remember', `project: sk-ant-${'a1'.repeat(10)}`);
    assert.equal(
      text,
      'Not remembered: this is nothing but an Anthropic key, and secrets are not saved in memories.',
    );
    assert.deepEqual([buttons, await readTree(temp.path)], [[], {}]);
  });

  it('say how it is done where nothing is said to be remembered, also behind a type', async () => {
    for (const prompt of ['', '  ', 'project:', 'Project： ', 'remember that: ']) {
      const { text, buttons } = await run('remember', prompt);
      assert.match(text, /^Write what to remember after the command, /, prompt);
      assert.deepEqual(buttons, []);
    }
    assert.deepEqual(await readTree(temp.path), {});
  });

  it('remember nothing that is too long to be recalled, and say by how much', async () => {
    const { text, buttons } = await run('remember', `project: ${'word '.repeat(2_000)}`);
    assert.match(text, /^Not remembered: this has 9,999 characters, and a memory at most 8,000, /);
    assert.deepEqual(buttons, []);
    assert.deepEqual(await readTree(temp.path), {});
  });

  it('say that what is attached is not remembered', async () => {
    const { text } = await run('remember', 'This is our guide.', { hasAttachments: true });
    assert.match(text, /^Remembered:.*\n\n_Only your words are remembered, /s);
    assert.doesNotMatch((await run('remember', 'I prefer tabs.')).text, /attached/);
  });

  it('offer to show all memories behind one that was saved, unless it is the only one', async () => {
    assert.deepEqual((await run('remember', 'I prefer tabs.')).steps, []);
    assert.deepEqual((await run('remember', 'I prefer single quotes.')).steps, [
      { kind: 'showAll' },
    ]);
  });

  it('show the first of many, the way to the others, and a summary of them', async () => {
    await rules(13);
    const { text, buttons, steps } = await run('recall', 'deploy');
    assert.equal(text.split('\n- ').length, 10);
    assert.match(text, /\n\nAnd 3 more: add words to narrow it down\.$/);
    assert.deepEqual(
      buttons.map(({ command }) => command),
      ['memoryAgent.memories.focus'],
    );
    assert.deepEqual(steps, [{ kind: 'sumUp', words: 'deploy' }]);
    // There is no topic to ask about.
    assert.deepEqual((await run('recall', '')).steps, []);
  });

  it('say that nothing matches, and offer to show what there is', async () => {
    await rules(2);
    for (const command of ['recall', 'forget'] as const) {
      const { text, steps } = await run(command, 'horses');
      assert.match(text, /^None of the 2 memories matches “horses”\. Try other words/);
      assert.deepEqual(steps, [{ kind: 'showAll' }]);
    }
  });

  it('repeat of a long query what fits on a line', async () => {
    await run('remember', 'I prefer tabs.');
    const { text } = await run('recall', `horses\n# ${'zebra '.repeat(1_000)}`);
    assert.match(
      text,
      /^The one memory that there is does not match “horses \\# zebra [^\n]{0,60}…”\.$/,
    );
  });

  it('recall from all scopes, and name them when memories lie in more than one', async () => {
    await scopes.home.store.create(TABS);
    const { text: one } = await run('recall', 'tabs');
    assert.match(one, /^- \[tabs\]\(file:.*\) — Prefers tabs `user`$/);
    await scopes.personal.store.create(TABS);
    const { text: two } = await run('recall', 'tabs');
    assert.match(two, /^- \[tabs\].*`user` · work\n- \[tabs\].*`user` · Personal$/);
  });

  it('forget the memory of the scope that is chosen, by its path', async () => {
    await scopes.home.store.create(TABS);
    await scopes.personal.store.create(TABS);
    const { buttons } = await run('forget', 'tabs');
    assert.deepEqual(
      buttons.map(({ arguments: [file] = [] }) => file),
      scopes.all.map(({ store }) => path.join(store.folder, 'tabs.md')),
    );
  });

  it('say that nothing is remembered yet, and why nothing is used without trust', async () => {
    const none = await run('recall', '');
    assert.match(none.text, /^Nothing is remembered yet\./);
    assert.deepEqual(none.steps, [{ kind: 'help' }]);
    for (const command of ['recall', 'remember', 'forget'] as const) {
      const { text, buttons } = await run(command, 'tabs', { scopes: undefined });
      assert.match(text, /^Nothing was done: .* until you trust the workspace/);
      assert.equal(buttons.length, 1);
    }
  });

  async function rules(count: number): Promise<void> {
    for (let number = 1; number <= count; number += 1) {
      const words = `Deploy rule ${number}`;
      const name = `deploy-${number}`;
      await scopes.create({ ...TABS, name, description: words, body: words });
    }
  }

  async function run(
    command: Parameters<typeof runMemoryCommand>[0]['command'],
    prompt: string,
    given: {
      readonly scopes?: MemoryScopes | undefined;
      readonly hasAttachments?: boolean;
    } = {},
  ) {
    const { response, text, buttons } = keptResponse();
    const usual = { scopes, hasAttachments: false };
    const steps = await runMemoryCommand({ command, prompt, ...usual, ...given, response });
    return { text: text(), buttons, steps };
  }
});
