import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { Trash } from '../../../../src/memory/folder/trash.ts';
import { withoutHardLinks } from '../../../support/hardLinks.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const STAMP = '20260301T120000000Z';

describe('Trash', () => {
  const temp = useTempFolder();
  let trash: Trash;

  beforeEach(async () => {
    trash = new Trash(temp.path, () => NOW);
    await writeTree(temp.path, { 'a.md': 'A' });
  });

  const names = async () => Object.keys(await readTree(trash.folder)).toSorted();

  it('keeps a text beside the file until it is dropped', async () => {
    const kept = await trash.keep('a.md', 'updated');
    assert.equal((await trash.read({ trash: kept, file: 'a.md' })).toString(), 'A');
    assert.equal((await readTree(temp.path))['a.md'], 'A');
    await trash.drop(kept);
    assert.deepEqual(await names(), ['.gitignore']);
  });

  it('keeps the text that a file held, whatever replaces the file', async () => {
    const kept = await trash.keep('a.md', 'updated');
    await fs.writeFile(path.join(temp.path, 'new'), 'B');
    await fs.rename(path.join(temp.path, 'new'), path.join(temp.path, 'a.md'));
    assert.equal((await trash.read({ trash: kept, file: 'a.md' })).toString(), 'A');
  });

  it('leaves no note when the file is not there', async () => {
    await assert.rejects(trash.move('none.md', 'test'));
    assert.deepEqual(await names(), ['.gitignore']);
  });

  it('takes no name that a file or a note has', async () => {
    await writeTree(trash.folder, { [`${STAMP}-a.md`]: 'x', [`${STAMP}-2-a.md.json`]: 'x' });
    assert.equal(await trash.move('a.md', 'test'), `${STAMP}-3-a.md`);
    assert.equal((await readTree(trash.folder))[`${STAMP}-a.md`], 'x');
  });

  it('keeps all that come at the same time, also where a disk knows no second names', async () => {
    const files = Array.from({ length: 20 }, (_, number) => `${'long-'.repeat(10)}${number}.md`);
    await writeTree(temp.path, Object.fromEntries(files.map((file) => [file, file])));
    await withoutHardLinks(() => Promise.all(files.map((file) => trash.move(file, 'test'))));
    const kept = await trash.list();
    assert.deepEqual(kept.map(({ file }) => file).toSorted(), files.toSorted());
    for (const each of kept) assert.equal((await trash.read(each)).toString(), each.file);
  });

  it('moves back over nothing', async () => {
    const moved = { trash: await trash.move('a.md', 'test'), file: 'a.md' };
    await writeTree(temp.path, { 'a.md': 'new' });
    assert.equal(await trash.moveBack(moved, 'a.md'), false);
    assert.equal(await trash.moveBack(moved, 'b.md'), true);
    assert.deepEqual(await readTree(temp.path), {
      '.trash/.gitignore': '*\n',
      'a.md': 'new',
      'b.md': 'A',
    });
  });

  it('moves back and reads only files', async () => {
    await writeTree(temp.path, { 'outside.md': 'mine' });
    await trash.prepare();
    await fs.symlink('../outside.md', trash.pathOf('link.md'));
    const linked = { trash: 'link.md', file: 'a.md' };
    await assert.rejects(trash.moveBack(linked, 'b.md'), /^Error: a\.md is no longer in the trash/);
    await assert.rejects(trash.read(linked), /^Error: a\.md is no longer in the trash/);
  });

  it('shortens a long name, and the note has it whole', async () => {
    const file = `${'😀'.repeat(60)}.md`;
    await writeTree(temp.path, { [file]: 'A' });
    assert.equal(await trash.move(file, 'test'), `${STAMP}-${'😀'.repeat(40)}.md`);
    assert.equal((await trash.list())[0]?.file, file);
  });

  it('lists only files with a note, and takes an older note for one of a removed file', async () => {
    const note = JSON.stringify({ file: 'b.md', removed: NOW.toISOString(), reason: 'old' });
    await writeTree(trash.folder, {
      'b.md': 'B',
      'b.md.json': note,
      'c.md.json': note,
      'folder.md/x': 'x',
      'folder.md.json': note,
    });
    assert.deepEqual(
      (await trash.list()).map(({ trash, kind }) => [trash, kind]),
      [['b.md', 'removed']],
    );
  });

  it('lists those of one file, and none whose name only ends alike', async () => {
    await writeTree(temp.path, { 'x-a.md': 'X', 'b.md': 'B' });
    for (const file of ['a.md', 'x-a.md', 'b.md']) await trash.keep(file, 'updated');
    assert.deepEqual(
      (await trash.list('a.md')).map(({ file }) => file),
      ['a.md'],
    );
  });
});
