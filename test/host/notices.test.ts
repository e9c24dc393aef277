import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { together } from '../../src/agent/learning/learned.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Change } from '../../src/memory/change.ts';
import type { NewRecord } from '../../src/memory/record.ts';
import type { MemoryScopes } from '../../src/memory/scopes.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import {
  changesNotice,
  happenedNotice,
  type Happened,
  type Notice,
} from '../../src/vscode/notices/notices.ts';
import { useListStub } from '../support/listStubs.ts';
import { proposedTabs, proposedUpdate } from '../support/proposals.ts';
import { TABS } from '../support/records.ts';
import { scopesOf } from '../support/scopes.ts';
import { readTree, useTempFolder, writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const QUOTES: NewRecord = {
  name: 'quotes',
  description: 'Single quotes',
  type: 'user',
  body: 'Use single quotes.',
};

describe('notices', () => {
  const temp = useTempFolder();
  const stub = useWindowStubs();
  const showList = useListStub();
  let store: MemoryStore;
  let personal: MemoryStore;
  let scopes: MemoryScopes;

  beforeEach(() => {
    store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
    personal = new MemoryStore({ folder: path.join(temp.path, 'personal'), log: silentLog });
    scopes = scopesOf(store, personal);
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('shows nothing when nothing changed', async () => {
    const told = stub('showInformationMessage');
    await notify();
    assert.deepEqual(told, []);
  });

  it('tells what was remembered', async () => {
    const told = stub('showInformationMessage');
    await notify(await store.create(TABS));
    assert.deepEqual(told, [
      ['Remembered “tabs”: Prefers tabs', 'Open', 'Show in Memories View', 'Undo'],
    ]);
  });

  it('tells where it was remembered when that is not the one folder that is open', async () => {
    const told = stub('showInformationMessage');
    await notify(await personal.create(TABS));
    scopes.setWorkspace([]);
    await notify(await personal.create(QUOTES));
    assert.deepEqual(texts(told), [
      'Remembered “tabs” in Personal: Prefers tabs',
      'Remembered “quotes”: Single quotes',
    ]);
  });

  it('tells each kind of change', async () => {
    const told = stub('showInformationMessage');
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { description: 'Tabs it is' });
    const renamed = await store.rename(updated.record, 'indentation');
    const removed = await store.remove(renamed.record, 'test');
    const trashed = (await store.trashed()).find(({ kind }) => kind === 'removed');
    assert.ok(trashed);
    const restored = await store.restore(trashed);
    for (const change of [updated, renamed, removed, restored]) await notify(change);
    assert.deepEqual(told, [
      ['Updated memory “tabs”: Tabs it is', 'Show in Memories View', 'Undo', 'Review'],
      ['Renamed “tabs” to “indentation”.', 'Open', 'Show in Memories View', 'Undo'],
      ['Deleted “indentation”.', 'Undo'],
      ['Restored “indentation”: Tabs it is', 'Open', 'Show in Memories View', 'Undo'],
    ]);
  });

  it('tells several by name, files of one name in two scopes too', async () => {
    const told = stub('showInformationMessage');
    const both = [await store.create(TABS), await personal.create(TABS)];
    await notify(...both, await store.create(QUOTES));
    const removed = [];
    for (const { record } of both) removed.push(await scopes.remove(record, 'test'));
    await notify(...removed);
    assert.deepEqual(texts(told), [
      '3 memories saved: tabs, tabs, quotes',
      '2 memories deleted: tabs, tabs',
    ]);
  });

  it('shows a memory saved and then updated in one turn as saved', async () => {
    const told = stub('showInformationMessage');
    const created = await store.create(TABS);
    await notify(created, await store.update(created.record, { description: 'Tabs it is' }));
    assert.deepEqual(texts(told), ['Remembered “tabs”: Tabs it is']);
  });

  it('tells of a move as one, with Open and Undo', async () => {
    const told = stub('showInformationMessage', () => 'Open');
    const { record } = await store.create(TABS);
    await notify(...(await scopes.move(record, scopes.personal)));
    assert.deepEqual(told, [
      ['Moved “tabs” to Personal.', 'Open', 'Show in Memories View', 'Undo'],
    ]);
    const opened = vscode.window.activeTextEditor?.document.fileName;
    assert.equal(opened, path.join(personal.folder, 'tabs.md'));
  });

  it('tells of several moves where they went', async () => {
    const told = stub('showInformationMessage');
    const moves = [];
    for (const each of [TABS, QUOTES]) {
      const { record } = await personal.create(each);
      const [work] = scopes.workspace;
      assert.ok(work);
      moves.push(...(await scopes.move(record, work)));
    }
    await notify(...moves);
    assert.deepEqual(texts(told), ['2 memories moved to work: tabs, quotes']);
  });

  it('undoes a move', async () => {
    const { record } = await store.create(TABS);
    const moved = await scopes.move(record, scopes.personal);
    stub('showInformationMessage', () => 'Undo');
    const said = stub('setStatusBarMessage');
    await notify(...moved);
    assert.equal(said[0]?.[0], 'Undone.');
    assert.deepEqual(await names(), { workspace: ['tabs'], personal: [] });
  });

  it('says of what was undone before that it was, and changes nothing', async () => {
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { body: 'Always tabs.' });
    stub('showInformationMessage', () => 'Undo');
    const said = stub('setStatusBarMessage');
    await notify(updated);
    await store.update(created.record, { body: 'Always tabs.' });
    const told = stub('showInformationMessage', () => 'Undo');
    await notify(updated);
    assert.deepEqual(told.at(-1), ['It is already undone.']);
    assert.equal((await store.list()).records[0]?.body, 'Always tabs.');
    // Where something is left to undo, that is done.
    await notify(created, updated);
    await notify(await store.create(QUOTES), updated);
    assert.deepEqual(
      said.map(([text]) => text),
      ['Undone.', 'Undone.'],
    );
  });

  it('undoes no half of a move whose folder is not open any more', async () => {
    const { record } = await personal.create(TABS);
    const [work] = scopes.workspace;
    assert.ok(work);
    const moved = await scopes.move(record, work);
    const quotes = await personal.create(QUOTES);
    scopes.setWorkspace([]);
    stub('showInformationMessage', () => 'Undo');
    const failed = stub('showErrorMessage');
    await notify(...moved, quotes);
    assert.match(
      String(failed[0]?.[0]),
      /^Not undone, and left as it is: “tabs”: tabs\.md belongs to a folder that is no longer open\. Open/,
    );
    assert.deepEqual(await names(), { workspace: ['tabs'], personal: [] });
  });

  it('leaves a moved memory where it is when it cannot come back', async () => {
    const { record } = await store.create(TABS);
    const moved = await scopes.move(record, scopes.personal);
    await store.emptyTrash();
    stub('showInformationMessage', () => 'Undo');
    const failed = stub('showErrorMessage');
    await notify(...moved);
    assert.match(String(failed[0]?.[0]), /“tabs”: \S/);
    assert.deepEqual(await names(), { workspace: [], personal: ['tabs'] });
  });

  it('undoes all changes, the newest first, and says so', async () => {
    const before = await store.create(QUOTES);
    const tree = await readTree(store.folder);
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { body: 'Always tabs.' });
    const removed = await store.remove(before.record, 'test');
    stub('showInformationMessage', () => 'Undo');
    const said = stub('setStatusBarMessage');
    await notify(created, updated, removed);
    assert.deepEqual(withoutTrash(await readTree(store.folder)), withoutTrash(tree));
    assert.equal(said[0]?.[0], 'Undone.');
  });

  it('says why when a change cannot be undone, and undoes the others', async () => {
    const changes = [await store.create(TABS), await store.create(QUOTES)];
    const text = '---\nname: tabs\ndescription: By hand\ntype: user\n---\n\nEdited by hand.\n';
    await writeTree(store.folder, { 'tabs.md': text });
    stub('showInformationMessage', () => 'Undo');
    const failed = stub('showErrorMessage');
    await notify(...changes);
    assert.match(String(failed[0]?.[0]), /“tabs”: \S/);
    const left = await readTree(store.folder);
    assert.equal(left['tabs.md'], text);
    assert.equal(left['quotes.md'], undefined);
  });

  it('says of what has expired that nobody deleted it', async () => {
    const told = stub('showInformationMessage');
    const gone = [];
    for (const each of [TABS, QUOTES])
      gone.push(await store.remove((await store.create(each)).record, 'expired'));
    for (const some of [gone.slice(0, 1), gone])
      await changesNotice({ scopes, log: silentLog }, some, 'expired')?.show();
    assert.deepEqual(told, [
      ['The memory “tabs” has expired and moved to the trash.', 'Undo'],
      ['2 memories have expired and moved to the trash: tabs, quotes', 'Undo'],
    ]);
  });

  it('says of what was consolidated what remains of it and what went', async () => {
    const told = stub('showInformationMessage');
    const { record } = await store.create(TABS);
    const updated = await store.update(record, { description: 'Tabs, also in YAML' });
    const removed = await store.remove((await store.create(QUOTES)).record, 'merged');
    for (const some of [[updated], [removed], [updated, removed]])
      await changesNotice({ scopes, log: silentLog }, some, 'consolidated')?.show();
    await learned({ saved: [updated], consolidated: [removed] });
    assert.deepEqual(texts(told), [
      'Consolidated: tabs',
      'Consolidated. Moved to the trash: quotes.',
      'Consolidated: tabs. Moved to the trash: quotes.',
      'Updated memory “tabs”: Tabs, also in YAML. Consolidated. Moved to the trash: quotes.',
    ]);
  });

  it('opens what was saved', async () => {
    const saved = await store.create(TABS);
    stub('showInformationMessage', () => 'Open');
    await notify(saved);
    assert.equal(vscode.window.activeTextEditor?.document.fileName, saved.record.path);
  });

  it('shows no link that stands in a memory', async () => {
    const told = stub('showInformationMessage');
    const description = 'See [this](command:workbench.action.closeWindow)';
    await notify(await store.create({ ...TABS, description }));
    assert.doesNotMatch(String(told[0]?.[0]), /\]\(/);
  });

  it('tells in one notice all that a turn taught', async () => {
    const told = stub('showInformationMessage');
    const created = await store.create(TABS);
    const proposed = await store.proposals.add([
      proposedTabs({ name: 'release', description: 'On Friday' }),
      proposedTabs({ name: 'days', description: 'Five' }),
    ]);
    const kinds = ['an Anthropic key', 'an Anthropic key', 'a password'];
    await learned({ saved: [created] });
    await learned({ proposed: proposed.slice(0, 1) });
    await learned({ proposed });
    await learned({ refusedSecrets: kinds.slice(0, 1) });
    await learned({ saved: [created], proposed: proposed.slice(0, 1), refusedSecrets: kinds });
    await learned({ unsaved: [{ words: `Remember that ${'x '.repeat(90)}`, because: 'other' }] });
    await learned({ saved: [created], unsaved: [{ words: 'Frozen now', because: 'temporary' }] });
    await learned({});
    assert.deepEqual(told, [
      ['Remembered “tabs”: Prefers tabs', 'Open', 'Show in Memories View', 'Undo'],
      ['Proposed “release” for review: On Friday', 'Review'],
      ['2 memories proposed for review: release, days', 'Review'],
      ['Not saved, since secrets stay out of memories: a text with an Anthropic key.'],
      [
        'Remembered “tabs”: Prefers tabs. 1 proposed for review. Not saved, since secrets stay out of memories: a text with an Anthropic key, a password.',
        'Open',
        'Undo',
        'Review',
      ],
      [
        `Not remembered: “Remember that ${'x '.repeat(52)}x…”. Write it behind /remember to save it as it is.`,
      ],
      [
        'Remembered “tabs”: Prefers tabs. Not remembered, since it holds for a while only: “Frozen now”. Say until which date, or write it behind /remember.',
        'Open',
        'Show in Memories View',
        'Undo',
      ],
    ]);
  });

  it('tells of what has expired behind what was learned', async () => {
    const told = stub('showInformationMessage');
    const created = await store.create(TABS);
    const gone = await store.remove((await store.create(QUOTES)).record, 'expired');
    await learned({ saved: [created], expired: [gone] });
    assert.deepEqual(told, [
      [
        'Remembered “tabs”: Prefers tabs. The memory “quotes” has expired and moved to the trash.',
        'Undo',
        'Review',
      ],
    ]);
  });

  it('says later what was settled since, and offers only what can still be done', async () => {
    const told = stub('showInformationMessage');
    const saved = [await store.create(TABS), await store.create(QUOTES)];
    const proposed = await store.proposals.add([proposedTabs({ name: 'release' })]);
    const notice = noticeOf({ saved, proposed });
    const text = '2 memories saved: tabs, quotes. 1 proposed for review.';

    await notice?.showAgain();
    await store.remove(saved[0]?.record ?? assert.fail(), 'test');
    await notice?.showAgain();
    await store.proposals.reject(proposed[0] ?? assert.fail());
    await notice?.showAgain();
    await store.update(saved[1]?.record ?? assert.fail(), { body: 'Always.' });
    await notice?.showAgain();
    assert.deepEqual(told, [
      [text, 'Undo', 'Review'],
      [`Partly changed or settled since: ${text}`, 'Open', 'Undo', 'Review'],
      [`Partly changed or settled since: ${text}`, 'Open', 'Show in Memories View', 'Undo'],
      [`Changed or settled since: ${text}`],
    ]);
  });

  it('undoes later only what nobody has changed since', async () => {
    const saved = [await store.create(TABS), await store.create(QUOTES)];
    const notice = noticeOf({ saved });
    await store.update(saved[1]?.record ?? assert.fail(), { body: 'Always.' });
    stub('showInformationMessage', () => 'Undo');
    const said = stub('setStatusBarMessage');
    await notice?.showAgain();
    assert.deepEqual(said[0]?.[0], 'Undone.');
    assert.deepEqual((await names()).workspace, ['quotes']);
  });

  it('shows a memory in the sidebar', async () => {
    const { record } = await store.create(TABS);
    stub('showInformationMessage', () => 'Show in Memories View');
    const shown: unknown[][] = [];
    const { executeCommand } = vscode.commands;
    const value = async (...call: unknown[]) => void shown.push(call);
    Object.defineProperty(vscode.commands, 'executeCommand', { configurable: true, value });
    try {
      await learned({ saved: [await store.update(record, { pinned: true })] });
    } finally {
      const configurable = true;
      Object.defineProperty(vscode.commands, 'executeCommand', {
        configurable,
        value: executeCommand,
      });
    }
    assert.deepEqual(shown, [['memoryAgent.showInSidebar', record.path]]);
  });

  it('tells of a proposed change that it changes something', async () => {
    const told = stub('showInformationMessage');
    const { record } = await store.create(TABS);
    await learned({ proposed: await store.proposals.add([proposedUpdate(record)]) });
    assert.deepEqual(texts(told), ['Proposed a change to “tabs”: Four columns']);
  });

  it('undoes what was saved and consolidated, and leaves what is proposed', async () => {
    const quotes = await store.create(QUOTES);
    const saved = await store.create(TABS);
    const proposed = await store.proposals.add([proposedTabs({ name: 'release' })]);
    const removed = await store.remove(quotes.record, 'test');
    stub('showInformationMessage', () => 'Undo');
    stub('setStatusBarMessage');
    await learned({ saved: [saved], consolidated: [removed], proposed });
    assert.deepEqual((await names()).workspace, ['quotes']);
    assert.equal((await store.proposals.list()).length, 1);
  });

  it('shows what was updated against its text before', async () => {
    const { record } = await store.create(TABS);
    const first = await store.update(record, { body: 'First.' });
    const second = await store.update(first.record, { body: 'Second.' });
    stub('showInformationMessage', () => 'Review');
    await learned({ saved: [first, second] });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.equal(activeTab?.label, 'tabs (Before ↔ Now)');
    assert.ok(activeTab.input instanceof vscode.TabInputTextDiff);
    const { original, modified } = activeTab.input;
    const before = await vscode.workspace.openTextDocument(original);
    assert.match(before.getText(), /\n\nUse tabs\.\n$/);
    assert.equal(modified.fsPath, second.record.path);
  });

  it('says so when the text before is no longer there', async () => {
    const { record } = await store.create(TABS);
    const updated = await store.update(record, { body: 'Another text.' });
    await store.emptyTrash();
    stub('showInformationMessage', () => 'Review');
    const failed = stub('showErrorMessage');
    await learned({ saved: [updated] });
    assert.match(String(failed[0]?.[0]), /no longer in the trash/);
  });

  it('lists several changes, shows each, and undoes one by itself', async () => {
    const old = await store.create({ ...QUOTES, name: 'old' });
    const { record } = await store.create(QUOTES);
    const changes = [
      await store.create(TABS),
      await store.update(record, { body: 'Always.' }),
      await store.remove(old.record, 'test'),
    ];
    const proposed = await store.proposals.add([proposedTabs({ name: 'release' })]);
    stub('showInformationMessage', () => 'Review');
    stub('setStatusBarMessage');
    const shown: (string | undefined)[] = [];
    showList(async (list) => {
      assert.deepEqual(
        list.items.map(({ label, description }) => `${label}, ${description}`),
        [
          'tabs, new',
          'quotes, updated',
          'old, deleted',
          '1 proposed memory, waiting for your review',
        ],
      );
      for (const item of list.items.slice(0, 3)) {
        const isShown = nextTab();
        list.select(item);
        list.accept();
        shown.push(await isShown);
      }
      const isUndone = Promise.withResolvers<void>();
      const unsubscribe = store.onDidChange(isUndone.resolve);
      list.press(list.items[1]);
      await isUndone.promise;
      unsubscribe();
      while (list.items.length > 3) await new Promise(setImmediate);
      list.leave();
    });
    await learned({ saved: changes, proposed });
    assert.deepEqual(shown, ['tabs.md', 'quotes (Before ↔ Now)', 'old (Deleted)']);
    const { records } = await store.list();
    assert.deepEqual(
      records.map(({ name, body }) => `${name}: ${body}`),
      ['quotes: Use single quotes.', 'tabs: Use tabs.'],
    );
  });

  it('stays with the list on Enter while nothing in it is chosen', async () => {
    const saved = [await store.create(TABS), await store.create(QUOTES)];
    stub('showInformationMessage', () => 'Review');
    const seen: string[] = [];
    showList((list) => {
      list.onDidHide(() => seen.push('hidden'));
      list.accept();
      seen.push('accepted');
      list.leave();
    });
    await learned({ saved });
    assert.deepEqual(seen, ['accepted', 'hidden']);
  });

  it('leads to the review from what was proposed, also behind several changes', async () => {
    const focused: string[] = [];
    const { executeCommand } = vscode.commands;
    Object.defineProperty(vscode.commands, 'executeCommand', {
      configurable: true,
      value: (command: string, ...args: unknown[]) =>
        command.endsWith('.focus') ? focused.push(command) : executeCommand(command, ...args),
    });
    try {
      const proposed = await store.proposals.add([proposedTabs({ name: 'release' })]);
      const saved = [await store.create(TABS), await store.create(QUOTES)];
      stub('showInformationMessage', () => 'Review');
      await learned({ proposed });
      await learned({ saved: saved.slice(0, 1), proposed });
      showList((list) => {
        list.select(...list.items.slice(-1));
        list.accept();
      });
      await learned({ saved, proposed });
    } finally {
      Object.defineProperty(vscode.commands, 'executeCommand', {
        configurable: true,
        value: executeCommand,
      });
    }
    assert.deepEqual(focused, Array(3).fill('memoryAgent.review.focus'));
  });

  function noticeOf(some: Partial<Happened>): Notice | undefined {
    return happenedNotice(
      { scopes, log: silentLog },
      { expired: [], ...together([some]), ...some },
    );
  }

  async function learned(some: Partial<Happened>): Promise<void> {
    await noticeOf(some)?.show();
  }

  async function notify(...changes: readonly Change[]): Promise<void> {
    await changesNotice({ scopes, log: silentLog }, changes)?.show();
  }

  async function names() {
    const of = async (of: MemoryStore) => (await of.list()).records.map(({ name }) => name);
    return { workspace: await of(store), personal: await of(personal) };
  }
});

/** The name of the tab that is opened next. */
function nextTab(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      const active = [...opened, ...changed].find(({ isActive }) => isActive);
      if (!active) return;
      listener.dispose();
      resolve(active.label);
    });
  });
}

function texts(told: readonly unknown[][]): readonly unknown[] {
  return told.map(([text]) => text);
}

function withoutTrash(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith('.trash/')));
}
