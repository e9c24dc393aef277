import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import type { NewRecord } from '../../src/memory/record.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import type { Change } from '../../src/memory/change.ts';
import { memoryCommands } from '../../src/vscode/memoryCommands.ts';
import { TABS } from '../support/records.ts';
import { readTree, useTempFolder, writeTree } from '../support/tempFolder.ts';
import { inputProblem, pick, useWindowStubs } from '../support/windowStubs.ts';

const QUOTES: NewRecord = {
  name: 'quotes',
  description: 'Single quotes',
  type: 'user',
  body: 'Use single quotes.',
};

describe('memory commands', () => {
  const temp = useTempFolder();
  const stub = useWindowStubs();
  let store: MemoryStore;
  let notified: Change[];
  let commands: ReturnType<typeof memoryCommands>;

  beforeEach(() => {
    store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
    notified = [];
    commands = memoryCommands({
      store: () => store,
      notify: (changes) => notified.push(...changes),
    });
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('creates a memory from a type and one line, and opens it with the cursor in the body', async () => {
    stub('showQuickPick', pick({ type: 'project' }));
    stub('showInputBox', () => ' The API is frozen until version 3. ');
    await commands.newMemory();

    const [record, ...others] = (await store.list()).records;
    assert.ok(record && others.length === 0);
    const { name, type, description, body, source } = record;
    assert.deepEqual(
      { name, type, description, body: body.trim(), source },
      {
        name: 'the-api-is-frozen-until-version',
        type: 'project',
        description: 'The API is frozen until version 3.',
        body: 'The API is frozen until version 3.',
        source: 'person',
      },
    );
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.fileName, record.path);
    const before = editor.document.getText(
      new vscode.Range(new vscode.Position(0, 0), editor.selection.active),
    );
    assert.match(before, /---\s+The API is frozen until version 3\.$/);
  });

  it('refuses a description that is empty or longer than a line of the index', async () => {
    stub('showQuickPick', pick({}));
    const asked = stub('showInputBox');
    await commands.newMemory();
    assert.match(inputProblem(asked, '  ') ?? '', /Write/);
    assert.match(inputProblem(asked, 'x'.repeat(151)) ?? '', /Too long by 1 /);
    assert.equal(inputProblem(asked, 'x'.repeat(150)), undefined);
  });

  it('refuses a secret, as it is typed and again before it is saved', async () => {
    const key = `sk-ant-${'a1'.repeat(10)}`;
    stub('showQuickPick', pick({}));
    const asked = stub('showInputBox', () => `The key is ${key}`);
    await assert.rejects(commands.newMemory(), /holds an Anthropic key/);
    assert.match(inputProblem(asked, key) ?? '', /holds an Anthropic key/);
    assert.deepEqual(await readTree(temp.path), {});
  });

  it('makes nothing when the person leaves', async () => {
    stub('showQuickPick', pick({}));
    stub('showInputBox');
    await commands.newMemory();
    assert.deepEqual((await store.list()).records, []);
  });

  it('opens a memory to edit, not as a preview', async () => {
    const { record } = await store.create(TABS);
    await commands.editMemory({ kind: 'record', record });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.equal(vscode.window.activeTextEditor?.document.fileName, record.path);
    assert.equal(activeTab?.isPreview, false);
  });

  it('asks which memory to edit when it is not told', async () => {
    const { record } = await store.create(TABS);
    stub('showQuickPick', pick({}));
    await commands.editMemory();
    assert.equal(vscode.window.activeTextEditor?.document.fileName, record.path);
  });

  it('names a memory that is gone', async () => {
    const { record } = await store.create(TABS);
    await store.remove(record, 'test');
    await assert.rejects(commands.editMemory({ kind: 'record', record }), /tabs\.md.*no longer/);
  });

  it('asks before it deletes, says where the file goes, and offers to undo', async () => {
    const { record } = await store.create(TABS);
    const asked = stub('showWarningMessage', () => 'Delete');
    await commands.deleteMemory({ kind: 'record', record });

    const [question, options] = asked[0] ?? [];
    assert.equal(question, 'Delete the memory “tabs”?');
    const { modal, detail } = options as vscode.MessageOptions;
    assert.equal(modal, true);
    assert.match(String(detail), /\.memory\/\.trash/);
    assert.deepEqual((await store.list()).records, []);
    assert.deepEqual(
      notified.map(({ kind }) => kind),
      ['removed'],
    );
  });

  it('deletes nothing when the person says no', async () => {
    const { record } = await store.create(TABS);
    stub('showWarningMessage');
    await commands.deleteMemory({ kind: 'record', record });
    assert.equal((await store.list()).records.length, 1);
    assert.deepEqual(notified, []);
  });

  it('deletes what was selected, after one question', async () => {
    const nodes = [];
    for (const each of [TABS, QUOTES]) {
      nodes.push({ kind: 'record', record: (await store.create(each)).record });
    }
    const asked = stub('showWarningMessage', () => 'Delete');
    await commands.deleteMemory(nodes[0], nodes);
    assert.equal(asked.length, 1);
    assert.deepEqual((await store.list()).records, []);
    assert.equal(notified.length, 2);
  });

  it('builds the index when it is missing, and opens it', async () => {
    await writeTree(store.folder, {
      'tabs.md': '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n',
    });
    await commands.openIndex();
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.fileName, store.indexPath);
    assert.match(document.getText(), /tabs\.md/);
  });

  it('says so when there is nothing to index', async () => {
    const told = stub('showInformationMessage');
    await commands.openIndex();
    assert.match(String(told[0]?.[0]), /nothing is remembered/);
  });

  it('says what is missing where there is no store', async () => {
    const told = stub('showInformationMessage');
    await memoryCommands({ store: () => undefined, notify: () => {} }).newMemory();
    assert.match(String(told[0]?.[0]), /belong to a folder/);
  });
});
