import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { relativeTime } from '../../src/vscode/text/relativeTime.ts';
import { useListStub, type ShownList } from '../support/listStubs.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { TABS } from '../support/records.ts';
import { writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

describe('restoring a memory', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();
  const withList = useListStub();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('lists what was deleted and earlier versions, with reason, time and scope', async () => {
    const mine = await run.personal.create({ ...TABS, name: 'mine' });
    await run.personal.remove(mine.record, 'consolidation: It is said elsewhere.');
    const { record } = await run.store.create(TABS);
    await run.store.update(record, { body: 'Always tabs.' });
    await writeTree(run.store.folder, { 'broken.md': 'no front matter' });
    await run.store.damaged.remove((await run.store.list()).damaged[0]!, 'deleted');
    let shown: ShownList | undefined;
    withList((list) => {
      shown = list;
      list.leave();
    });
    await run.commands.restoreMemory();
    const rows = (label: string) =>
      shown?.under(label).map(({ label, description, detail, iconPath }) => {
        const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : '';
        return `${icon} ${label}: ${description}: ${detail}`;
      });
    assert.deepEqual(rows('Deleted'), [
      'warning broken.md: deleted · just now · one: It cannot be read as a memory.',
      'account mine: consolidated: It is said elsewhere · just now · Personal: Prefers tabs',
    ]);
    assert.deepEqual(rows('Earlier versions'), [
      'account tabs: updated · just now · one: Prefers tabs',
    ]);
    assert.deepEqual(run.notified, []);
  });

  it('brings a deleted one back, and offers to undo', async () => {
    await run.store.remove((await run.store.create(TABS)).record, 'deleted');
    withList((list) => {
      list.select(...list.under('Deleted'));
      list.accept();
    });
    await run.commands.restoreMemory();
    const [record] = (await run.store.list()).records;
    assert.equal(record?.name, 'tabs');
    assert.deepEqual(
      run.notified.map(({ kind }) => kind),
      ['restored'],
    );
  });

  it('brings a damaged file back as it was', async () => {
    await writeTree(run.store.folder, { 'broken.md': 'no front matter' });
    await run.store.damaged.remove((await run.store.list()).damaged[0]!, 'deleted');
    const told = stub('showInformationMessage');
    withList((list) => {
      list.select(...list.under('Deleted'));
      list.accept();
    });
    await run.commands.restoreMemory();
    assert.equal((await run.store.list()).damaged[0]?.file, 'broken.md');
    assert.deepEqual(told, [['broken.md is back, as damaged as it was.', 'Open', 'Undo']]);
  });

  it('compares an earlier version with the text of now, and puts it in its place', async () => {
    const { record } = await run.store.create(TABS);
    await run.store.update(record, { body: 'Always tabs.' });
    withList(async (list) => {
      const [item] = list.under('Earlier versions');
      list.press(item);
      await untilTab('tabs.md: earlier ↔ now');
      list.select(...(item ? [item] : []));
      list.accept();
    });
    await run.commands.restoreMemory();
    assert.equal((await run.store.list()).records[0]?.body, 'Use tabs.');
    assert.deepEqual(
      run.notified.map(({ kind }) => kind),
      ['updated'],
    );
  });

  it('says why a text cannot be shown, and closes the list', async () => {
    await run.store.remove((await run.store.create(TABS)).record, 'deleted');
    let isOpen = true;
    withList(async (list) => {
      await run.store.emptyTrash();
      list.onDidHide(() => (isOpen = false));
      list.press(list.under('Deleted')[0]);
    });
    await assert.rejects(run.commands.restoreMemory(), /tabs\.md/);
    assert.equal(isOpen, false);
  });

  it('says so when there is nothing to restore', async () => {
    const told = stub('showInformationMessage');
    await run.commands.restoreMemory();
    assert.deepEqual(told, [['The trash is empty.']]);
  });

  it('tells how long ago in words', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const ago = (ms: number) => relativeTime(now - ms, now);
    const hour = 60 * 60 * 1000;
    assert.deepEqual([20_000, 120_000, 3 * hour, 30 * hour, 50 * 24 * hour].map(ago), [
      'just now',
      '2 minutes ago',
      '3 hours ago',
      'yesterday',
      'last month',
    ]);
  });
});

async function untilTab(label: string): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const look = () => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    if (tabs.some((tab) => tab.label === label)) reached.resolve();
  };
  const listener = vscode.window.tabGroups.onDidChangeTabs(look);
  look();
  await reached.promise;
  listener.dispose();
}
