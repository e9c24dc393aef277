import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { chooseFile } from '../../src/vscode/picks/chooseRecords.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { newRecord, TABS } from '../support/records.ts';
import { writeTree } from '../support/tempFolder.ts';
import { inputProblem, pick, useWindowStubs, type Asked } from '../support/windowStubs.ts';

const KEY = `sk-ant-${'a1'.repeat(10)}`;

describe('changing a memory', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('renames it and what points to it, and takes both back', async () => {
    const { record } = await run.store.create(TABS);
    await run.store.create(newRecord('other', 'See [it](tabs.md) and [[tabs]].'));
    const asked = stub('showInputBox', () => ' Tab Width ');
    const undone = Promise.withResolvers<unknown>();
    stub('setStatusBarMessage', undone.resolve);
    const told = stub('showInformationMessage', () => 'Undo');
    await run.commands.renameMemory({ kind: 'record', record });
    assert.equal(proposedName(asked), 'tabs');
    assert.deepEqual(told, [
      ['Renamed “tabs” to “tab-width”, and 2 links to it in 1 memory.', 'Undo'],
    ]);
    assert.equal(await undone.promise, 'Undone.');
    const { records } = await run.store.list();
    assert.deepEqual(
      records.map(({ file, body }) => [file, body.trim()]),
      [
        ['other.md', 'See [it](tabs.md) and [[tabs]].'],
        ['tabs.md', 'Use tabs.'],
      ],
    );
  });

  it('says which links to it are left, since their files are damaged', async () => {
    const { record } = await run.store.create(TABS);
    await writeTree(run.store.folder, { 'broken.md': 'See [it](tabs.md).' });
    stub('showInputBox', () => 'width');
    const told = stub('showWarningMessage');
    await run.commands.renameMemory({ kind: 'record', record });
    await writeTree(run.store.folder, { 'broken-2.md': 'See [[width]], [[width]].' });
    const [renamed] = (await run.store.list()).records;
    stub('showInputBox', () => 'tabs');
    await run.commands.renameMemory({ kind: 'record', record: renamed });
    const left = 'Left as they are, since their files are damaged: 2 links to it in “broken-2.md”.';
    assert.deepEqual(
      told.map(([text]) => text),
      [
        'Renamed “tabs” to “width”. Left as it is, since its file is damaged: 1 link to it in “broken.md”.',
        `Renamed “width” to “tabs”. ${left}`,
      ],
    );
  });

  it('says of what was undone in another place that it was, and changes nothing', async () => {
    const { record } = await run.store.create(TABS);
    stub('showInputBox', () => 'width');
    stub('setStatusBarMessage');
    const told: unknown[] = [];
    const isTold = Promise.withResolvers<void>();
    stub('showInformationMessage', async (text) => {
      told.push(text);
      if (told.length > 1) return isTold.resolve();
      await run.scopes.undoChange((await run.scopes.lastChange()) ?? assert.fail());
      return 'Undo';
    });
    await run.commands.renameMemory({ kind: 'record', record });
    await isTold.promise;
    assert.deepEqual(told, ['Renamed “tabs” to “width”.', 'It is already undone.']);
    assert.deepEqual(
      (await run.store.list()).records.map(({ file }) => file),
      ['tabs.md'],
    );
  });

  it('keeps the editor open on it, where it was, also when that is undone', async () => {
    const { record } = await run.store.create(TABS);
    const document = await vscode.workspace.openTextDocument(record.path);
    const end = document.positionAt(document.getText().length - 2);
    const column = vscode.ViewColumn.Two;
    const selection = new vscode.Range(end, end);
    await vscode.window.showTextDocument(document, {
      viewColumn: column,
      preview: false,
      selection,
    });
    stub('showInputBox', () => 'width');
    stub('showInformationMessage');
    await run.commands.renameMemory({ kind: 'record', record });
    assert.deepEqual(openFiles(), ['width.md']);
    const editor = vscode.window.activeTextEditor;
    assert.deepEqual([editor?.viewColumn, editor?.selection.active.line], [column, end.line]);
    await run.commands.undoLastChange();
    assert.deepEqual(openFiles(), ['tabs.md']);
  });

  it('refuses before it asks while the file has changes that are not saved', async () => {
    const { record } = await run.store.create(TABS);
    const refused = () => Promise.reject(new Error('tabs.md is being edited'));
    Object.defineProperty(run.store, 'read', { value: refused });
    const asked = stub('showInputBox');
    await assert.rejects(run.commands.renameMemory({ kind: 'record', record }), /being edited/);
    assert.deepEqual(asked, []);
  });

  it('says as one types what would become of the name', async () => {
    await run.store.create(newRecord('taken', 'Taken'));
    const { record } = await run.store.create(TABS);
    const asked = stub('showInputBox');
    await run.commands.renameMemory({ kind: 'record', record });
    const said = async (value: string) => {
      const remark: unknown = await Promise.resolve<unknown>(inputProblem(asked, value));
      return typeof remark === 'object' && remark && 'message' in remark ? remark.message : remark;
    };
    assert.match(String(await said(' !? ')), /^Write a name with letters/);
    assert.match(String(await said(KEY)), /^This holds an Anthropic key/);
    assert.equal(await said('tabs'), undefined);
    assert.equal(await said('width'), undefined);
    assert.equal(await said('Tab Width'), 'It will be called “tab-width”.');
    assert.equal(await said('Taken'), '“taken” is taken. It will be called “taken-2”.');
    const long = String(await said('x'.repeat(200)));
    assert.match(long, /^That is too long for a file name. It will be called “x{75}”\.$/);
  });

  it('changes the type of several as one, of those that have another', async () => {
    const created = await run.store.createAll([TABS, { ...TABS, name: 'b', type: 'project' }]);
    const rows = created.map(({ record }) => ({ kind: 'record', record }));
    const asked = stub('showQuickPick', pick({ type: 'project' }));
    stub('showInformationMessage');
    await run.commands.changeType(rows[0], rows);
    assert.match(JSON.stringify(asked[0]?.[1]), /What kind of memory is “b”, “tabs”\?/);
    assert.deepEqual(
      run.notified.map(({ record }) => [record.name, record.type]),
      [['tabs', 'project']],
    );
    await run.commands.undoLastChange();
    const { records } = await run.store.list();
    assert.deepEqual(
      records.map(({ type }) => type),
      ['project', 'user'],
    );
  });

  it('copies what is selected as Markdown, without front matter', async () => {
    const { record } = await run.store.create(TABS);
    const other = await run.store.create({ ...TABS, name: 'short', body: TABS.description });
    const rows = [record, other.record].map((each) => ({ kind: 'record', record: each }));
    const said = stub('setStatusBarMessage');
    await run.commands.copyMemory(rows[0], rows);
    assert.equal(
      await vscode.env.clipboard.readText(),
      'Prefers tabs\n\n## Prefers tabs\n\nUse tabs.\n',
    );
    assert.equal(said[0]?.[0], 'Copied as Markdown: “short”, “tabs”');
  });

  it('does for a damaged file what it can, and says that it cannot do the rest', async () => {
    await writeTree(run.store.folder, { 'broken.md': 'no front matter' });
    const [damaged] = (await run.store.list()).damaged;
    const row = { kind: 'damaged', damaged };
    await assert.rejects(run.commands.renameMemory(row), /broken\.md is damaged/);
    await assert.rejects(run.commands.changeType(row, [row]), /broken\.md is damaged/);
    await run.commands.editMemory(row);
    assert.deepEqual(openFiles(), ['broken.md']);
  });

  it('opens all that are selected', async () => {
    const created = await run.store.createAll([TABS, newRecord('other', 'Other')]);
    const rows = created.map(({ record }) => ({ kind: 'record', record }));
    await run.commands.editMemory(rows[0], rows);
    assert.deepEqual(openFiles().toSorted(), ['other.md', 'tabs.md']);
  });

  it('renames the row that it was called on, of several that are selected', async () => {
    const created = await run.store.createAll([TABS, newRecord('other', 'Other')]);
    const rows = created.map(({ record }) => ({ kind: 'record', record }));
    const asked = stub('showInputBox');
    await run.commands.renameMemory(rows[0], rows);
    assert.equal(proposedName(asked), 'tabs');
  });

  it('shows the file of the row that it was called on, of several that are selected', async () => {
    const created = await run.store.createAll([TABS, newRecord('other', 'Other')]);
    const rows = created.map(({ record }) => ({ kind: 'record', record }));
    const choice = { placeHolder: '', nothing: '' };
    for (const { record } of rows) {
      const args = [{ kind: 'record', record }, rows];
      assert.equal((await chooseFile(run.scopes, { ...choice, args }))?.path, record.path);
    }
  });
});

function proposedName(asked: Asked): string | undefined {
  const options = asked[0]?.[0] as vscode.InputBoxOptions | undefined;
  return options?.value;
}

/** Another suite may have left an untitled text behind. */
function openFiles(): string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === 'file'
        ? [path.basename(input.uri.fsPath)]
        : [],
    );
}
