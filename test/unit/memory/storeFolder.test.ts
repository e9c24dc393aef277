import assert from 'node:assert/strict';
import { promises as fs, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { parseRecord } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { isStale, NOW, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

describe('MemoryStore in a folder', () => {
  const at = useMemoryStore();
  const { temp, warnings, newStore, write, memories } = at;
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
      assert.match(String(damaged[0]?.problem), /^The folder is a link/);
      const record = parseRecord(path.join(store.folder, 'good.md'), Buffer.from(TABS_TEXT), 1);
      const refused = /^Error: \.memory is a link/;
      await assert.rejects(store.create(TABS), refused);
      await assert.rejects(store.update(record, { body: 'New' }), refused);
      await assert.rejects(store.remove(record, 'test'), refused);
      await assert.rejects(store.rebuildIndex(), refused);
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

  it('makes nothing in a folder that is deleted while it writes, and says so', async () => {
    const { record } = await store.create(TABS);
    const gone = newStore({
      isBeingEdited: () => {
        rmSync(store.folder, { recursive: true });
        return false;
      },
    });
    await assert.rejects(
      gone.update(record, { body: 'Tabs!' }),
      isStale(/^tabs\.md is gone by now/),
    );
    const create = {
      ...TABS,
      get body() {
        // Another is written beside it just now.
        rmSync(store.folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 1 });
        return 'Text.';
      },
    };
    await assert.rejects(
      store.createAll([{ ...TABS, name: 'first' }, create]),
      /(?:first|tabs)\.md was not written, and what was there is unchanged: its folder is gone/,
    );
    await assert.rejects(store.remove(record, 'test'), isStale(/^tabs\.md is gone by now/));
    assert.deepEqual(await fs.readdir(temp.path), []);
  });

  it('is empty when it is deleted while it is listed', async () => {
    const many = Array.from({ length: 500 }, (_, number) => [`${number}.md`, TABS_TEXT]);
    await write(Object.fromEntries(many));
    const listing = store.list();
    rmSync(store.folder, { recursive: true });
    await listing;
    assert.deepEqual(await store.list(), { records: [], damaged: [] });
  });

  it('is refused from when a link takes its place', async () => {
    const { record } = await store.create(TABS);
    await fs.rename(store.folder, path.join(temp.path, 'elsewhere'));
    await fs.symlink('elsewhere', store.folder);
    const before = await readTree(path.join(temp.path, 'elsewhere'));
    const { records, damaged } = await store.list();
    assert.deepEqual([records.length, damaged.length], [0, 1]);
    const group = await store.lastGroup();
    await assert.rejects(store.undoGroup(group!), /\.memory is a link/);
    await assert.rejects(store.rename(record, 'width'), /\.memory is a link/);
    await assert.rejects(store.emptyTrash(), /\.memory is a link/);
    assert.deepEqual(await readTree(path.join(temp.path, 'elsewhere')), before);
  });

  it('keeps everything through a switch of branches', async () => {
    await write({ '.gitignore': '.lock\n.trash/\n' });
    const { record } = await store.create(TABS);
    const updated = await store.update(record, { body: 'Tabs!' });
    const mine = (await memories())['tabs.md']!;
    // As git does it: what is tracked goes and comes, what is ignored stays.
    for (const file of ['tabs.md', 'MEMORY.md']) await fs.rm(path.join(store.folder, file));
    const theirs = TABS_TEXT.replace('Prefers', 'Likes');
    await write({ 'tabs.md': theirs, 'theirs.md': TABS_TEXT });
    await store.refresh();
    assert.deepEqual(Object.keys(await memories()), ['MEMORY.md', 'tabs.md', 'theirs.md']);
    assert.match((await memories())['MEMORY.md']!, /Likes tabs/);
    const changed = isStale(/^tabs\.md has changed in the meantime; it was left as it is/);
    await assert.rejects(store.update(updated.record, { body: 'X' }), changed);
    await assert.rejects(store.undo(updated), changed);
    assert.equal((await memories())['tabs.md'], theirs);
    // And back again.
    await fs.rm(path.join(store.folder, 'theirs.md'));
    await write({ 'tabs.md': mine });
    await store.undo(updated);
    assert.equal((await memories())['tabs.md'], TABS_TEXT);
  });

  it('sees what another window changed, in names and in the index', async () => {
    const other = newStore();
    await store.create(TABS);
    const theirs = await other.create(TABS);
    const mine = await store.create(TABS);
    await other.remove(theirs.record, 'test');
    assert.deepEqual([theirs.record.file, mine.record.file], ['tabs-2.md', 'tabs-3.md']);
    await store.update(mine.record, { description: 'Mine' });
    assert.deepEqual((await memories())['MEMORY.md']!.match(/\(.*\.md\) — .*/g), [
      '(tabs-3.md) — Mine [user]',
      '(tabs.md) — Prefers tabs [user]',
    ]);
  });

  it('sees at the next change what came and went from outside', async () => {
    const { record } = await store.create(TABS);
    await write({ 'theirs.md': TABS_TEXT });
    await fs.rm(record.path);
    await store.create({ ...TABS, name: 'mine' });
    assert.deepEqual((await memories())['MEMORY.md']!.match(/\(.*\.md\)/g), [
      '(mine.md)',
      '(theirs.md)',
    ]);
  });

  it('is cleared of what killed processes left half written, when that is old', async () => {
    await store.remove((await store.create(TABS)).record, 'test');
    const age = async (file: string, minutes: number) => {
      const time = new Date(NOW.getTime() - minutes * 60_000);
      await fs.utimes(path.join(store.folder, file), time, time);
    };
    const old = [
      '.tabs.md.0123456789ab.tmp',
      '.trash/.tabs.md.json.0123456789ab.tmp',
      '.proposed/.tabs.md.0123456789ab.tmp',
    ];
    const kept = ['.tabs.md.ba9876543210.tmp', '.tabs.md.tmp', '.dir.0123456789ab.tmp/x'];
    for (const file of [...old, ...kept]) await write({ [file]: 'half' });
    for (const file of [...old, '.tabs.md.tmp', '.dir.0123456789ab.tmp']) await age(file, 61);
    await age('.tabs.md.ba9876543210.tmp', 59);
    await store.refresh();
    const left = Object.keys(await readTree(store.folder)).filter((file) => file.includes('.tmp'));
    assert.deepEqual(left, kept.toSorted());
  });

  it('is not cleared through a trash that is a link', async () => {
    const stray = '.x.0123456789ab.tmp';
    await writeTree(temp.path, { [`outside/${stray}`]: 'mine', '.memory/tabs.md': TABS_TEXT });
    await fs.utimes(path.join(temp.path, 'outside', stray), 0, 0);
    await fs.symlink('../outside', path.join(store.folder, '.trash'));
    await store.refresh();
    assert.deepEqual(await readTree(path.join(temp.path, 'outside')), { [stray]: 'mine' });
  });
});
