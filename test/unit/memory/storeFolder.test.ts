import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { parseRecord } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

describe('MemoryStore in a folder', () => {
  const at = useMemoryStore();
  const { temp, warnings, memories } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  describe('a folder that is a link', () => {
    beforeEach(async () => {
      await writeTree(temp.path, { 'src/notes.md': 'mine', 'src/good.md': TABS_TEXT });
      await fs.symlink('src', store.folder);
    });

    it('is neither read nor written, and is warned of once', async () => {
      const before = await readTree(temp.path);
      const { records, damaged } = await store.list();
      assert.deepEqual(records, []);
      assert.match(damaged[0]?.problem ?? '', /^The folder is a link/);
      const record = parseRecord(path.join(store.folder, 'good.md'), Buffer.from(TABS_TEXT), 1);
      const refused = /^Error: \.memory is a link/;
      await assert.rejects(store.create(TABS), refused);
      await assert.rejects(store.update(record, { body: 'New' }), refused);
      await assert.rejects(store.remove(record, 'test'), refused);
      await assert.rejects(store.rebuildIndex(), refused);
      await assert.rejects(store.snapshot('test'), refused);
      await store.refresh();
      await store.refresh();
      assert.deepEqual(await readTree(temp.path), before);
      assert.equal(warnings.length, 1);
    });
  });

  it('does not move records through a trash that is a link', async () => {
    const { record } = await store.create(TABS);
    await fs.mkdir(path.join(temp.path, 'outside'));
    await fs.rm(path.join(store.folder, '.trash'), { recursive: true });
    await fs.symlink('../outside', path.join(store.folder, '.trash'));
    await assert.rejects(store.remove(record, 'test'), /\.trash is a link/);
    assert.equal((await memories())['tabs.md'], TABS_TEXT);
    assert.deepEqual(await readTree(path.join(temp.path, 'outside')), {});
  });

  it('says so when a file stands where the folder should be', async () => {
    await writeTree(temp.path, { '.memory': 'mine' });
    await assert.rejects(store.create(TABS), /\.memory is not a folder/);
    assert.deepEqual(await store.list(), { records: [], damaged: [] });
    assert.deepEqual(await readTree(temp.path), { '.memory': 'mine' });
  });

  it('starts anew after the folder was deleted by hand', async () => {
    await store.create(TABS);
    await fs.rm(store.folder, { recursive: true });
    await store.create({ ...TABS, name: 'other' });
    assert.deepEqual(Object.keys(await memories()), ['MEMORY.md', 'other.md']);
  });
});
