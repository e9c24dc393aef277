import assert from 'node:assert/strict';
import { promises as fs, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { fileKey, isRecordFile, RecordCache } from '../../../../src/memory/folder/recordCache.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const TEXT = '---\ntype: user\n---\nText';

describe('RecordCache', () => {
  const temp = useTempFolder();
  let changes: number;
  let cache: RecordCache;

  beforeEach(() => {
    changes = 0;
    cache = new RecordCache(temp.path, () => changes);
  });

  const write = (files: Readonly<Record<string, string>>) => writeTree(temp.path, files);
  const known = () => cache.known().records.map(({ file }) => file);
  /** The folder with a time that no file in it changes. */
  const freeze = () => fs.utimes(temp.path, 1, 1);

  it('gives the same list until something changes', async () => {
    await write({ 'b.md': TEXT, 'a.md': TEXT });
    const first = await cache.list();
    // Files that were just written are read again, until the clock has gone on.
    for (const file of ['a.md', 'b.md']) await fs.utimes(path.join(temp.path, file), 1, 1);
    const list = await cache.list();
    assert.notEqual(list, first);
    assert.equal(await cache.list(), list);
    assert.equal(cache.known(), list);
    await fs.rm(path.join(temp.path, 'a.md'));
    assert.equal(cache.known(), list);
    cache.reread('a.md');
    assert.deepEqual(known(), ['b.md']);
  });

  it('looks anew before a change only when the folder or the count of changes is another', async () => {
    await write({ 'a.md': TEXT });
    await cache.latest();
    await write({ 'b.md': TEXT });
    await freeze();
    cache.settle();
    await cache.latest();
    assert.deepEqual(known(), ['a.md']);
    // Not settled, so what the last change left is not known.
    await cache.latest();
    assert.deepEqual(known(), ['a.md', 'b.md']);
    cache.settle();
    await write({ 'c.md': TEXT });
    await freeze();
    changes = 1;
    await cache.latest();
    assert.deepEqual(known(), ['a.md', 'b.md', 'c.md']);
  });

  it('knows which names are taken, in any case and form of accents', async () => {
    await write({ 'CAF\u00C9.md': TEXT, 'notes.md': 'damaged', 'a.txt': 'x' });
    // Read twice, since the clock has not gone on.
    for (let time = 0; time < 2; time++) await cache.list();
    const taken = ['cafe\u0301.md', 'caf\u00E9.md', 'NOTES.md', 'Memory.md'];
    for (const file of taken) assert.ok(cache.isTaken(file), file);
    assert.equal(cache.isTaken('a.md'), false);
    await fs.rm(path.join(temp.path, 'notes.md'));
    cache.reread('notes.md');
    assert.equal(cache.isTaken('notes.md'), false);
  });

  it('keeps a name taken as long as one of two files has it', async function () {
    await write({ 'a.md': TEXT, 'A.md': TEXT });
    if ((await fs.readdir(temp.path)).length === 1) this.skip();
    await cache.list();
    for (const [file, left] of [
      ['a.md', true],
      ['A.md', false],
    ] as const) {
      await fs.rm(path.join(temp.path, file));
      cache.reread(file);
      cache.reread(file);
      assert.equal(cache.isTaken('a.md'), left);
    }
  });

  it('keeps a file that a change brings while a long list is read', async () => {
    // More than is read in one go.
    const many = Array.from({ length: 1_000 }, (_, number) => [`${number}.md`, TEXT]);
    await write(Object.fromEntries(many));
    const listing = cache.list();
    writeFileSync(path.join(temp.path, 'new.md'), TEXT);
    cache.reread('new.md');
    assert.equal((await listing).records.length, 1_001);
    assert.ok(cache.isTaken('new.md'));
  });

  it('forgets everything when a link takes the place of the folder', async () => {
    await write({ 'in/a.md': TEXT });
    const folder = path.join(temp.path, 'in');
    const own = new RecordCache(folder, () => 0);
    assert.equal((await own.list()).records.length, 1);
    await fs.rename(folder, `${folder}2`);
    await fs.symlink(`${folder}2`, folder);
    assert.equal((await own.list()).records.length, 0);
    assert.equal(own.known().records.length, 0);
  });
});

describe('isRecordFile', () => {
  it('takes Markdown files, and nothing that is hidden or leads out of the folder', () => {
    for (const name of ['a.md', 'A.MD', '記 1.md', 'MEMORY.md', 'a\nb.md'])
      assert.ok(isRecordFile(name), name);
    for (const name of [
      '',
      '.',
      '..',
      '.md',
      '.a.md',
      'a.txt',
      '../a.md',
      '/a.md',
      'a/b.md',
      'a\0.md',
    ])
      assert.equal(isRecordFile(name), false, name);
  });
});

describe('fileKey', () => {
  it('is one for names that some file system takes for one', () => {
    assert.equal(fileKey('CAFE\u0301.md'), fileKey('caf\u00E9.MD'));
    assert.notEqual(fileKey('cafe.md'), fileKey('caf\u00E9.md'));
  });
});
