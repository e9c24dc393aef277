import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import { beforeEach, describe, it } from 'mocha';
import type { Change } from '../../../src/memory/change.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { STAMP, TABS_TEXT, isStale, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree } from '../../support/tempFolder.ts';

describe('MemoryStore takes back', () => {
  const at = useMemoryStore();
  const { temp, write, memories, trash, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  describe('undo', () => {
    it('takes back each kind of change, byte for byte', async () => {
      await write({ 'odd.md': '\uFEFF---\r\ntype:   user # mine\r\n---\r\nBody  \r\n\r\n' });
      await store.refresh();
      const before = await memories();
      const undone = async (change: Change) => {
        await store.undo(change);
        assert.deepEqual(await memories(), before, change.kind);
      };
      await undone(await store.create(TABS));
      await undone(await store.update(await only(), { description: 'New', body: 'New' }));
      await undone(await store.remove(await only(), 'test'));
      const texts = Object.keys(await trash()).filter((file) => !file.endsWith('.json'));
      // What was made, what was written over, and what the undo of that wrote over.
      assert.deepEqual(texts, [`${STAMP}-2-odd.md`, `${STAMP}-odd.md`, `${STAMP}-tabs.md`]);
    });

    it('says so when a change is undone twice', async () => {
      const created = await store.create(TABS);
      const updated = await store.update(created.record, { body: 'New' });
      const removed = await store.remove(updated.record, 'test');
      for (const change of [removed, updated, created]) {
        await store.undo(change);
        const after = await readTree(store.folder);
        await assert.rejects(store.undo(change), /tabs\.md is already undone/);
        assert.deepEqual(await readTree(store.folder), after);
      }
    });

    it('refuses when the file has changed since', async () => {
      const created = await store.create(TABS);
      const updated = await store.update(created.record, { body: 'New' });
      await write({ 'tabs.md': TABS_TEXT.replace('Use', 'I use') });
      const before = await readTree(store.folder);
      await assert.rejects(store.undo(created), isStale(/tabs\.md has changed/));
      await assert.rejects(store.undo(updated), isStale(/tabs\.md has changed/));
      assert.deepEqual(await readTree(store.folder), before);
    });

    it('restores over nothing, keeps the removed file, and can be tried again', async () => {
      const removed = await store.remove((await store.create(TABS)).record, 'test');
      const { record } = await store.create({ ...TABS, body: 'New' });
      const before = await readTree(store.folder);
      await assert.rejects(store.undo(removed), /new tabs\.md by now; .* stays in the trash/);
      assert.deepEqual(await readTree(store.folder), before);
      await store.remove(record, 'test');
      await store.undo(removed);
      assert.equal((await memories())['tabs.md'], TABS_TEXT);
    });

    it('says so when the trash was emptied', async () => {
      const removed = await store.remove((await store.create(TABS)).record, 'test');
      await fs.rm(store.folder, { recursive: true });
      await assert.rejects(store.undo(removed), /no longer in the trash/);
      assert.deepEqual(await fs.readdir(temp.path), []);
    });
  });
});
