import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { DamagedRecord } from '../../../../src/memory/record.ts';
import type { MemoryStore } from '../../../../src/memory/store.ts';
import { isStale, TABS_TEXT, useMemoryStore } from '../../../support/memoryFolder.ts';

describe('DamagedFiles', () => {
  const at = useMemoryStore();
  const BROKEN = Buffer.from('no front matter\r\n\xff', 'latin1');
  let store: MemoryStore;

  beforeEach(async () => {
    store = at.store;
    await at.write({ 'broken.md': BROKEN });
  });

  const broken = async (): Promise<DamagedRecord> => (await store.list()).damaged[0]!;
  const bytes = () => fs.readFile(path.join(store.folder, 'broken.md'));

  it('go to the trash, and come back byte for byte on undo', async () => {
    await store.damaged.remove(await broken(), 'deleted', 'group');
    assert.deepEqual((await store.list()).damaged, []);
    await store.undoGroup((await at.newStore().lastGroup())!);
    assert.deepEqual(await bytes(), BROKEN);
    assert.deepEqual(await store.trashed(), []);
  });

  it('come back from the trash, with a suffix where the name is taken, and go again on undo', async () => {
    await store.damaged.remove(await broken(), 'deleted');
    await at.write({ 'broken.md': TABS_TEXT });
    const [trashed] = await store.trashed();
    assert.equal(await store.damaged.restore(trashed!, 'back'), 'broken-2.md');
    assert.equal((await broken()).file, 'broken-2.md');
    await store.undoGroup((await store.changeGroup('back'))!);
    assert.deepEqual((await store.list()).damaged, []);
  });

  it('stay when they were mended, or are no files', async () => {
    const seen = await broken();
    await at.write({ 'broken.md': TABS_TEXT });
    await assert.rejects(store.damaged.remove(seen, 'deleted'), isStale(/broken\.md has changed/));
    assert.equal((await bytes()).toString(), TABS_TEXT);
    await fs.rm(path.join(store.folder, 'broken.md'));
    await assert.rejects(store.damaged.remove(seen, 'deleted'), isStale(/broken\.md is gone/));
    await fs.mkdir(path.join(store.folder, 'broken.md'));
    await assert.rejects(
      store.damaged.remove(await broken(), 'deleted'),
      /broken\.md is no regular file.*Delete it by hand/,
    );
  });
});
