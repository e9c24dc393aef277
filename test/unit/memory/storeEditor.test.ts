import assert from 'node:assert/strict';
import {
  closeSync,
  fstatSync,
  openSync,
  promises as fs,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { beforeEach, describe, it } from 'mocha';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { RecordCache } from '../../../src/memory/folder/recordCache.ts';
import { RecordFiles } from '../../../src/memory/folder/recordFiles.ts';
import { Trash } from '../../../src/memory/folder/trash.ts';
import { isStale, NOW, STAMP, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';

const THEIRS = `${TABS_TEXT}Mine.\n`;

describe('MemoryStore beside an editor', () => {
  const at = useMemoryStore();
  const { newStore, memories, trash } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  it('leaves a file alone that has changes which are not saved', async () => {
    const { record } = await store.create(TABS);
    const created = await store.lastGroup();
    const careful = newStore({ isBeingEdited: (file) => file === record.path });
    const before = await memories();
    const refused = isStale(
      /^tabs\.md has changes in an editor that are not saved\. Save or revert/,
    );
    await assert.rejects(careful.update(record, { body: 'Tabs!' }), refused);
    await assert.rejects(careful.rename(record, 'width'), refused);
    await assert.rejects(careful.remove(record, 'test'), refused);
    await assert.rejects(careful.undoGroup(created!), refused);
    await assert.rejects(careful.read(record), refused);
    assert.deepEqual([await memories(), await trash()], [before, {}]);
    // Others may be changed.
    await careful.update((await careful.create({ ...TABS, name: 'other' })).record, { body: 'X' });
  });

  /** A store that looks so often at the file, which is written right after the last time. */
  function lateStore(file: string, looks: number): MemoryStore {
    let seen = 0;
    return newStore({
      isBeingEdited: () => {
        seen++;
        return false;
      },
      // Asked for the note in the trash, after the last look at the file and before it is touched.
      now: () => {
        if (seen === looks) writeFileSync(file, THEIRS);
        return NOW;
      },
    });
  }

  it('lets what it writes win, and moves nothing away', async () => {
    const { record } = await store.create(TABS);
    const changes: [looks: number, change: (late: MemoryStore) => Promise<unknown>][] = [
      [2, (late) => late.update(record, { body: 'Tabs!' })],
      [1, (late) => late.remove(record, 'test')],
      [3, (late) => late.rename(record, 'width')],
      [2, async (late) => late.undoGroup((await late.lastGroup())!)],
    ];
    for (const [looks, change] of changes) {
      await fs.writeFile(record.path, TABS_TEXT);
      const late = lateStore(record.path, looks);
      await assert.rejects(change(late), isStale(/^tabs\.md has changed/));
      assert.deepEqual(Object.keys(await memories()), ['MEMORY.md', 'tabs.md']);
      assert.equal((await memories())['tabs.md'], THEIRS);
      assert.deepEqual(await trash(), {});
    }
  });

  it('gives back what it wrote through an open file after the last look', async function () {
    // Windows lets nobody replace a file that another holds open.
    if (process.platform === 'win32') this.skip();
    const { record } = await store.create(TABS);
    const open = openSync(record.path, 'r+');
    try {
      const seen = {
        file: record.file,
        // Asked for at every look; from when the file was replaced on, the editor has written into the old one.
        get hash() {
          if (statSync(record.path).ino !== fstatSync(open).ino) writeSync(open, THEIRS, 0);
          return record.hash;
        },
      };
      const recordFiles = new RecordFiles({
        folder: store.folder,
        trash: new Trash(store.folder, () => NOW),
        cache: new RecordCache(store.folder, () => 0),
        isBeingEdited: () => false,
      });
      await assert.rejects(
        recordFiles.replace(seen, 'Ours.', 'updated'),
        isStale(/^tabs\.md has changed/),
      );
      assert.equal((await memories())['tabs.md'], THEIRS);
      assert.equal((await trash())[`${STAMP}-tabs.md`], THEIRS);
    } finally {
      closeSync(open);
    }
  });

  it('is in step with what it wrote at the next change, after one that failed', async () => {
    const { record } = await store.create(TABS);
    const late = newStore({
      isBeingEdited: () => {
        writeFileSync(record.path, TABS_TEXT.replace('Prefers', 'Likes'));
        return false;
      },
    });
    await late.refresh();
    await assert.rejects(late.remove(record, 'test'), isStale(/^tabs\.md has changed/));
    await late.create({ ...TABS, name: 'other' });
    assert.match((await memories())['MEMORY.md']!, /Likes tabs/);
  });
});
