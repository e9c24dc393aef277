import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { SecretError, type NewChange } from '../../../src/memory/change.ts';
import { RecordError, type MemoryRecord } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { withoutHardLinks } from '../../support/hardLinks.ts';
import { EMPTY_INDEX, TABS_INDEX, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

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

  describe('createAll', () => {
    const OTHER = { ...TABS, name: 'other' };

    it('creates all as one change to undo', async () => {
      const changes = await store.createAll([TABS, OTHER, TABS]);
      assert.deepEqual(
        changes.map(({ record }) => record.file),
        ['tabs.md', 'other.md', 'tabs-2.md'],
      );
      const group = await store.lastGroup();
      assert.deepEqual(
        group?.steps,
        changes.map(({ step }) => step),
      );
      await store.undoGroup(group);
      assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
    });

    it('gives none the name of another, also where a disk knows no second names', async () => {
      await withoutHardLinks(() => store.createAll(Array.from({ length: 20 }, () => TABS)));
      const expected = Array.from({ length: 20 }, (_, n) =>
        n === 0 ? 'tabs.md' : `tabs-${n + 1}.md`,
      );
      assert.deepEqual(await files(), expected.toSorted());
    });

    it('creates none when one cannot be', async () => {
      await assert.rejects(store.createAll([TABS, { ...OTHER, body: '' }]), RecordError);
      assert.deepEqual(await fs.readdir(temp.path), []);
    });

    it('takes the first back when the disk fails at a later one, and says why', async () => {
      await store.rebuildIndex();
      // Asked for its body twice by the checks, and then when it is written, after the others.
      let asked = 0;
      const failing = {
        ...OTHER,
        get body() {
          if (++asked > 2) throw new Error('The disk failed.');
          return 'Text.';
        },
      };
      const records = [TABS, { ...OTHER, name: 'second' }, failing];
      await assert.rejects(store.createAll(records), /The disk failed/);
      assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
      assert.equal(await store.lastGroup(), undefined);
      assert.deepEqual(await files(), []);
    });
  });

  describe('adopt', () => {
    const ODD = '\uFEFF---\r\ntype:   user # mine\r\n---\r\nBody  \r\n\r\n';

    async function odd() {
      const elsewhere = newStore({ folder: path.join(temp.path, 'elsewhere') });
      await writeTree(elsewhere.folder, { 'odd.md': ODD });
      const record = (await elsewhere.list()).records[0]!;
      return { record, bytes: await elsewhere.read(record) };
    }

    async function adopted(record: MemoryRecord, bytes: Uint8Array): Promise<NewChange> {
      const { done } = await store.several.adopt([{ record, bytes, moved: 'id' }], 'move');
      return done[0] ?? assert.fail();
    }

    it('keeps the file byte for byte', async () => {
      const { record, bytes } = await odd();
      const change = await adopted(record, bytes);
      assert.equal((await memories())['odd.md'], ODD);
      assert.equal(change.record.hash, record.hash);
      assert.deepEqual((await store.changeGroup('move'))?.steps, [change.step]);
    });

    it('gives another name to file and record where that is taken', async () => {
      const { record, bytes } = await odd();
      await write({ 'ODD.md': 'mine' });
      const change = await adopted(record, bytes);
      assert.deepEqual([change.record.file, change.record.name], ['odd-2.md', 'odd-2']);
      assert.match((await memories())['odd-2.md']!, /^\uFEFF---\r\ntype: {3}user # mine\r\n/);
      assert.equal((await memories())['ODD.md'], 'mine');
    });
  });

  describe('a secret', () => {
    // Put together, so that no scanner takes this file for a leak.
    const TOKEN = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4).slice(0, 36)].join('');
    const isRefused = (error: unknown) => {
      assert.ok(error instanceof SecretError, String(error));
      assert.equal(error.rule, 'a GitHub token');
      assert.equal(String(error).includes(TOKEN), false);
      return true;
    };

    it('is refused in every field, and nothing is made', async () => {
      for (const field of ['name', 'description', 'body'])
        await assert.rejects(store.createAll([TABS, { ...TABS, [field]: TOKEN }]), isRefused);
      assert.deepEqual(await fs.readdir(temp.path), []);
    });

    it('is refused where its word and its value stand in two fields', async () => {
      const value = ['h7', 'Kq', '2vPz'].join('');
      const split = { ...TABS, description: 'The database password:', body: value };
      await assert.rejects(store.create(split), SecretError);
    });

    it('is refused in a change, and not where a person has it already', async () => {
      await write({ 'tabs.md': TABS_TEXT.replace('Use tabs.', `Token: ${TOKEN}`) });
      await store.refresh();
      const record = await only();
      const before = await memories();
      await assert.rejects(store.update(record, { body: `My ${TOKEN}` }), isRefused);
      await assert.rejects(store.update(record, { description: `My ${TOKEN}` }), isRefused);
      await assert.rejects(store.rename(record, `My ${TOKEN}`), isRefused);
      assert.deepEqual(await memories(), before);
      const pinned = await store.update(record, { pinned: true, body: record.body });
      assert.equal(pinned.record.pinned, true);
    });
  });
});
