import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { useListStub } from '../support/listStubs.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { useProgressStub } from '../support/progressStub.ts';
import { proposedTabs } from '../support/proposals.ts';
import { newRecord, TABS } from '../support/records.ts';
import { writeTree } from '../support/tempFolder.ts';
import { pick, useWindowStubs } from '../support/windowStubs.ts';

/** Some at a time, so that they are done in two parts. */
const COUNT = 60;
const PART = 50;

describe('changing many memories', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();
  const withList = useListStub();
  const progress = useProgressStub();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const names = Array.from({ length: COUNT }, (_, number) => `n${number}`);

  interface Bulk {
    readonly title: string;
    readonly run: (rows: readonly { readonly record: MemoryRecord }[]) => Promise<void>;
    /** Whether it was done to a memory. */
    readonly isDone: (name: string) => Promise<boolean>;
  }

  const present = async () => (await run.store.list()).records;
  const isGone = async (name: string) => !(await present()).some((each) => each.name === name);
  const isThere = async (name: string, fits: (record: MemoryRecord) => boolean) =>
    (await present()).some((each) => each.name === name && fits(each));

  const BULKS: Record<string, Bulk> = {
    'deleting them': {
      title: 'Deleting memories…',
      run: (rows) => run.commands.deleteMemory(rows[0], rows),
      isDone: isGone,
    },
    'changing their type': {
      title: 'Changing the type of memories…',
      run: (rows) => run.commands.changeType(rows[0], rows),
      isDone: (name) => isThere(name, ({ type }) => type === 'project'),
    },
    'moving them': {
      title: 'Moving memories…',
      run: (rows) => run.commands.moveToPersonal(rows[0], rows),
      isDone: isGone,
    },
    'pinning them': {
      title: 'Pinning memories…',
      run: (rows) => run.commands.pinMemory(rows[0], rows),
      isDone: (name) => isThere(name, ({ pinned }) => pinned),
    },
  };

  for (const [what, bulk] of Object.entries(BULKS)) {
    it(`shows how far it has come with ${what}, and takes all of it back as one`, async () => {
      const before = await made();
      await bulk.run(rowsOf(before));
      const messages = [`${PART} of ${COUNT}`, `${COUNT} of ${COUNT}`];
      assert.deepEqual(progress.shown, [{ title: bulk.title, cancellable: true, messages }]);
      for (const name of names) assert.ok(await bulk.isDone(name), name);
      await run.commands.undoLastChange();
      assert.deepEqual(filesOf(await present()), filesOf(before));
      assert.deepEqual((await run.personal.list()).records, []);
    });

    it(`ends with ${what} when the person stops it, and what was done can be undone`, async () => {
      progress.stops = true;
      const before = await made();
      await bulk.run(rowsOf(before));
      let done = 0;
      for (const name of names) if (await bulk.isDone(name)) done += 1;
      assert.equal(done, PART);
      await run.commands.undoLastChange();
      assert.deepEqual(filesOf(await present()), filesOf(before));
      assert.deepEqual((await run.personal.list()).records, []);
    });
  }

  it('does the others when one cannot be changed, and names it', async () => {
    const records = await made();
    const { several } = run.store;
    const remove = several.remove.bind(several);
    const value: typeof remove = async (some, ...rest) => {
      const isEdited = ({ name }: MemoryRecord) => name === 'n0';
      const { done, failures } = await remove(
        some.filter((record) => !isEdited(record)),
        ...rest,
      );
      const error = new Error('n0.md is being edited.');
      const edited = some.filter(isEdited).map((item) => ({ item, error }));
      return { done, failures: [...failures, ...edited] };
    };
    Object.defineProperty(several, 'remove', { value });
    const told = stub('showInformationMessage');
    await assert.rejects(
      BULKS['deleting them']!.run(rowsOf(records)),
      /^Error: n0\.md is being edited\.$/,
    );
    assert.match(String(told[0]?.[0]), /^59 memories deleted: /);
    assert.equal((await present()).length, 1);
  });

  it('tries no more where nothing can be done', async () => {
    const records = await made();
    let tried = 0;
    Object.defineProperty(run.store.several, 'remove', {
      value: () => {
        tried += 1;
        return Promise.reject(new Error('The disk can only be read.'));
      },
    });
    await assert.rejects(
      BULKS['deleting them']!.run(rowsOf(records)),
      /^Error: The disk can only be read\.$/,
    );
    assert.equal(tried, 1);
  });

  it('counts the links that follow a rename, which nobody can stop in the middle', async () => {
    const { record } = await run.store.create(TABS);
    await run.store.createAll(names.map((name) => newRecord(name, 'See [[tabs]].')));
    stub('showInputBox', () => 'width');
    const undone = Promise.withResolvers<unknown>();
    stub('setStatusBarMessage', undone.resolve);
    stub('showInformationMessage', () => 'Undo');
    await run.commands.renameMemory({ kind: 'record', record });
    await undone.promise;
    const [renaming, undoing] = progress.shown;
    assert.deepEqual([renaming?.title, renaming?.cancellable], ['Renaming “tabs”…', false]);
    assert.equal(renaming?.messages.at(-1), `${COUNT} of ${COUNT}`);
    assert.deepEqual([undoing?.title, undoing?.cancellable], ['Undoing…', false]);
    assert.equal(undoing?.messages.at(-1), `${COUNT + 1} of ${COUNT + 1}`);
  });

  it('imports all or none: none when the person stops it', async () => {
    run.keepFolders(1);
    const sections = names.map((name) => `## ${name}\n\nAbout ${name}.\n`);
    await writeTree(run.path, { 'one/CLAUDE.md': `# Guide\n\n${sections.join('\n')}` });
    for (const stops of [true, false]) {
      progress.stops = stops;
      stub('showQuickPick', (items) => (items as readonly unknown[])[1]);
      withList((list) => list.accept());
      await run.commands.importMemories();
      assert.equal((await present()).length, stops ? 0 : COUNT);
    }
    assert.equal(run.notified.length, COUNT);
    assert.deepEqual(
      progress.shown.map(({ title }) => title),
      ['Importing memories…', 'Importing memories…'],
    );
  });

  for (const [what, title, work] of [
    ['accepting', 'Accepting proposed memories…', () => run.commands.acceptAllProposals()],
    ['rejecting', 'Rejecting proposed memories…', rejectAll],
  ] as const) {
    it(`goes on with ${what} what was proposed until the person stops it`, async () => {
      const proposed = names.slice(0, 5).map((name) => {
        return proposedTabs({ name, description: `Of ${name}`, body: `Only about ${name}.` });
      });
      assert.equal((await run.store.proposals.add(proposed)).length, 5);
      progress.stops = true;
      stub('showInformationMessage');
      await work();
      const waiting = (await run.store.proposals.list()).length;
      assert.ok(waiting > 0 && waiting < 5, `${waiting} wait`);
      progress.stops = false;
      await work();
      assert.deepEqual(await run.store.proposals.list(), []);
      assert.equal(progress.shown[0]?.title, title);
      assert.equal(progress.shown[1]?.messages.at(-1), `${waiting} of ${waiting}`);
    });
  }

  async function rejectAll(): Promise<void> {
    const rows = (await run.store.proposals.list()).map((proposal) => ({ proposal }));
    await run.commands.rejectProposal(rows[0], rows);
  }

  async function made(): Promise<readonly MemoryRecord[]> {
    await run.store.createAll(names.map((name) => newRecord(name)));
    stub('showWarningMessage', () => 'Delete');
    stub('showQuickPick', pick({ type: 'project' }));
    stub('showInformationMessage');
    stub('setStatusBarMessage');
    return present();
  }
});

describe('changing a few memories', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();

  it('shows no progress, which would come and go at once', async () => {
    const shown = stub('withProgress');
    const created = await run.store.createAll(['a', 'b'].map((name) => newRecord(name)));
    stub('showWarningMessage', () => 'Delete');
    stub('showInformationMessage');
    const rows = rowsOf(created.map(({ record }) => record));
    await run.commands.deleteMemory(rows[0], rows);
    assert.deepEqual((await run.store.list()).records, []);
    assert.deepEqual(shown, []);
  });
});

function rowsOf(records: readonly MemoryRecord[]) {
  return records.map((record) => ({ kind: 'record', record }));
}

/** Without their times. */
function filesOf(records: readonly MemoryRecord[]) {
  return records.map(({ file, hash }) => [file, hash]);
}
