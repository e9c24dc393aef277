import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { NewProposal } from '../../src/memory/review/proposals.ts';
import type { MemoryStore } from '../../src/memory/store.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { proposedTabs, proposedUpdate } from '../support/proposals.ts';
import { TABS } from '../support/records.ts';
import { undoLast } from '../support/scopes.ts';
import { pick, useWindowStubs } from '../support/windowStubs.ts';

describe('review commands', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('make a memory of what is accepted, where it was proposed, with a notice', async () => {
    await propose(run.store, proposedTabs());
    const [file] = await propose(run.personal, proposedTabs({ name: 'quotes' }));
    await run.commands.acceptProposal(file);
    assert.deepEqual(await named(run.personal), ['quotes']);
    assert.deepEqual(kinds(), ['created quotes']);
    assert.deepEqual(await waiting(), ['tabs']);
  });

  it('change the memory that the proposal names, and its old text can be brought back', async () => {
    const { record } = await run.store.create(TABS);
    const [file] = await propose(run.store, proposedUpdate(record));
    await run.commands.acceptProposal(file);
    const { records } = await run.store.list();
    assert.equal(records[0]?.body, 'Use tabs of four columns.');
    assert.deepEqual(kinds(), ['updated tabs']);
    assert.deepEqual(await run.scopes.undoAll(run.notified), []);
    assert.equal((await run.store.list()).records[0]?.body, TABS.body);
    assert.deepEqual(await waiting(), []);
  });

  it('accept all that are selected in the view as one change', async () => {
    const rows = [];
    for (const name of ['a', 'b', 'c'])
      for (const file of await propose(run.store, proposedTabs({ name, description: name })))
        rows.push({ proposal: { path: file } });
    await run.commands.acceptProposal(rows[0], rows.slice(0, 2));
    assert.deepEqual(await named(run.store), ['a', 'b']);
    assert.deepEqual(await waiting(), ['c']);
    await undoLast(run.scopes);
    assert.deepEqual(await named(run.store), []);
  });

  it('accept all as one change in all scopes, and name in one sentence what they cannot', async () => {
    const gone = await run.store.create(TABS);
    await propose(run.store, proposedUpdate(gone.record));
    await run.store.remove(gone.record, 'test');
    await propose(run.store, proposedTabs({ name: 'quotes', description: 'Quotes' }));
    await propose(run.personal, proposedTabs({ name: 'own', description: 'Own' }));
    await assert.rejects(run.commands.acceptAllProposals(), /“tabs”: \S/);
    assert.deepEqual(kinds(), ['created quotes', 'created own']);
    assert.deepEqual(await waiting(), ['tabs']);
    await undoLast(run.scopes);
    assert.deepEqual(await named(run.store), []);
    assert.deepEqual(await named(run.personal), []);
  });

  it('ask before they replace a text that was written since, and leave it when the person leaves', async () => {
    const file = await proposeOverAnother();
    const asked = stub('showWarningMessage');
    await run.commands.acceptProposal(file);
    assert.match(String(asked[0]?.[0]), /“tabs” has changed since this was proposed/);
    assert.deepEqual(asked[0]?.slice(2), ['Show Difference', 'Replace']);
    assert.equal((asked[0]?.[1] as vscode.MessageOptions | undefined)?.modal, true);
    assert.equal(await bodyOfTabs(), 'Written since.');
    assert.deepEqual(await waiting(), ['tabs']);
    assert.deepEqual(run.notified, []);
  });

  it('replace a text that was written since when the person says so', async () => {
    const file = await proposeOverAnother();
    stub('showWarningMessage', () => 'Replace');
    await run.commands.acceptProposal(file);
    assert.equal(await bodyOfTabs(), 'Use tabs of four columns.');
    assert.deepEqual(kinds(), ['updated tabs']);
  });

  it('do not replace what is written while they ask', async () => {
    const file = await proposeOverAnother();
    const write = async () => {
      const [record] = (await run.store.list()).records;
      if (record) await run.store.update(record, { body: 'Written meanwhile.' });
      return 'Replace';
    };
    stub('showWarningMessage', write);
    await assert.rejects(run.commands.acceptProposal(file), /has changed since/);
    assert.equal(await bodyOfTabs(), 'Written meanwhile.');
  });

  it('show the difference to a text that was written since', async () => {
    const file = await proposeOverAnother();
    stub('showWarningMessage', () => 'Show Difference');
    await run.commands.acceptProposal(file);
    assert.deepEqual(shownTitle(), 'tabs (Now ↔ Proposed)');
    assert.equal(await bodyOfTabs(), 'Written since.');
  });

  it('show an update against the text as it is, both sides unchangeable, with the front matter to be', async () => {
    const { record } = await run.store.create(TABS);
    const [file] = await propose(run.store, proposedUpdate(record));
    await run.commands.diffProposal(file);
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.equal(activeTab?.label, 'tabs (Now ↔ Proposed)');
    assert.equal(activeTab.isPreview, true);
    assert.ok(activeTab.input instanceof vscode.TabInputTextDiff);
    const { original, modified } = activeTab.input;
    assert.match(await textOf(original), /^---\nname: tabs\n.*\n\nUse tabs\.\n$/s);
    assert.match(
      await textOf(modified),
      /^---\nname: tabs\ndescription: Four columns\n.*updated: .*\n\nUse tabs of four columns\.\n$/s,
    );
    for (const { scheme } of [original, modified])
      assert.equal(vscode.workspace.fs.isWritableFileSystem(scheme), undefined);
  });

  it('show each of several in a tab of its own', async () => {
    const { record } = await run.store.create(TABS);
    await propose(run.store, proposedUpdate(record));
    await propose(run.store, proposedTabs({ name: 'b', description: 'B' }));
    const rows = (await run.store.proposals.list()).map((proposal) => ({ proposal }));
    await run.commands.diffProposal(rows[0], rows);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.deepEqual(
      tabs.map(({ label }) => label),
      ['tabs (Now ↔ Proposed)', 'b (Proposed)'],
    );
  });

  it('show the text of a new memory, and of one whose target is gone', async () => {
    const [file] = await propose(run.store, proposedTabs());
    await run.commands.diffProposal(file);
    assert.equal(shownTitle(), 'tabs (Proposed)');
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /Use tabs, says tabs\./);
    const { record } = await run.store.create({ ...TABS, name: 'other' });
    const [update] = await propose(run.store, proposedUpdate(record));
    await run.store.remove(record, 'test');
    await run.commands.diffProposal(update);
    assert.equal(shownTitle(), 'other (Proposed)');
  });

  it('take the text that is shown for its proposal, and close it when that is settled', async () => {
    const { record } = await run.store.create(TABS);
    await propose(run.store, proposedUpdate(record));
    await propose(run.store, proposedTabs({ name: 'quotes', description: 'Quotes' }));
    stub('showInformationMessage');
    for (const command of ['acceptProposal', 'rejectProposal'] as const) {
      const [proposal] = await run.store.proposals.list();
      await run.commands.diffProposal(proposal?.path);
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      const shown = input instanceof vscode.TabInputTextDiff ? input.modified : textInput(input);
      await run.commands[command](shown, { groupId: 0 });
      assert.equal(shownTitle(), undefined);
    }
    assert.deepEqual(kinds(), ['updated tabs']);
    assert.deepEqual(await waiting(), []);
  });

  it('leave open what shows something else', async () => {
    const files = [];
    for (const name of ['a', 'b'])
      files.push(...(await propose(run.store, proposedTabs({ name, description: name }))));
    await run.commands.diffProposal(files[0]);
    await run.commands.acceptProposal(files[1]);
    assert.equal(shownTitle(), 'a (Proposed)');
  });

  it('reject for good, and take it back when the person says so', async () => {
    const [file] = await propose(run.store, proposedTabs());
    const told = stub('showInformationMessage');
    await run.commands.rejectProposal(file);
    assert.deepEqual(told, [['Rejected, and not proposed again: “tabs”', 'Undo']]);
    assert.deepEqual(await waiting(), []);
    assert.deepEqual(await run.store.proposals.add([proposedTabs()]), []);

    const [other] = await propose(run.store, proposedTabs({ name: 'other', description: 'Other' }));
    const undone = Promise.withResolvers<void>();
    stub('showInformationMessage', () => 'Undo');
    await run.store.proposals.list();
    const unsubscribe = run.store.proposals.onDidChange(() => {
      void waiting().then((names) => names.includes('other') && undone.resolve());
    });
    await run.commands.rejectProposal(other);
    await undone.promise;
    unsubscribe();
    assert.deepEqual(await waiting(), ['other']);
  });

  it('say so when what was given waits no more', async () => {
    const [file] = await propose(run.store, proposedTabs());
    const [proposal] = await run.store.proposals.list();
    assert.ok(proposal);
    await run.store.proposals.remove(proposal);
    for (const command of ['acceptProposal', 'rejectProposal', 'diffProposal'] as const)
      await assert.rejects(run.commands[command](file), /no longer waits/);
  });

  it('let the person choose when nothing was given, and say so when there is nothing', async () => {
    const told = stub('showInformationMessage');
    await run.commands.acceptProposal();
    await run.commands.acceptAllProposals();
    assert.deepEqual(told, [['There is nothing to review.'], ['There is nothing to review.']]);
    await propose(run.store, proposedTabs());
    await propose(run.store, proposedTabs({ name: 'quotes', description: 'Quotes' }));
    stub('showQuickPick', pick({ label: 'quotes', description: 'Quotes', detail: 'one' }));
    await run.commands.acceptProposal();
    assert.deepEqual(kinds(), ['created quotes']);
  });

  /** Of an update to a memory that has another text since. */
  async function proposeOverAnother(): Promise<string> {
    const { record } = await run.store.create(TABS);
    const [file = ''] = await propose(run.store, proposedUpdate(record));
    await run.store.update(record, { body: 'Written since.' });
    return file;
  }

  async function propose(to: MemoryStore, proposal: NewProposal): Promise<readonly string[]> {
    return (await to.proposals.add([proposal])).map(({ path }) => path);
  }

  async function waiting(): Promise<readonly string[]> {
    const lists = await Promise.all(run.scopes.all.map(({ store }) => store.proposals.list()));
    return lists.flat().map(({ fields }) => fields.name);
  }

  function kinds(): readonly string[] {
    return run.notified.map(({ kind, record }) => `${kind} ${record.name}`);
  }

  async function bodyOfTabs(): Promise<string | undefined> {
    return (await run.store.list()).records.find(({ name }) => name === 'tabs')?.body;
  }
});

async function named(store: MemoryStore): Promise<readonly string[]> {
  return (await store.list()).records.map(({ file }) => path.parse(file).name);
}

function textInput(input: unknown): vscode.Uri {
  assert.ok(input instanceof vscode.TabInputText);
  return input.uri;
}

function shownTitle(): string | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label;
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
