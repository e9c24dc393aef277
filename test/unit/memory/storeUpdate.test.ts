import assert from 'node:assert/strict';
import { promises as fs, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { MemoryStore } from '../../../src/memory/store.ts';
import {
  EMPTY_INDEX,
  NOW,
  STAMP,
  TABS_INDEX,
  TABS_TEXT,
  isStale,
  useMemoryStore,
} from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree } from '../../support/tempFolder.ts';

describe('MemoryStore changes', () => {
  const at = useMemoryStore();
  const { temp, newStore, write, memories, trash, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  describe('update', () => {
    it('changes the lines it must and returns what was before', async () => {
      const { record: before } = await store.create(TABS);
      const change = await store.update(before, { description: 'Wants tabs', body: 'Tabs!' });
      const text = TABS_TEXT.replace('Prefers', 'Wants')
        .replace('\n---\n\n', '\nupdated: 2026-03-01T12:00:00.000Z\n---\n\n')
        .replace('Use tabs.', 'Tabs!');
      assert.deepEqual(await memories(), {
        'MEMORY.md': TABS_INDEX.replace('Prefers', 'Wants'),
        'tabs.md': text,
      });
      const record = await only();
      assert.deepEqual(change, {
        kind: 'updated',
        record,
        before,
        step: {
          id: change.step.id,
          after: { file: 'tabs.md', hash: record.hash },
          before: { file: 'tabs.md', hash: before.hash, trash: `${STAMP}-tabs.md` },
        },
      });
    });

    it('keeps the file when the name changes', async () => {
      const { record } = await store.create(TABS);
      const changed = await store.update(record, { name: 'Tab Width' });
      assert.deepEqual([changed.record.file, changed.record.name], ['tabs.md', 'tab-width']);
    });

    it('refuses when the file has changed, is gone or is a link by now', async () => {
      const { record } = await store.create(TABS);
      await write({ 'tabs.md': TABS_TEXT.replace('Use', 'I use') });
      const before = await readTree(store.folder);
      await assert.rejects(store.update(record, { body: 'New' }), isStale(/^tabs\.md has changed/));
      await assert.rejects(store.remove(record, 'test'), isStale(/^tabs\.md has changed/));
      assert.deepEqual(await readTree(store.folder), before);

      await write({ 'other.txt': TABS_TEXT });
      await fs.rm(record.path);
      await fs.symlink('other.txt', record.path);
      await assert.rejects(store.update(record, { body: 'New' }), isStale(/^tabs\.md has changed/));

      await fs.rm(store.folder, { recursive: true });
      await assert.rejects(store.update(record, { body: 'New' }), isStale(/^tabs\.md is gone/));
      await assert.rejects(store.remove(record, 'test'), isStale(/^tabs\.md is gone/));
      assert.deepEqual(await fs.readdir(temp.path), []);
    });

    it('lets one of two updates from the same state win', async () => {
      const { record } = await store.create(TABS);
      const results = await Promise.allSettled([
        store.update(record, { body: 'First' }),
        store.update(record, { body: 'Second' }),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      );
      assert.equal((await only()).body, 'First');
    });

    it('writes nothing when nothing differs', async () => {
      const { record } = await store.create(TABS);
      const before = await readTree(store.folder);
      const change = await store.update(record, { body: 'Use tabs.\n' });
      assert.deepEqual(change.record, record);
      assert.deepEqual(await readTree(store.folder), before);
    });

    it('keeps the old text in the trash, with a note of reason and time', async () => {
      const { record } = await store.create(TABS);
      await store.update(record, { body: 'Tabs!' });
      const note = { file: 'tabs.md', reason: 'updated', kind: 'replaced' };
      assert.deepEqual(await trash(), {
        [`${STAMP}-tabs.md`]: TABS_TEXT,
        [`${STAMP}-tabs.md.json`]: `${JSON.stringify({ ...note, removed: NOW }, null, 2)}\n`,
      });
    });

    it('writes nothing when the old text cannot be kept', async () => {
      const { record } = await store.create(TABS);
      await fs.rm(path.join(store.folder, '.trash'), { recursive: true });
      await write({ '.trash': 'mine' });
      await assert.rejects(store.update(record, { body: 'Tabs!' }), /\.trash is not a folder/);
      assert.equal((await memories())['tabs.md'], TABS_TEXT);
    });

    it('leaves what someone else writes while the new text is being prepared', async () => {
      const { record } = await store.create(TABS);
      const other = `${TABS_TEXT}From another window.\n`;
      const slow = newStore({
        // Asked for after the file was looked at and before it is replaced.
        now: () => {
          writeFileSync(record.path, other);
          return NOW;
        },
      });
      await assert.rejects(
        slow.update(record, { body: 'Tabs!' }),
        isStale(/^tabs\.md has changed/),
      );
      assert.equal((await memories())['tabs.md'], other);
      assert.deepEqual(Object.keys(await memories()), ['MEMORY.md', 'tabs.md']);
    });
  });

  describe('remove', () => {
    it('moves the file to the trash as it is, with a note of reason and time', async () => {
      const { record } = await store.create(TABS);
      const change = await store.remove(record, 'no longer true');
      assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
      const note = { file: 'tabs.md', reason: 'no longer true', kind: 'removed' };
      assert.deepEqual(await trash(), {
        [`${STAMP}-tabs.md`]: TABS_TEXT,
        [`${STAMP}-tabs.md.json`]: `${JSON.stringify({ ...note, removed: NOW }, null, 2)}\n`,
      });
      const before = { file: 'tabs.md', hash: record.hash, trash: `${STAMP}-tabs.md` };
      assert.deepEqual(change, { kind: 'removed', record, step: { id: change.step.id, before } });
    });

    it('overwrites nothing in the trash', async () => {
      for (const body of ['One', 'Two', 'Three'])
        await store.remove((await store.create({ ...TABS, body })).record, 'test');
      const texts = Object.values(await trash()).filter((text) => text.startsWith('---'));
      const bodies = new Set(texts.map((text) => text.trimEnd().split('\n').at(-1)));
      assert.deepEqual(bodies, new Set(['One', 'Two', 'Three']));
    });
  });
});
