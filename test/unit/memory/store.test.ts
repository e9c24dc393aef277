import assert from 'node:assert/strict';
import { promises as fs, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { Log } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import { parseRecord, RecordError, type MemoryRecord } from '../../../src/memory/record.ts';
import { StaleRecordError, type Change } from '../../../src/memory/change.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { TABS } from '../../support/records.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const STAMP = '20260301T120000000Z';
const TABS_TEXT =
  '---\nname: tabs\ndescription: Prefers tabs\ntype: user\ncreated: 2026-03-01T12:00:00.000Z\n---\n\nUse tabs.\n';
const TABS_INDEX = '# Memory Index\n\n- [tabs](tabs.md) — Prefers tabs [user]\n';
const EMPTY_INDEX = '# Memory Index\n\n';

describe('MemoryStore', () => {
  const temp = useTempFolder();
  let store: MemoryStore;
  let warnings: string[];

  beforeEach(() => {
    warnings = [];
    store = newStore();
  });

  function newStore(): MemoryStore {
    const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
    return new MemoryStore({ folder: path.join(temp.path, '.memory'), log, now: () => NOW });
  }

  /** The folder of the memories without its trash, its lock and its .gitignore. */
  async function memories(): Promise<Record<string, string>> {
    const files = Object.entries(await readTree(store.folder));
    return Object.fromEntries(
      files.filter(([file]) => !/^\.(?:trash\/|lock$|gitignore$)/.test(file)),
    );
  }

  async function trash(): Promise<Record<string, string>> {
    const files = Object.entries(await readTree(path.join(store.folder, '.trash')));
    return Object.fromEntries(
      files.filter(([file]) => !/^(?:\.gitignore|journal\.jsonl)$/.test(file)),
    );
  }

  const write = (files: Readonly<Record<string, string | Uint8Array>>) =>
    writeTree(store.folder, files);
  const files = async () => (await store.list()).records.map(({ file }) => file);
  async function only(): Promise<MemoryRecord> {
    const { records } = await store.list();
    assert.equal(records.length, 1);
    return records[0]!;
  }

  describe('list', () => {
    it('is empty without a folder, and makes none', async () => {
      assert.deepEqual(await store.list(), { records: [], damaged: [] });
      await store.refresh();
      assert.deepEqual(await readTree(temp.path), {});
      assert.deepEqual(await fs.readdir(temp.path), []);
    });

    it('reads records in the order of their file names and sees every change on disk', async () => {
      await write({ 'b.md': '---\ntype: user\n---\nB', 'a.md': '---\ntype: user\n---\nA' });
      assert.deepEqual(await files(), ['a.md', 'b.md']);
      await write({ 'a.md': '---\ntype: user\n---\nC' });
      assert.equal((await store.list()).records[0]?.body, 'C');
      await fs.rm(path.join(store.folder, 'b.md'));
      assert.deepEqual(await files(), ['a.md']);
      await fs.rm(store.folder, { recursive: true });
      assert.deepEqual(await files(), []);
    });

    it('ignores the index, hidden files and what is not Markdown', async () => {
      const text = '---\ntype: user\n---\nX';
      await write({ 'MEMORY.md': text, '._a.md': text, '.a.md': text });
      await write({ 'a.txt': text, '.trash/a.md': text, 'B.MD': text });
      assert.deepEqual(await store.list().then(({ damaged }) => damaged), []);
      assert.deepEqual(await files(), ['B.MD']);
    });

    it('lists a file that only differs from the index in case as damaged', async function () {
      await write({ 'memory.md': TABS_TEXT });
      const caseCounts = !(await fs.readdir(path.join(store.folder, 'MEMORY.md')).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
      ));
      if (!caseCounts) this.skip();
      const problem = 'The name is that of the index, MEMORY.md, in other letters.';
      for (const index of [undefined, EMPTY_INDEX]) {
        if (index !== undefined) await write({ 'MEMORY.md': index });
        const { records, damaged } = await store.list();
        assert.deepEqual(records, []);
        assert.deepEqual(
          damaged.map(({ file, problem }) => [file, problem]),
          [['memory.md', problem]],
        );
      }
    });

    it('lists what is damaged with the reason, touches nothing and goes on with the rest', async () => {
      await write({
        'binary.md': Buffer.from([0x2d, 0xff, 0x00, 0xe9]),
        'folder.md/inside': 'x',
        'good.md': TABS_TEXT,
        'huge.md': `${TABS_TEXT}${'x'.repeat(1024 * 1024)}`,
        'notes.md': 'Just my notes.',
        'yaml.md': '---\ntype: user\na: [\n---\n',
      });
      await writeTree(temp.path, { 'outside.md': TABS_TEXT });
      await fs.symlink('../outside.md', path.join(store.folder, 'link.md'));
      const before = await readTree(temp.path);

      const { records, damaged } = await store.list();
      assert.deepEqual(
        records.map(({ file }) => file),
        ['good.md'],
      );
      const problems = damaged.map((entry) => `${entry.file}: ${entry.problem}`);
      const expected = [
        /^binary\.md: The file is not UTF-8 text\.$/,
        /^folder\.md: This is a folder/,
        /^huge\.md: The file is larger than 1 MB\.$/,
        /^link\.md: The file is a link/,
        /^notes\.md: The file has no front matter\.$/,
        /^yaml\.md: The front matter is not valid YAML/,
      ];
      assert.equal(problems.length, expected.length);
      expected.forEach((pattern, number) => assert.match(problems[number]!, pattern));

      const created = await store.create({ ...TABS, name: 'other' });
      await store.remove(created.record, 'test');
      for (const [file, text] of Object.entries(before))
        assert.equal((await readTree(temp.path))[file], text, file);
    });

    it('does not read a file again that has not changed, also on refresh (M26)', async () => {
      const file = path.join(store.folder, 'a.md');
      const past = new Date('2025-01-01');
      await write({ 'a.md': '---\ntype: user\n---\nold' });
      await fs.utimes(file, past, past);
      assert.equal((await only()).body, 'old');
      // The same size and time: only reading it would show the new text.
      await write({ 'a.md': '---\ntype: user\n---\nnew' });
      await fs.utimes(file, past, past);
      assert.equal((await only()).body, 'old');
      await store.create(TABS);
      assert.equal((await store.list()).records[0]?.body, 'old');
      await store.refresh();
      assert.equal((await store.list()).records[0]?.body, 'old');
    });

    it('sees a second write within one tick of the clock', async () => {
      const file = path.join(store.folder, 'a.md');
      const tick = new Date(Date.now() + 60_000);
      const bodies: string[] = [];
      for (const body of ['one', 'two']) {
        await write({ 'a.md': `---\ntype: user\n---\n${body}` });
        // No older than the reading, so a later write may have the same time.
        await fs.utimes(file, tick, tick);
        bodies.push((await only()).body);
      }
      assert.deepEqual(bodies, ['one', 'two']);
    });

    it('lists a file that may not be read as damaged', async function () {
      // Root may read everything, and Windows has no such mode.
      if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
      await write({ 'a.md': TABS_TEXT, 'b.md': TABS_TEXT });
      await fs.chmod(path.join(store.folder, 'a.md'), 0);
      const { records, damaged } = await store.list();
      assert.equal(records.length, 1);
      assert.match(damaged[0]?.problem ?? '', /^The file cannot be read: EACCES/);
    });
  });

  describe('create', () => {
    it('makes a private folder, the record and the index', async () => {
      const change = await store.create(TABS);
      assert.deepEqual(await readTree(store.folder), {
        '.gitignore': '*\n',
        'MEMORY.md': TABS_INDEX,
        'tabs.md': TABS_TEXT,
      });
      assert.deepEqual(change, { kind: 'created', record: await only() });
      if (process.platform === 'win32') return;
      assert.equal((await fs.stat(store.folder)).mode & 0o777, 0o700);
      for (const file of ['tabs.md', 'MEMORY.md'])
        assert.equal((await fs.stat(path.join(store.folder, file))).mode & 0o777, 0o600);
    });

    it('leaves a folder that is there as shared as it is', async () => {
      await fs.mkdir(store.folder, { mode: 0o755 });
      await store.create(TABS);
      assert.deepEqual(Object.keys(await readTree(store.folder)), ['MEMORY.md', 'tabs.md']);
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
      assert.deepEqual(change, {
        kind: 'updated',
        record: await only(),
        before,
        beforeText: TABS_TEXT,
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
      const note = { file: 'tabs.md', removed: NOW.toISOString(), reason: 'updated' };
      assert.deepEqual(await trash(), {
        [`${STAMP}-tabs.md`]: TABS_TEXT,
        [`${STAMP}-tabs.md.json`]: `${JSON.stringify(note, null, 2)}\n`,
      });
    });

    it('writes nothing when the old text cannot be kept', async () => {
      const { record } = await store.create(TABS);
      await write({ '.trash': 'mine' });
      await assert.rejects(store.update(record, { body: 'Tabs!' }), /\.trash is not a folder/);
      assert.equal((await memories())['tabs.md'], TABS_TEXT);
    });

    it('leaves what someone else writes while the new text is being prepared', async () => {
      const { record } = await store.create(TABS);
      const other = `${TABS_TEXT}From another window.\n`;
      const slow = new MemoryStore({
        folder: store.folder,
        log: silentLog,
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
      const left = Object.keys(await readTree(store.folder));
      assert.deepEqual(
        left.filter((file) => file.endsWith('.tmp')),
        [],
      );
    });
  });

  describe('remove', () => {
    it('moves the file to the trash as it is, with a note of reason and time', async () => {
      const { record } = await store.create(TABS);
      const change = await store.remove(record, 'no longer true');
      assert.deepEqual(await memories(), { 'MEMORY.md': EMPTY_INDEX });
      const note = { file: 'tabs.md', removed: NOW.toISOString(), reason: 'no longer true' };
      assert.deepEqual(await trash(), {
        [`${STAMP}-tabs.md`]: TABS_TEXT,
        [`${STAMP}-tabs.md.json`]: `${JSON.stringify(note, null, 2)}\n`,
      });
      const trashPath = path.join(store.folder, '.trash', `${STAMP}-tabs.md`);
      assert.deepEqual(change, { kind: 'removed', record, trashPath });
    });

    it('overwrites nothing in the trash', async () => {
      for (const body of ['One', 'Two', 'Three'])
        await store.remove((await store.create({ ...TABS, body })).record, 'test');
      const texts = Object.values(await trash()).filter((text) => text.startsWith('---'));
      const bodies = new Set(texts.map((text) => text.trimEnd().split('\n').at(-1)));
      assert.deepEqual(bodies, new Set(['One', 'Two', 'Three']));
    });
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
      assert.deepEqual(await readTree(store.folder), {
        '.gitignore': '*\n',
        'MEMORY.md': EMPTY_INDEX,
      });
    });

    it('is not written into an empty folder unasked', async () => {
      await fs.mkdir(store.folder);
      await store.refresh();
      assert.deepEqual(await readTree(store.folder), {});
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
      assert.deepEqual(Object.keys(await readTree(store.folder)), ['MEMORY.md', 'tabs.md']);
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
    assert.deepEqual(Object.keys(await readTree(store.folder)), [
      '.gitignore',
      'MEMORY.md',
      'other.md',
    ]);
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

  describe('snapshot', () => {
    it('copies all memories into a folder of their own', async () => {
      await store.create(TABS);
      await write({ 'notes.md': 'mine' });
      const first = await store.snapshot('Before consolidation');
      const second = await store.snapshot('Before consolidation');
      assert.equal(path.basename(first), `${STAMP}-before-consolidation`);
      assert.notEqual(first, second);
      for (const folder of [first, second])
        assert.deepEqual(await readTree(folder), { 'tabs.md': TABS_TEXT });
      assert.deepEqual(await files(), ['tabs.md']);
    });
  });
});

function isStale(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StaleRecordError, String(error));
    assert.match(error.message, message);
    return true;
  };
}
