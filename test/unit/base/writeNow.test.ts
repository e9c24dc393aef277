import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { appendNow, createFileNow, plainFileNow } from '../../../src/base/writeNow.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

describe('writing at once', () => {
  const temp = useTempFolder();
  const at = (relative: string) => path.join(temp.path, relative);

  it('makes a private file, and leaves alone what stands there, a link that leads nowhere too', async () => {
    await fs.symlink('none', at('link'));
    assert.equal(createFileNow(at('a'), Buffer.from('one')), true);
    assert.equal(createFileNow(at('a'), Buffer.from('two')), false);
    assert.equal(createFileNow(at('link'), Buffer.from('two')), false);
    assert.deepEqual(await readTree(temp.path), { a: 'one', link: 'link to none' });
    if (process.platform !== 'win32') assert.equal((await fs.stat(at('a'))).mode & 0o777, 0o600);
  });

  it('adds to the end of a file, and makes neither a file nor a folder for it', async () => {
    await writeTree(temp.path, { a: 'one\n' });
    appendNow(at('a'), Buffer.from('two\n'));
    const isGone = /was not written, and what was there is unchanged: its folder is gone\./;
    assert.throws(() => appendNow(at('b'), Buffer.from('x')), isGone);
    assert.throws(() => createFileNow(at('c/d'), Buffer.from('x')), isGone);
    assert.deepEqual(await readTree(temp.path), { a: 'one\ntwo\n' });
  });

  it('adds to nothing through a link', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(temp.path, { outside: 'x' });
    await fs.symlink('outside', at('link'));
    assert.throws(() => appendNow(at('link'), Buffer.from('y')), /ELOOP/);
    assert.deepEqual(await readTree(temp.path), { link: 'link to outside', outside: 'x' });
  });

  it('looks at plain files only', async () => {
    await writeTree(temp.path, { a: '12345', 'folder/b': '' });
    await fs.symlink('a', at('link'));
    assert.equal(plainFileNow(at('a'))?.size, 5);
    assert.equal(plainFileNow(at('none')), undefined);
    for (const name of ['link', 'folder'])
      assert.throws(() => plainFileNow(at(name)), {
        message: `${name} is not a plain file. Move it to another place.`,
      });
  });
});
