import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { MemoryStore } from '../../../src/memory/store.ts';
import {
  EMPTY_INDEX,
  STAMP,
  TABS_INDEX,
  TABS_TEXT,
  useMemoryStore,
} from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

describe('MemoryStore keeps the index', () => {
  const at = useMemoryStore();
  const { temp, warnings, write, memories, trash } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  describe('the index', () => {
    it('is written only when it differs', async () => {
      await store.create(TABS);
      const before = await fs.stat(store.indexPath);
      await store.refresh();
      await store.rebuildIndex();
      const after = await fs.stat(store.indexPath);
      assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
    });

    it('follows changes from outside on refresh', async () => {
      await store.create(TABS);
      await fs.rm(path.join(store.folder, 'tabs.md'));
      await store.refresh();
      assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
    });

    it('is made on demand, also in an empty workspace', async () => {
      await store.rebuildIndex();
      assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
    });

    it('is not written into an empty folder unasked', async () => {
      await fs.mkdir(store.folder);
      await store.refresh();
      assert.deepEqual(await memories(), {});
    });

    it('keeps in the trash what a person wrote under its name', async () => {
      await write({ 'MEMORY.md': 'My own words.\n' });
      await store.create(TABS);
      assert.equal((await memories())['MEMORY.md'], TABS_INDEX);
      assert.equal((await trash())[`${STAMP}-MEMORY.md`], 'My own words.\n');
    });

    it('keeps in the trash what a person wrote between its lines', async () => {
      await store.create(TABS);
      const edited = `${TABS_INDEX}\n## My notes\n`;
      await write({ 'MEMORY.md': edited });
      await store.refresh();
      assert.equal((await memories())['MEMORY.md'], TABS_INDEX);
      assert.equal((await trash())[`${STAMP}-MEMORY.md`], edited);
    });

    it('keeps nothing of an older index of its own', async () => {
      await write({ 'MEMORY.md': `${TABS_INDEX}- [gone](gone.md) — Gone [project]\n` });
      await store.create(TABS);
      assert.equal((await memories())['MEMORY.md'], TABS_INDEX);
      assert.deepEqual(await trash(), {});
    });

    it('fails without the change: a link is not followed, a folder not replaced', async () => {
      await writeTree(temp.path, { 'outside.md': 'mine' });
      await fs.mkdir(store.folder);
      await fs.symlink('../outside.md', store.indexPath);
      const { record } = await store.create(TABS);
      assert.deepEqual(await memories(), {
        'MEMORY.md': 'link to ../outside.md',
        'tabs.md': TABS_TEXT,
      });
      assert.equal((await readTree(temp.path))['outside.md'], 'mine');
      await fs.rm(store.indexPath);
      await write({ 'MEMORY.md/x': 'mine' });
      await store.remove(record, 'test');
      assert.deepEqual(await memories(), { 'MEMORY.md/x': 'mine' });
      assert.deepEqual(
        warnings.map((warning) => /MEMORY\.md is a (link|folder)/.exec(warning)?.[1]),
        ['link', 'folder'],
      );
    });
  });

  describe('onDidChange', () => {
    it('tells after each change, when index and list are right, until unsubscribed', async () => {
      const seen: Promise<string>[] = [];
      const end = store.onDidChange(() => seen.push(fs.readFile(store.indexPath, 'utf8')));
      const { record } = await store.create(TABS);
      const { record: updated } = await store.update(record, { type: 'project' });
      const removed = await store.remove(updated, 'test');
      await store.undo(removed);
      await store.refresh();
      end();
      await store.remove(updated, 'test');
      assert.deepEqual(
        (await Promise.all(seen)).map((text) => /\[(user|project)\]$/m.exec(text)?.[1] ?? 'none'),
        ['user', 'project', 'none', 'project', 'project'],
      );
    });

    it('does not tell of a change that failed, and survives a listener that throws', async () => {
      let told = 0;
      store.onDidChange(() => {
        throw new Error('from a listener');
      });
      store.onDidChange(() => told++);
      await assert.rejects(store.create({ ...TABS, body: '' }));
      assert.equal(told, 0);
      await store.create(TABS);
      assert.equal(told, 1);
    });
  });
});
