import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import type { NewRecord } from '../../src/memory/record.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import type { Change } from '../../src/memory/change.ts';
import { memoryCommands } from '../../src/vscode/memoryCommands.ts';
import { notifyChanges } from '../../src/vscode/notices.ts';
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

describe('notices', () => {
  const temp = useTempFolder();
  const stub = useWindowStubs();
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
  });

  it('shows nothing when nothing changed', async () => {
    const told = stub('showInformationMessage');
    await notifyChanges({ store, changes: [], log: silentLog });
    assert.deepEqual(told, []);
  });

  it('tells what was remembered', async () => {
    const told = stub('showInformationMessage');
    await notifyChanges({ store, changes: [await store.create(TABS)], log: silentLog });
    assert.deepEqual(told, [['Remembered “tabs”: Prefers tabs', 'Open', 'Undo']]);
  });

  it('tells what was updated, deleted, and several by name', async () => {
    const told = stub('showInformationMessage');
    const created = await store.create(TABS);
    const other = await store.create(QUOTES);
    await notifyChanges({ store, changes: [created, other], log: silentLog });
    const updated = await store.update(created.record, { description: 'Tabs it is' });
    await notifyChanges({ store, changes: [updated], log: silentLog });
    const removed = await store.remove(updated.record, 'test');
    await notifyChanges({ store, changes: [removed], log: silentLog });
    assert.deepEqual(told, [
      ['2 memories saved: tabs, quotes', 'Open', 'Undo'],
      ['Updated memory “tabs”: Tabs it is', 'Open', 'Undo'],
      ['Deleted “tabs”.', 'Undo'],
    ]);
  });

  it('shows a memory saved and then updated in one turn as saved', async () => {
    const told = stub('showInformationMessage');
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { description: 'Tabs it is' });
    await notifyChanges({ store, changes: [created, updated], log: silentLog });
    assert.deepEqual(told, [['Remembered “tabs”: Tabs it is', 'Open', 'Undo']]);
  });

  it('undoes all changes, the newest first, and says so', async () => {
    const before = await store.create(QUOTES);
    const tree = await readTree(store.folder);
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { body: 'Always tabs.' });
    const removed = await store.remove(before.record, 'test');
    stub('showInformationMessage', () => 'Undo');
    const said = stub('setStatusBarMessage');
    await notifyChanges({ store, changes: [created, updated, removed], log: silentLog });
    assert.deepEqual(withoutTrash(await readTree(store.folder)), tree);
    assert.equal(said[0]?.[0], 'Undone.');
  });

  it('says why when a change cannot be undone, and undoes the others', async () => {
    const changes = [await store.create(TABS), await store.create(QUOTES)];
    const text = '---\nname: tabs\ndescription: By hand\ntype: user\n---\n\nEdited by hand.\n';
    await writeTree(store.folder, { 'tabs.md': text });
    stub('showInformationMessage', () => 'Undo');
    const failed = stub('showErrorMessage');
    await notifyChanges({ store, changes, log: silentLog });
    assert.match(String(failed[0]?.[0]), /“tabs”: \S/);
    const left = await readTree(store.folder);
    assert.equal(left['tabs.md'], text);
    assert.equal(left['quotes.md'], undefined);
  });

  it('opens what was saved', async () => {
    const saved = await store.create(TABS);
    stub('showInformationMessage', () => 'Open');
    await notifyChanges({ store, changes: [saved], log: silentLog });
    assert.equal(vscode.window.activeTextEditor?.document.fileName, saved.record.path);
  });

  it('shows no link that stands in a memory', async () => {
    const told = stub('showInformationMessage');
    const description = 'See [this](command:workbench.action.closeWindow)';
    const change = await store.create({ ...TABS, description });
    await notifyChanges({ store, changes: [change], log: silentLog });
    assert.doesNotMatch(String(told[0]?.[0]), /\]\(/);
  });
});

function withoutTrash(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith('.trash/')));
}
