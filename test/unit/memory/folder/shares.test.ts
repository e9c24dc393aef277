import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { MemoryStore } from '../../../../src/memory/store.ts';
import { TABS_TEXT, useMemoryStore } from '../../../support/memoryFolder.ts';
import { TABS } from '../../../support/records.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('Shares', () => {
  const at = useMemoryStore();
  let store: MemoryStore;

  beforeEach(async () => {
    store = at.store;
    await store.create(TABS);
    await store.create({ ...TABS, name: 'width' });
  });

  const rules = () => fs.readFile(path.join(store.folder, '.gitignore'), 'utf8');
  const undoLast = async () => store.undoGroup((await at.newStore().lastGroup())!);

  it('are taken back as one change, also in another window', async () => {
    const before = await rules();
    for (const file of ['tabs.md', 'width.md']) await store.shares.share(file, 'both');
    assert.match(await rules(), /!\/tabs\.md\n!\/width\.md\n$/);
    assert.equal((await store.lastGroup())?.steps.length, 2);
    await undoLast();
    assert.equal(await rules(), before);
  });

  it('are back when keeping private is undone', async () => {
    await store.shares.share('tabs.md', 'share');
    const shared = await rules();
    await store.shares.keepPrivate('tabs.md', 'hide');
    await undoLast();
    assert.equal(await rules(), shared);
  });

  it('are no change where git takes the file already', async () => {
    await store.shares.share('tabs.md', 'one');
    await store.shares.share('tabs.md', 'two');
    assert.equal((await store.lastGroup())?.id, 'one');
  });

  it('are not said to be taken back of a memory that has another name by now', async () => {
    await store.shares.share('tabs.md', 'share');
    const [record] = (await store.list()).records;
    await store.rename(record!, 'indents');
    const shared = await rules();
    const change = (await store.changeGroup('share'))!;
    await assert.rejects(store.undoGroup(change), /tabs\.md is gone by now/);
    assert.equal(await rules(), shared);
    // In the order against that of the changes both are.
    await undoLast();
    await store.undoGroup(change);
    assert.doesNotMatch(await rules(), /!/);
  });

  it('do not come back for a text that is gone, or that holds a secret by now', async () => {
    await store.shares.share('tabs.md', 'share');
    await store.shares.keepPrivate('tabs.md', 'hide');
    const hidden = await rules();
    await at.write({ 'tabs.md': `${TABS_TEXT}${TOKEN}\n` });
    await assert.rejects(undoLast(), /tabs\.md holds a GitHub token by now, so it is not shared/);
    await fs.rm(path.join(store.folder, 'tabs.md'));
    await assert.rejects(undoLast(), /tabs\.md is gone by now/);
    assert.equal(await rules(), hidden);
  });
});
