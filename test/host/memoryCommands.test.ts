import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import * as vscode from 'vscode';
import type { NewRecord } from '../../src/memory/record.ts';
import { memoryCommands } from '../../src/vscode/memoryCommands.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { TABS } from '../support/records.ts';
import { readTree, writeTree } from '../support/tempFolder.ts';
import { pick, useWindowStubs, type Asked } from '../support/windowStubs.ts';

const QUOTES: NewRecord = {
  name: 'quotes',
  description: 'Single quotes',
  type: 'user',
  body: 'Use single quotes.',
};
const KEY = `sk-ant-${'a1'.repeat(10)}`;

describe('memory commands', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('creates a memory from a type and one line, and opens it with the cursor in the body', async () => {
    stub('showQuickPick', pick({ type: 'project' }));
    stub('showInputBox', () => ' The API is frozen until version 3. ');
    const told = stub('showInformationMessage');
    await run.commands.newMemory();

    const [record, ...others] = (await run.store.list()).records;
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
    assert.deepEqual(told, []);
  });

  it('creates a personal memory where no folder is open, and says so', async () => {
    run.keepFolders(0);
    stub('showQuickPick', pick({ type: 'user' }));
    stub('showInputBox', () => 'Prefers tabs');
    const told = stub('showInformationMessage');
    await run.commands.newMemory();
    assert.equal((await run.personal.list()).records.length, 1);
    assert.match(String(told[0]?.[0]), /personal memory, since no folder is open/);
  });

  it('refuses a description that is empty or longer than a line of the index', async () => {
    stub('showQuickPick', pick({}));
    const asked = stub('showInputBox');
    await run.commands.newMemory();
    assert.match(problem(asked, '  ') ?? '', /Write/);
    assert.match(problem(asked, 'x'.repeat(151)) ?? '', /Too long by 1 /);
    assert.equal(problem(asked, 'x'.repeat(150)), undefined);
  });

  it('tells of a secret as it is typed, and saves the memory without it', async () => {
    stub('showQuickPick', pick({}));
    const asked = stub('showInputBox', () => `The key is ${KEY}`);
    await run.commands.newMemory();
    assert.match(problem(asked, `A ${KEY}`) ?? '', /holds an Anthropic key.*save it redacted/);
    assert.match(problem(asked, KEY) ?? '', /^This is nothing but an Anthropic key, /);
    const files = Object.values(await readTree(run.path)).join('\n');
    assert.match(files, /The key is \[redacted: an Anthropic key\]/);
    assert.ok(!files.includes(KEY));
  });

  it('makes nothing when the person leaves', async () => {
    stub('showQuickPick', pick({}));
    stub('showInputBox');
    await run.commands.newMemory();
    assert.deepEqual((await run.scopes.list()).records, []);
  });

  it('opens a memory to edit, not as a preview', async () => {
    const { record } = await run.store.create(TABS);
    await run.commands.editMemory({ kind: 'record', record });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.equal(vscode.window.activeTextEditor?.document.fileName, record.path);
    assert.equal(activeTab?.isPreview, false);
  });

  it('asks which memory to edit when it is not told', async () => {
    const { record } = await run.store.create(TABS);
    stub('showQuickPick', pick({}));
    await run.commands.editMemory();
    assert.equal(vscode.window.activeTextEditor?.document.fileName, record.path);
  });

  it('names the scopes in a list of memories of several', async () => {
    await run.store.create(TABS);
    await run.personal.create(TABS);
    const asked = stub('showQuickPick');
    await run.commands.editMemory();
    const items = asked[0]?.[0] as readonly vscode.QuickPickItem[];
    assert.deepEqual(
      items.map(({ label }) => label),
      ['one', 'tabs', 'Personal', 'tabs'],
    );
  });

  it('tells two memories of the same name apart', async () => {
    await run.store.create(TABS);
    const { record } = await run.personal.create(TABS);
    stub('showWarningMessage', () => 'Delete');
    stub('showInformationMessage');
    await run.commands.deleteMemory({ kind: 'record', record });
    assert.equal((await run.store.list()).records.length, 1);
    assert.equal((await run.personal.list()).records.length, 0);
  });

  it('names a memory that is gone', async () => {
    const { record } = await run.store.create(TABS);
    await run.store.remove(record, 'test');
    await assert.rejects(
      run.commands.editMemory({ kind: 'record', record }),
      /^Error: tabs\.md.*no longer/,
    );
    await assert.rejects(run.commands.pinMemory({ kind: 'record', record }), /no longer/);
  });

  it('asks before it deletes, says how to get it back, and offers to undo', async () => {
    const { record } = await run.store.create(TABS);
    const asked = stub('showWarningMessage', () => 'Delete');
    const undone = Promise.withResolvers<unknown>();
    stub('setStatusBarMessage', undone.resolve);
    const told = stub('showInformationMessage', () => 'Undo');
    await run.commands.deleteMemory({ kind: 'record', record });

    const [question, options] = asked[0] ?? [];
    assert.equal(question, 'Delete the memory “tabs”?');
    const { modal, detail } = options as vscode.MessageOptions;
    assert.equal(modal, true);
    assert.match(String(detail), /undo this.*Restore Deleted/);
    assert.deepEqual(told, [['Deleted “tabs”.', 'Undo']]);
    assert.equal(await undone.promise, 'Undone.');
    assert.deepEqual((await run.store.list()).records, [record]);
  });

  it('deletes nothing when the person says no', async () => {
    const { record } = await run.store.create(TABS);
    stub('showWarningMessage');
    const told = stub('showInformationMessage');
    await run.commands.deleteMemory({ kind: 'record', record });
    assert.equal((await run.store.list()).records.length, 1);
    assert.deepEqual(told, []);
  });

  it('deletes damaged files too, and says which', async () => {
    const { record } = await run.store.create(TABS);
    await writeTree(run.store.folder, { 'broken.md': 'no front matter' });
    const [damaged] = (await run.store.list()).damaged;
    const asked = stub('showWarningMessage', () => 'Delete');
    const told = stub('showInformationMessage');
    await run.commands.deleteMemory({ kind: 'damaged', damaged });
    assert.equal(asked[0]?.[0], 'Delete the damaged file “broken.md”?');
    assert.match(detailOf(asked[0]), /^The file has no front matter/);

    await run.commands.undoLastChange();
    const rows = [
      { kind: 'record', record },
      { kind: 'damaged', damaged },
    ];
    await run.commands.deleteMemory(undefined, rows);
    assert.match(detailOf(asked[1]), /^tabs\nbroken\.md\n/);
    const { records, damaged: left } = await run.store.list();
    assert.deepEqual([...records, ...left], []);
    await run.commands.undoLastChange();
    assert.equal((await run.store.list()).damaged.length, 1);
    assert.deepEqual(
      told.map(([text]) => text),
      [
        'Deleted “broken.md”.',
        'Undone. Back again: “broken”',
        '2 memories deleted: “tabs”, “broken.md”',
        'Undone. Back again: “tabs”, “broken”',
      ],
    );
  });

  it('deletes what was selected after one question, as one change to undo', async () => {
    const nodes = [
      { kind: 'record', record: (await run.store.create(TABS)).record },
      { kind: 'record', record: (await run.personal.create(QUOTES)).record },
      { kind: 'group', group: 'user', children: [] },
    ];
    const asked = stub('showWarningMessage', () => 'Delete');
    stub('showInformationMessage');
    await run.commands.deleteMemory(nodes[0], nodes);
    assert.equal(asked.length, 1);
    assert.deepEqual((await run.scopes.list()).records, []);
    await run.commands.undoLastChange();
    assert.equal((await run.scopes.list()).records.length, 2);
  });

  it('builds the index when it is missing, and opens it', async () => {
    await writeTree(run.store.folder, {
      'tabs.md': '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n',
    });
    await run.commands.openIndex();
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.fileName, run.store.indexPath);
    assert.match(document.getText(), /tabs\.md/);
  });

  it('asks whose index to open when several hold memories', async () => {
    await run.store.create(TABS);
    await run.personal.create(QUOTES);
    stub('showQuickPick', pick({ label: 'Personal' }));
    await run.commands.openIndex();
    assert.equal(vscode.window.activeTextEditor?.document.fileName, run.personal.indexPath);
  });

  it('says so when there is nothing to index', async () => {
    const told = stub('showInformationMessage');
    await run.commands.openIndex();
    assert.match(String(told[0]?.[0]), /nothing is remembered/);
  });

  it('says what is missing where memories are not used', async () => {
    const told = stub('showInformationMessage');
    const commands = memoryCommands({
      scopes: () => undefined,
      tree: () => undefined,
      notify: () => {},
      notifyExpired: () => {},
      importPlaces: () => ({ folders: [], home: run.path }),
      showReport: async () => {},
      expireAfterDays: () => 0,
    });
    await commands.newMemory();
    assert.deepEqual(told, [
      ['Memories are not used until you trust the workspace.', 'Manage Workspace Trust'],
    ]);
  });

  it('pins and unpins what is selected, and leaves what is so already', async () => {
    const tabs = await run.store.create(TABS);
    const quotes = await run.personal.create({ ...QUOTES, pinned: true });
    const said = stub('setStatusBarMessage');
    const nodes = [tabs, quotes].map(({ record }) => ({ kind: 'record', record }));
    await run.commands.pinMemory(nodes[0], nodes);
    assert.deepEqual(await pins(), { tabs: true, quotes: true });
    assert.equal(said[0]?.[0], 'Pinned “tabs”.');

    stub('showQuickPick', pick({ label: 'quotes' }));
    await run.commands.unpinMemory();
    assert.deepEqual(await pins(), { tabs: true, quotes: false });
  });

  it('says so when there is nothing to choose', async () => {
    await run.store.create(TABS);
    const told = stub('showInformationMessage');
    await run.commands.unpinMemory();
    await run.commands.moveToWorkspace();
    run.keepFolders(0);
    await run.commands.moveToWorkspace();
    assert.deepEqual(
      told.map(([text]) => text),
      [
        'No memory is pinned.',
        'There is no personal memory to move.',
        'No folder is open, so there is no workspace to move a memory to.',
      ],
    );
  });

  it('moves memories to Personal, and back to the folder that is picked', async () => {
    const { record } = await run.store.create(TABS);
    await run.commands.moveToPersonal({ kind: 'record', record });
    assert.deepEqual(await places(), { one: 0, two: 0, personal: 1 });
    assert.deepEqual(
      run.notified.map(({ kind }) => kind),
      ['created', 'removed'],
    );
    stub('showQuickPick', (items) => {
      const all = items as readonly vscode.QuickPickItem[];
      return all.find(({ label }) => label === 'two') ?? all[0];
    });
    await run.commands.moveToWorkspace();
    assert.deepEqual(await places(), { one: 0, two: 1, personal: 0 });
  });

  it('undoes what was done to several memories as one change', async () => {
    stub('setStatusBarMessage');
    stub('showInformationMessage');
    const created = await run.store.createAll([TABS, QUOTES]);
    const nodes = created.map(({ record }) => ({ kind: 'record', record }));
    await run.commands.pinMemory(nodes[0], nodes);
    assert.deepEqual(await pins(), { tabs: true, quotes: true });
    await run.commands.undoLastChange();
    assert.deepEqual(await pins(), { tabs: false, quotes: false });

    const { records } = await run.store.list();
    const rows = records.map((record) => ({ kind: 'record', record }));
    await run.commands.moveToPersonal(rows[0], rows);
    assert.deepEqual(await places(), { one: 0, two: 0, personal: 2 });
    await run.commands.undoLastChange();
    assert.deepEqual(await places(), { one: 2, two: 0, personal: 0 });
  });

  it('does not ask for the folder when there is one', async () => {
    run.keepFolders(1);
    const { record } = await run.personal.create(TABS);
    const asked = stub('showQuickPick');
    await run.commands.moveToWorkspace({ kind: 'record', record });
    assert.deepEqual(asked, []);
    assert.deepEqual(await places(), { one: 1, two: 0, personal: 0 });
  });

  it('undoes the last change by name, and says when there is none', async () => {
    const told = stub('showInformationMessage');
    await run.store.create(TABS);
    await run.commands.undoLastChange();
    await run.commands.undoLastChange();
    assert.deepEqual((await run.scopes.list()).records, []);
    assert.deepEqual(told, [
      ['Undone. Moved to the trash: “tabs”'],
      ['There is no change to undo.'],
    ]);
  });

  it('offers the change before when the last was changed by hand since', async () => {
    const told = stub('showInformationMessage');
    const asked = stub('showWarningMessage', () => 'Undo the Change Before');
    await run.store.create(TABS);
    const { record } = await run.store.create(QUOTES);
    await fs.appendFile(record.path, 'By hand.');
    await run.commands.undoLastChange();
    assert.match(String(asked[0]?.[0]), /not undone: quotes\.md has changed/);
    assert.deepEqual(told, [['Undone. Moved to the trash: “tabs”']]);
    const { records } = await run.scopes.list();
    assert.deepEqual(
      records.map(({ file }) => file),
      ['quotes.md'],
    );
  });

  it('empties the trash of one scope after a question that says what is lost', async () => {
    for (const store of [run.store, run.personal])
      await store.remove((await store.create(TABS)).record, 'deleted');
    stub('showQuickPick', pick({ label: 'Personal' }));
    const asked = stub('showWarningMessage', () => 'Empty Trash');
    stub('showInformationMessage');
    await run.commands.emptyTrash();
    const [question, options] = asked[0] ?? [];
    assert.equal(question, 'Delete the 1 file in the trash of “Personal” for good?');
    const { modal, detail } = options as vscode.MessageOptions;
    assert.equal(modal, true);
    assert.match(String(detail), /no change made so far can be undone/);
    assert.equal((await run.personal.trashed()).length, 0);
    assert.equal((await run.store.trashed()).length, 1);
  });

  it('leaves the trash alone when the person says no, and says when it is empty', async () => {
    const told = stub('showInformationMessage');
    await run.commands.emptyTrash();
    assert.deepEqual(told, [['The trash is empty.']]);
    await run.store.remove((await run.store.create(TABS)).record, 'deleted');
    stub('showWarningMessage');
    await run.commands.emptyTrash();
    assert.equal((await run.store.trashed()).length, 1);
  });

  it('saves a refused memory without its secret', async () => {
    await run.commands.saveRedacted({ ...TABS, body: `Push with ${KEY}`, source: 'person' });
    const [record] = (await run.store.list()).records;
    assert.equal(record?.body, 'Push with [redacted: an Anthropic key]');
    assert.equal(record.source, 'person');
    assert.deepEqual(
      run.notified.map(({ kind }) => kind),
      ['created'],
    );
    await assert.rejects(run.commands.saveRedacted({ name: 'tabs' }));

    const told = stub('showInformationMessage');
    await run.commands.saveRedacted({ ...TABS, name: 'again', body: `Push with ${KEY}` });
    assert.deepEqual(told, [['This is already remembered as “tabs”.']]);
    assert.equal((await run.store.list()).records.length, 1);
  });

  async function pins(): Promise<Record<string, boolean>> {
    const { records } = await run.scopes.list();
    return Object.fromEntries(records.map(({ name, pinned }) => [name, pinned]));
  }

  async function places(): Promise<Record<string, number>> {
    const { store, other, personal } = run;
    const count = async (each: typeof store) => (await each.list()).records.length;
    return { one: await count(store), two: await count(other), personal: await count(personal) };
  }
});

/** What the check of an input box said of a value. */
function detailOf(question: readonly unknown[] = []): string {
  const options = question[1] as vscode.MessageOptions | undefined;
  return options?.detail ?? '';
}

function problem(asked: Asked, value: string): string | undefined {
  const options = asked[0]?.[0] as vscode.InputBoxOptions;
  const said = options.validateInput?.(value) as
    string | vscode.InputBoxValidationMessage | undefined;
  return typeof said === 'object' ? said.message : said;
}
