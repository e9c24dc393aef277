import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { useListStub, type ShownList } from '../support/listStubs.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { TABS } from '../support/records.ts';
import { readTree, writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const INSTRUCTIONS = `# Guide

## Style

Use tabs.

## Release

Releases are cut on Fridays.

## Deploy

Push with ${TOKEN} to the registry.
`;

describe('importing memories', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();
  const withList = useListStub();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  beforeEach(async () => {
    run.keepFolders(1);
    await writeTree(run.path, {
      'one/CLAUDE.md': INSTRUCTIONS,
      'home/.claude/CLAUDE.md': '# Me\n\nI like short answers.\n',
    });
  });

  it('shows what is new, known and secret, picks the new, and saves it as one change', async () => {
    await run.store.create(TABS);
    choose('CLAUDE.md');
    let shown: ShownList | undefined;
    withList((list) => {
      shown = list;
      list.accept();
    });
    await run.commands.importMemories();
    assert.equal(shown?.title, 'Import into “one”');
    assert.deepEqual(
      shown.selectedItems.map(({ label }) => label),
      shown.under('New').map(({ label }) => label),
    );
    assert.match(
      shown.under('Already remembered')[0]?.description ?? '',
      / · CLAUDE\.md.* · already remembered as “tabs”$/,
    );
    assert.match(
      shown.under('With secrets')[0]?.description ?? '',
      /GitHub token, will be saved redacted/,
    );
    const { records } = await run.store.list();
    assert.deepEqual(
      records.map(({ name }) => name),
      ['release', 'tabs'],
    );
    assert.equal(run.notified.length, 1);
    stub('showInformationMessage');
    await run.commands.undoLastChange();
    assert.equal((await run.store.list()).records.length, 1);
  });

  it('saves a picked one that held a secret without it', async () => {
    choose('CLAUDE.md');
    withList((list) => {
      list.select(...list.under('With secrets'));
      list.accept();
    });
    await run.commands.importMemories();
    const files = Object.values(await readTree(run.store.folder)).join('\n');
    assert.match(files, /Push with \[redacted: a GitHub token\]/);
    assert.ok(!files.includes(TOKEN));
  });

  it('shows the full text of an item, and saves nothing when the person leaves', async () => {
    choose('CLAUDE.md');
    withList(async (list) => {
      const shown = new Promise<vscode.TextDocument>((resolve) => {
        const listener = vscode.workspace.onDidOpenTextDocument((document) => {
          listener.dispose();
          resolve(document);
        });
      });
      list.press(list.under('New').find(({ label }) => label === 'release'));
      assert.match((await shown).getText(), /Releases are cut on Fridays/);
      list.leave();
    });
    await run.commands.importMemories();
    assert.deepEqual((await run.scopes.list()).records, []);
  });

  it('offers Personal for what holds in all workspaces', async () => {
    const asked = choose('.claude', 'Personal');
    withList((list) => list.accept());
    await run.commands.importMemories();
    const targets = asked[1]?.[0] as readonly vscode.QuickPickItem[];
    assert.deepEqual(
      targets.map(({ label }) => label),
      ['Personal', 'one'],
    );
    assert.equal((await run.personal.list()).records.length, 1);
    assert.equal((await run.store.list()).records.length, 0);
  });

  it('lists what cannot be read, and does not let it be picked', async () => {
    await writeTree(run.path, {
      'notes/good.md': '---\nname: good\ndescription: Good\ntype: project\n---\n\nGood.\n',
      'notes/bad.md': Buffer.from([0xff, 0xfe, 0xfd]),
    });
    stub('showOpenDialog', () => [vscode.Uri.file(path.join(run.path, 'notes'))]);
    choose('Choose a Folder…', 'one');
    let problems: ShownList['items'] = [];
    withList((list) => {
      problems = list.under('Cannot be imported');
      list.select(...list.under('New'), ...problems);
      assert.ok(list.selectedItems.every((item) => !problems.includes(item)));
      list.accept();
    });
    await run.commands.importMemories();
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.detail ?? '', /^bad\.md is not UTF-8 text\./);
    assert.deepEqual(
      (await run.store.list()).records.map(({ name }) => name),
      ['good'],
    );
  });

  it('says so when a file holds nothing', async () => {
    await writeTree(run.path, { 'empty.md': '\n' });
    stub('showOpenDialog', () => [vscode.Uri.file(path.join(run.path, 'empty.md'))]);
    const told = stub('showWarningMessage');
    choose('Choose a File…', 'one');
    await run.commands.importMemories();
    assert.match(String(told[0]?.[0]), /empty\.md holds nothing that can be imported/);
  });

  /** Picks, of each list that is asked, the item that has these words in its label or description. */
  function choose(...words: string[]) {
    return stub('showQuickPick', (items) => {
      const word = words.shift() ?? '';
      return (items as readonly vscode.QuickPickItem[]).find(
        ({ label, description = '', kind }) =>
          kind !== vscode.QuickPickItemKind.Separator && `${label} ${description}`.includes(word),
      );
    });
  }
});

