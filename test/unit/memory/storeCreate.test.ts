import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { RecordError } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { TABS_INDEX, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree } from '../../support/tempFolder.ts';

describe('MemoryStore creates', () => {
  const at = useMemoryStore();
  const { temp, newStore, write, memories, files, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  describe('create', () => {
    it('makes a private folder, the record and the index', async () => {
      const change = await store.create(TABS);
      const journal = await fs.readFile(path.join(store.folder, '.trash', 'journal.jsonl'), 'utf8');
      assert.deepEqual(await readTree(store.folder), {
        '.gitignore': '*\n',
        '.lock': '',
        '.trash/.gitignore': '*\n',
        '.trash/journal.jsonl': journal,
        'MEMORY.md': TABS_INDEX,
        'tabs.md': TABS_TEXT,
      });
      const record = await only();
      const after = { file: 'tabs.md', hash: record.hash };
      assert.deepEqual(change, { kind: 'created', record, step: { id: change.step.id, after } });
      if (process.platform === 'win32') return;
      for (const folder of ['.', '.trash'])
        assert.equal((await fs.stat(path.join(store.folder, folder))).mode & 0o777, 0o700);
      for (const file of ['tabs.md', 'MEMORY.md', '.lock', '.gitignore', '.trash/journal.jsonl'])
        assert.equal((await fs.stat(path.join(store.folder, file))).mode & 0o777, 0o600);
    });

    it('keeps records private in a folder that does not say what is shared', async () => {
      await write({ 'mine.txt': 'x' });
      await store.create(TABS);
      assert.equal((await readTree(store.folder))['.gitignore'], '*\n');
    });

    it('leaves a folder as shared as a person made it', async () => {
      await write({ '.gitignore': '.lock\n' });
      await fs.chmod(store.folder, 0o755);
      await store.create(TABS);
      assert.equal((await readTree(store.folder))['.gitignore'], '.lock\n');
      if (process.platform === 'win32') return;
      assert.equal((await fs.stat(store.folder)).mode & 0o777, 0o755);
    });

    it('names the record by its slug', async () => {
      const { record } = await store.create({ ...TABS, name: 'C++ Style!' });
      assert.deepEqual([record.file, record.name], ['cplusplus-style.md', 'cplusplus-style']);
    });

    it('gives a taken name a suffix, whatever the case, the form of accents and the kind', async () => {
      await write({ 'TABS.md': 'mine', 'cafe\u0301.md': 'mine', 'folder.md/x': 'mine' });
      const created = [TABS.name, 'tabs', 'caf\u00E9', 'folder', '!!!', '???'];
      const names = [];
      for (const name of created) names.push((await store.create({ ...TABS, name })).record.file);
      assert.deepEqual(names, [
        'tabs-2.md',
        'tabs-3.md',
        'caf\u00E9-2.md',
        'folder-2.md',
        'memory-record.md',
        'memory-record-2.md',
      ]);
      assert.equal((await memories())['TABS.md'], 'mine');
      assert.match((await memories())['tabs-3.md']!, /^name: tabs-3$/m);
    });

    it('never writes a name that is the index or a device', async () => {
      for (const name of ['Memory', 'MEMORY', 'con', 'NUL']) await store.create({ ...TABS, name });
      assert.deepEqual(await files(), [
        'con-record.md',
        'memory-record-2.md',
        'memory-record.md',
        'nul-record.md',
      ]);
    });

    it('takes a name of 300 characters', async () => {
      const { record } = await store.create({ ...TABS, name: '長い名前'.repeat(75) });
      assert.ok(Buffer.byteLength(record.file) <= 83);
    });

    it('refuses what no record may be, and makes nothing', async () => {
      await assert.rejects(store.create({ ...TABS, body: 'x'.repeat(8_001) }), RecordError);
      await assert.rejects(store.create({ ...TABS, description: '' }), RecordError);
      await assert.rejects(store.create({ ...TABS, name: ' ' }), RecordError);
      assert.deepEqual(await fs.readdir(temp.path), []);
    });

    it('gives 50 records of one name, made at once, 50 files', async () => {
      const other = newStore();
      const bodies = Array.from({ length: 50 }, (_, number) => `Body ${number}`);
      const changes = await Promise.all(
        bodies.map((body, number) => (number % 2 ? store : other).create({ ...TABS, body })),
      );
      assert.equal(new Set(changes.map(({ record }) => record.file)).size, 50);
      const { records } = await store.list();
      assert.deepEqual(records.map(({ body }) => body).toSorted(), bodies.toSorted());
      assert.ok(records.every(({ name, file }) => file === `${name}.md`));
    });

    it('goes on after a failure', async () => {
      const [failed, made] = await Promise.allSettled([
        store.create({ ...TABS, body: '' }),
        store.create(TABS),
      ]);
      assert.deepEqual([failed.status, made.status], ['rejected', 'fulfilled']);
    });
  });
});
