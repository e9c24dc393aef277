import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ignoreInGit, makeIgnoredFolder } from '../../../src/base/ignoredFolder.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

describe('makeIgnoredFolder', () => {
  const temp = useTempFolder();
  const at = (relative: string) => path.join(temp.path, relative);

  it('makes a private folder that git ignores as a whole', async () => {
    await makeIgnoredFolder(at('a'));
    assert.deepEqual(await readTree(temp.path), { 'a/.gitignore': '*\n' });
    if (process.platform === 'win32') return;
    assert.equal((await fs.stat(at('a'))).mode & 0o777, 0o700);
    assert.equal((await fs.stat(at('a/.gitignore'))).mode & 0o777, 0o600);
  });

  it('lets a folder that is there be ignored, unless it says itself what is', async () => {
    await writeTree(temp.path, { 'a/x': 'x', 'b/.gitignore': '' });
    await makeIgnoredFolder(at('a'));
    await makeIgnoredFolder(at('b'));
    assert.deepEqual(await readTree(temp.path), {
      'a/.gitignore': '*\n',
      'a/x': 'x',
      'b/.gitignore': '',
    });
  });

  it('writes through no link, neither of the folder nor of the file in it', async () => {
    await writeTree(temp.path, { 'outside/x': 'x', 'c/x': 'x' });
    await fs.symlink('outside', at('link'));
    await assert.rejects(makeIgnoredFolder(at('link')), /^Error: link is a link, and only a real/);
    await fs.symlink('../outside/new', at('c/.gitignore'));
    await ignoreInGit(at('c'));
    assert.deepEqual(await readTree(at('outside')), { x: 'x' });
  });

  it('refuses a folder in which git would ignore nothing, since its rules are no file', async () => {
    await writeTree(temp.path, { 'a/x': 'x', 'b/.gitignore/x': 'x' });
    await fs.symlink('x', at('a/.gitignore'));
    for (const folder of ['a', 'b'])
      await assert.rejects(makeIgnoredFolder(at(folder)), /\.gitignore is not a plain file/);
  });

  it('says so when a file is in the way', async () => {
    await writeTree(temp.path, { file: 'x' });
    await assert.rejects(makeIgnoredFolder(at('file')), /^Error: file is not a folder, so nothing/);
  });
});