describe('exporting memories', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();
  const withList = useListStub();

  const toFile = (items: unknown) => (items as readonly unknown[])[0];
  const toFolder = (items: unknown) => (items as readonly unknown[])[1];

  it('writes one file, which import reads back', async () => {
    await run.store.create({ ...TABS, pinned: true });
    const file = path.join(run.path, 'export.md');
    stub('showQuickPick', toFile);
    stub('showSaveDialog', () => vscode.Uri.file(file));
    const told = stub('showInformationMessage');
    await run.commands.exportMemories();
    assert.equal(told[0]?.[0], `1 memory exported to ${file}.`);
    await run.store.remove((await run.store.list()).records[0] ?? assert.fail(), 'test');

    stub('showOpenDialog', () => [vscode.Uri.file(file)]);
    stub('showQuickPick', (items) =>
      (items as readonly vscode.QuickPickItem[]).find(({ label }) =>
        ['Choose a File…', 'one'].includes(label),
      ),
    );
    withList((list) => list.accept());
    await run.commands.importMemories();
    const [record] = (await run.store.list()).records;
    assert.equal(record?.body, TABS.body);
    assert.equal(record.pinned, true);
  });

  it('asks before a secret leaves too', async () => {
    await run.store.create(TABS);
    const [record] = (await run.store.list()).records;
    const key = ['sk', 'ant', 'api03', 'Zq7w9Xk2Lm4Np8Rt6Vy1'].join('-');
    await fs.appendFile(record?.path ?? assert.fail(), `\nThe key is ${key}\n`);
    const file = path.join(run.path, 'export.md');
    stub('showQuickPick', toFile);
    stub('showSaveDialog', () => vscode.Uri.file(file));
    stub('showInformationMessage');
    const asked = stub('showWarningMessage');
    await run.commands.exportMemories();
    assert.equal(asked[0]?.[0], 'Export secrets too?');
    await assert.rejects(fs.stat(file));
    stub('showWarningMessage', () => 'Export Anyway');
    await run.commands.exportMemories();
    assert.match(await fs.readFile(file, 'utf8'), /Zq7w9/);
  });

  it('asks before it replaces a file', async () => {
    await run.store.create(TABS);
    const file = path.join(run.path, 'export.md');
    await fs.writeFile(file, 'mine');
    stub('showQuickPick', toFile);
    stub('showSaveDialog', () => vscode.Uri.file(file));
    stub('showInformationMessage');
    const asked = stub('showWarningMessage');
    await run.commands.exportMemories();
    assert.equal(asked[0]?.[0], '“export.md” exists. Replace it?');
    assert.equal(await fs.readFile(file, 'utf8'), 'mine');
    stub('showWarningMessage', () => 'Replace');
    await run.commands.exportMemories();
    assert.match(await fs.readFile(file, 'utf8'), /^# Exported Memories/);
  });

  it('copies the files of the chosen scopes into a new folder where the chosen one is not empty', async () => {
    await run.store.create(TABS);
    await run.personal.create({ ...TABS, body: 'Mine' });
    const target = path.join(run.path, 'target');
    await writeTree(target, { 'memories/mine.txt': 'mine' });
    const answers: ((items: unknown) => unknown)[] = [(items) => items, toFolder];
    stub('showQuickPick', (items) => answers.shift()?.(items));
    stub('showOpenDialog', () => [vscode.Uri.file(target)]);
    stub('showInformationMessage');
    await run.commands.exportMemories();
    assert.deepEqual(Object.keys(await readTree(target)), [
      'memories-2/MEMORY.md',
      'memories-2/tabs-2.md',
      'memories-2/tabs.md',
      'memories/mine.txt',
    ]);
  });

  it('says so when there is nothing to export', async () => {
    const told = stub('showInformationMessage');
    await run.commands.exportMemories();
    assert.deepEqual(told, [['There is no memory to export.']]);
  });
});
