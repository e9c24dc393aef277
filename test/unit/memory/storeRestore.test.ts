import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { EMPTY_INDEX, NOW, STAMP, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

describe('MemoryStore brings back', () => {
  const at = useMemoryStore();
  const { temp, newStore, write, memories, trash, files, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  const ODD = '\uFEFF---\r\ntype:   user # mine\r\n---\r\nBody  \r\n\r\n';

  it('a removed file, byte for byte, and it is gone from the trash', async () => {
    await write({ 'odd.md': ODD });
    await store.remove(await only(), 'test');
    const [trashed] = await newStore().trashed();
    assert.deepEqual(trashed, {
      trash: `${STAMP}-odd.md`,
      path: path.join(store.folder, '.trash', `${STAMP}-odd.md`),
      file: 'odd.md',
      removed: NOW.toISOString(),
      reason: 'test',
      kind: 'removed',
    });
    const change = await newStore().restore(trashed);
    assert.equal(change.kind, 'restored');
    assert.equal((await memories())['odd.md'], ODD);
    assert.deepEqual(await trash(), {});
    await assert.rejects(store.restore(trashed), /odd\.md is no longer in the trash/);
    await store.undo(change);
    assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
    assert.equal((await trash())[`${STAMP}-odd.md`], ODD);
  });

  it('a removed file with a suffix where its name is taken', async () => {
    await store.remove((await store.create(TABS)).record, 'test');
    await store.create({ ...TABS, body: 'New' });
    const change = await store.restore((await store.trashed())[0]!);
    assert.equal(change.record.file, 'tabs-2.md');
    assert.equal((await memories())['tabs-2.md'], TABS_TEXT);
    assert.equal((await store.list()).records[1]?.body, 'New');
  });

  it('nothing under a numbered name that the rules for git share', async () => {
    const { record } = await store.create(TABS);
    const { record: shared } = await store.create(TABS);
    await store.shares.share(shared.file, 'share');
    await store.remove(shared, 'test');
    await store.remove(record, 'test');
    await store.create(TABS);
    const trashed = (await store.trashed()).find(({ file }) => file === record.file)!;
    assert.equal((await store.restore(trashed)).record.file, 'tabs-3.md');
    // Its own name it had before they shared it, or since.
    assert.equal((await store.restore((await store.trashed())[0]!)).record.file, shared.file);
  });

  it('a replaced text in the place of what stands there, which goes to the trash', async () => {
    const { record } = await store.create(TABS);
    await store.update(record, { body: 'Tabs!' });
    const present = (await memories())['tabs.md']!;
    const [trashed] = await store.trashed();
    assert.equal(trashed?.kind, 'replaced');
    const change = await store.restore(trashed);
    assert.equal(change.kind, 'updated');
    assert.equal((await memories())['tabs.md'], TABS_TEXT);
    assert.equal((await trash())[`${STAMP}-2-tabs.md`], present);
    // There is nothing to do for the second time.
    const inTrash = await trash();
    await store.restore(trashed);
    assert.deepEqual(await trash(), inTrash);
    await store.undo(change);
    assert.equal((await memories())['tabs.md'], present);
  });

  it('a replaced text as a file of its own when the file is gone', async () => {
    const { record } = await store.create(TABS);
    const updated = await store.update(record, { body: 'Tabs!' });
    await store.remove(updated.record, 'test');
    const replaced = (await store.trashed()).find(({ kind }) => kind === 'replaced');
    const change = await store.restore(replaced!);
    assert.deepEqual([change.kind, change.record.body], ['restored', 'Use tabs.']);
  });

  it('what a person wrote into the index, and says that it is no memory', async () => {
    await write({ 'MEMORY.md': 'My own words.\n' });
    await store.refresh();
    const [trashed] = await store.trashed();
    await assert.rejects(
      store.restore(trashed!),
      /MEMORY-2\.md is there, but is no memory: The file has no front matter/,
    );
    assert.equal((await memories())['MEMORY-2.md'], 'My own words.\n');
  });

  it('nothing into a folder that is gone, and makes none', async () => {
    await store.remove((await store.create(TABS)).record, 'test');
    const [trashed] = await store.trashed();
    await fs.rm(store.folder, { recursive: true });
    await assert.rejects(store.restore(trashed!), /no longer in the trash/);
    assert.deepEqual(await fs.readdir(temp.path), []);
  });

  it('newest first, and leaves out what has no note of ours', async () => {
    const { record } = await store.create(TABS);
    const later = newStore({ now: () => new Date(NOW.getTime() + 1) });
    await later.remove((await later.create({ ...TABS, name: 'other' })).record, 'test');
    await store.remove(record, 'test');
    await write({
      '.trash/mine.md': 'mine',
      '.trash/spoilt.md': 'mine',
      '.trash/spoilt.md.json': '{"file": "x.md", "rem',
    });
    assert.deepEqual(
      (await store.trashed()).map(({ file }) => file),
      ['other.md', 'tabs.md'],
    );
  });

  it('nothing whose note leads out of the folder or to another file than a memory', async () => {
    await writeTree(temp.path, { 'outside.md': 'mine' });
    const names = ['../outside.md', '..', '.', '', '.gitignore', '.hidden.md', 'x.txt', 'a/b.md'];
    for (const [number, file] of [...names, path.join(temp.path, 'x.md')].entries()) {
      const note = { file, removed: NOW.toISOString(), reason: 'attack', kind: 'removed' };
      await write({
        [`.trash/${number}.md`]: 'x',
        [`.trash/${number}.md.json`]: JSON.stringify(note),
      });
    }
    assert.deepEqual(await store.trashed(), []);
    assert.equal((await readTree(temp.path))['outside.md'], 'mine');
  });

  it('nothing that the trash itself needs, though a note lies beside it', async () => {
    await store.remove((await store.create(TABS)).record, 'deleted');
    const note = JSON.stringify({ file: 'x.md', removed: NOW.toISOString(), reason: 'x' });
    await writeTree(path.join(store.folder, '.trash'), {
      'journal.jsonl.json': note,
      '.gitignore.json': note,
    });
    assert.deepEqual(
      (await store.trashed()).map(({ file }) => file),
      ['tabs.md'],
    );
  });

  it('a file with the longest name that the disk takes', async () => {
    const file = `${'記'.repeat(84)}.md`;
    await write({ [file]: TABS_TEXT });
    const record = await only();
    await store.update(record, { body: 'Tabs!' });
    await store.remove(await only(), 'test');
    const removed = (await store.trashed()).find(({ kind }) => kind === 'removed');
    assert.equal((await store.restore(removed!)).record.file, file);
  });

  describe('emptyTrash', () => {
    it('deletes for good what was removed and replaced, and nothing else', async () => {
      await store.create(TABS);
      const updated = await store.update(await only(), { body: 'Tabs!' });
      await store.remove((await store.create({ ...TABS, name: 'other' })).record, 'test');
      const before = await memories();
      await store.emptyTrash();
      assert.deepEqual(await store.trashed(), []);
      assert.deepEqual(await trash(), {});
      assert.deepEqual(await memories(), before);
      assert.equal(await store.lastGroup(), undefined);
      await assert.rejects(store.undo(updated), /no longer in the trash/);
      assert.deepEqual(await files(), ['tabs.md']);
    });

    it('makes nothing where there is nothing, and follows no link', async () => {
      await store.emptyTrash();
      assert.deepEqual(await fs.readdir(temp.path), []);
      await writeTree(temp.path, { 'outside/mine.md': 'mine' });
      await fs.mkdir(store.folder);
      await fs.symlink('../outside', path.join(store.folder, '.trash'));
      await store.emptyTrash();
      assert.deepEqual(await readTree(path.join(temp.path, 'outside')), { 'mine.md': 'mine' });
    });
  });
});
