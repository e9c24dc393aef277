import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { MemoryRecord } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { EMPTY_INDEX, isStale, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

describe('MemoryStore lists', () => {
  const at = useMemoryStore();
  const { temp, write, files, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

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
          damaged.map(({ file, problem }) => [file, String(problem)]),
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
      await fs.symlink('good.md', path.join(store.folder, 'again.md'));
      const before = await readTree(temp.path);

      const { records, damaged } = await store.list();
      assert.deepEqual(
        records.map(({ file }) => file),
        ['good.md'],
      );
      const problems = damaged.map((entry) => `${entry.file}: ${String(entry.problem)}`);
      const expected = [
        /^again\.md: The file is a link/,
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

    it('reads a file again that turned out to be another, though nothing showed it', async () => {
      const file = path.join(store.folder, 'a.md');
      const past = new Date('2025-01-01');
      const seen: MemoryRecord[] = [];
      for (const body of ['old', 'new']) {
        await write({ 'a.md': `---\ntype: user\n---\n${body}` });
        await fs.utimes(file, past, past);
        seen.push(await only());
      }
      await assert.rejects(store.update(seen[1]!, { pinned: true }), isStale(/has changed/));
      const { record } = await store.update(await only(), { pinned: true });
      assert.deepEqual([record.body, record.pinned], ['new', true]);
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
      assert.match(String(damaged[0]?.problem), /^The file cannot be read: EACCES/);
    });

    it('keeps the objects of files that have not changed', async () => {
      await write({ 'a.md': TABS_TEXT, 'b.md': TABS_TEXT });
      const [a, b] = (await store.list()).records;
      await write({ 'b.md': TABS_TEXT.replace('Use', 'I use') });
      await store.create(TABS);
      const { records } = await store.list();
      assert.equal(records[0], a);
      assert.notEqual(records[1], b);
    });

    it('shows what takes the place of a file', async () => {
      const file = path.join(store.folder, 'a.md');
      await write({ 'a.md': TABS_TEXT, 'b.md': TABS_TEXT });
      await writeTree(temp.path, { 'outside.md': TABS_TEXT });
      const problem = async () => (await store.list()).damaged[0]?.problem;
      assert.equal(await problem(), undefined);
      await fs.rm(file);
      await fs.mkdir(file);
      assert.match(String(await problem()), /^This is a folder/);
      await fs.rmdir(file);
      await fs.symlink('../outside.md', file);
      assert.match(String(await problem()), /^The file is a link/);
      await fs.rm(file);
      if (process.platform !== 'win32') {
        // Reading it would wait for ever.
        execFileSync('mkfifo', [file]);
        assert.match(String(await problem()), /^This is not a regular file/);
        await store.create(TABS);
        await fs.rm(file);
      }
      await write({ 'a.md': TABS_TEXT });
      assert.equal(await problem(), undefined);
    });
  });
});
