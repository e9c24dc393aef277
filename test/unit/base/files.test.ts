import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { hasCode } from '../../../src/base/errorCode.ts';
import {
  appendLine,
  copyNewFile,
  createFileAtomically,
  infoIfPresent,
  isTemporary,
  kindIfPresent,
  linkIfFree,
  listFolder,
  lookNow,
  makePrivateFolder,
  moveIfFree,
  readBytesIfPresent,
  removeFile,
  replaceFileAtomically,
  writeFileAtomically,
} from '../../../src/base/files.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

const hasModes = process.platform !== 'win32';

describe('files', () => {
  const temp = useTempFolder();
  const at = (relative: string) => path.join(temp.path, relative);
  const modeOf = async (relative: string) => (await fs.stat(at(relative))).mode & 0o777;

  describe('reading', () => {
    it('gives undefined for what is not there, also below a file', async () => {
      await writeTree(temp.path, { file: 'x' });
      for (const missing of ['nothing', 'no/folder', 'file/below']) {
        assert.equal(await readBytesIfPresent(at(missing)), undefined);
        assert.equal(await infoIfPresent(at(missing)), undefined);
        assert.equal(await kindIfPresent(at(missing)), undefined);
        assert.deepEqual(await listFolder(at(missing)), []);
      }
    });

    it('throws for what is there and cannot be read', async () => {
      await fs.mkdir(at('folder'));
      await assert.rejects(readBytesIfPresent(at('folder')), (error) => hasCode(error, 'EISDIR'));
    });

    it('tells kinds apart: links followed in info, as links in lists and kind', async () => {
      await writeTree(temp.path, { 'folder/file': '12345' });
      await fs.symlink(at('folder/file'), at('link'));
      const info = await infoIfPresent(at('link'));
      assert.deepEqual([info?.kind, info?.size], ['file', 5]);
      assert.equal(await kindIfPresent(at('link')), 'link');
      assert.deepEqual(
        (await listFolder(temp.path)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        [
          { name: 'folder', kind: 'folder' },
          { name: 'link', kind: 'link' },
        ],
      );
    });
  });

  describe('writeFileAtomically', () => {
    it('makes a private file and leaves nothing beside it', async () => {
      await writeFileAtomically(at('a.md'), 'é');
      assert.deepEqual(await readTree(temp.path), { 'a.md': 'é' });
      if (hasModes) assert.equal(await modeOf('a.md'), 0o600);
    });

    it('keeps the mode of a file, also one that the umask would cut', async function () {
      if (!hasModes) this.skip();
      await writeTree(temp.path, { 'a.md': 'old' });
      await fs.chmod(at('a.md'), 0o666);
      const umask = process.umask(0o022);
      try {
        await writeFileAtomically(at('a.md'), 'new');
      } finally {
        process.umask(umask);
      }
      assert.equal(await modeOf('a.md'), 0o666);
    });

    it('leaves no half file when it fails', async () => {
      await writeTree(temp.path, { 'folder/inside': 'x' });
      await assert.rejects(writeFileAtomically(at('folder'), 'new'));
      assert.deepEqual(await readTree(temp.path), { 'folder/inside': 'x' });
    });

    it('replaces a link and not the file it leads to', async () => {
      await writeTree(temp.path, { target: 'old' });
      await fs.symlink('target', at('link'));
      await writeFileAtomically(at('link'), 'new');
      assert.deepEqual(await readTree(temp.path), { target: 'old', link: 'new' });
    });

    it('takes the longest name that the disk takes', async () => {
      const name = '記'.repeat(85);
      await writeFileAtomically(at(name), 'x');
      assert.deepEqual(await readTree(temp.path), { [name]: 'x' });
    });

    it('never shows a reader half of the text', async () => {
      const texts = ['a'.repeat(200_000), 'b'.repeat(200_000)];
      await writeFileAtomically(at('f'), texts[0]!);
      const writing = (async () => {
        for (let turn = 0; turn < 20; turn++) await writeFileAtomically(at('f'), texts[turn % 2]!);
        return 'written' as const;
      })();
      const seen = new Set<string | undefined>();
      for (;;) {
        const text = await Promise.race([writing, fs.readFile(at('f'), 'utf8')]);
        if (text === 'written') break;
        seen.add(text);
      }
      assert.ok(seen.size > 0);
      for (const text of seen) assert.ok(text !== undefined && texts.includes(text));
    });
  });

  describe('writing without overwriting', () => {
    it('lets one of many writers create a file', async () => {
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, number) => createFileAtomically(at('f'), String(number))),
      );
      assert.equal(made.filter(Boolean).length, 1);
      assert.deepEqual(await readTree(temp.path), { f: String(made.indexOf(true)) });
      if (hasModes) assert.equal(await modeOf('f'), 0o600);
    });

    it('does not write through a link that leads nowhere', async () => {
      await fs.symlink('nowhere', at('link'));
      assert.equal(await createFileAtomically(at('link'), 'x'), false);
      assert.deepEqual(await readTree(temp.path), { link: 'link to nowhere' });
    });

    it('moves only to a free place', async () => {
      await writeTree(temp.path, { a: '1', b: '2' });
      assert.equal(await moveIfFree(at('a'), at('b')), false);
      assert.equal(await moveIfFree(at('a'), at('c')), true);
      assert.deepEqual(await readTree(temp.path), { b: '2', c: '1' });
      await assert.rejects(moveIfFree(at('a'), at('d')), (error) => hasCode(error, 'ENOENT'));
    });

    it('copies only to a free place', async () => {
      await writeTree(temp.path, { a: '1' });
      await copyNewFile(at('a'), at('b'));
      await assert.rejects(copyNewFile(at('a'), at('b')), (error) => hasCode(error, 'EEXIST'));
      assert.deepEqual(await readTree(temp.path), { a: '1', b: '1' });
    });
  });

  describe('replaceFileAtomically', () => {
    it('replaces the file when the check passes, with the new text ready beside it', async () => {
      await writeTree(temp.path, { 'a.md': 'old' });
      await replaceFileAtomically(at('a.md'), 'new', async () => {
        const names = await fs.readdir(temp.path);
        assert.equal(names.filter(isTemporary).length, 1);
        assert.equal(await fs.readFile(at('a.md'), 'utf8'), 'old');
      });
      assert.deepEqual(await readTree(temp.path), { 'a.md': 'new' });
    });

    it('leaves the old file, and nothing beside it, when the check fails', async () => {
      await writeTree(temp.path, { 'a.md': 'old' });
      const failure = new Error('no');
      await assert.rejects(
        replaceFileAtomically(at('a.md'), 'new', () => Promise.reject(failure)),
        (error) => error === failure,
      );
      assert.deepEqual(await readTree(temp.path), { 'a.md': 'old' });
    });
  });

  it('knows its temporary files by name, and takes nothing else for one', () => {
    assert.ok(isTemporary('.a.md.0123456789ab.tmp'));
    const others = [
      'a.md.0123456789ab.tmp',
      '.a.md.tmp',
      '.a.0123456789AB.tmp',
      '.a.0123456789ab.tmp.md',
    ];
    for (const name of others) assert.equal(isTemporary(name), false, name);
  });

  it('gives a file a second name, never that of another', async () => {
    await writeTree(temp.path, { a: '1', b: '2' });
    assert.equal(await linkIfFree(at('a'), at('b')), false);
    assert.equal(await linkIfFree(at('a'), at('c')), true);
    await fs.rm(at('a'));
    assert.deepEqual(await readTree(temp.path), { b: '2', c: '1' });
    await assert.rejects(linkIfFree(at('a'), at('d')), (error) => hasCode(error, 'ENOENT'));
  });

  it('appends a line, private when the file is new, and apart from half of one', async () => {
    await appendLine(at('new'), 'one');
    await fs.appendFile(at('new'), '\n{"cut');
    await appendLine(at('new'), 'two');
    const lines = (await fs.readFile(at('new'), 'utf8')).split('\n').filter(Boolean);
    assert.deepEqual(lines, ['one', '{"cut', 'two']);
    if (hasModes) assert.equal(await modeOf('new'), 0o600);
  });

  it('looks at a link as a link, and at nothing as nothing, at once', async () => {
    await writeTree(temp.path, { a: '12345' });
    await fs.symlink('none', at('link'));
    assert.deepEqual([lookNow(at('a'))?.kind, lookNow(at('a'))?.size], ['file', 5]);
    assert.equal(lookNow(at('link'))?.kind, 'link');
    assert.equal(lookNow(temp.path)?.kind, 'folder');
    for (const missing of ['none', 'a/below']) assert.equal(lookNow(at(missing)), undefined);
  });

  it('makes folders that only the owner can enter', async function () {
    if (!hasModes) this.skip();
    await makePrivateFolder(at('a/b'));
    assert.deepEqual([await modeOf('a'), await modeOf('a/b')], [0o700, 0o700]);
  });

  it('removes a file, and is content when there is none', async () => {
    await writeTree(temp.path, { a: '1' });
    await removeFile(at('a'));
    await removeFile(at('a'));
    assert.deepEqual(await readTree(temp.path), {});
  });
});
