import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { pathProblem, placeToRead, placeToWrite } from '../../../../src/agent/tools/paths.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

describe('a path from a model', () => {
  const root = useTempFolder();
  const inRoot = (...names: string[]) => path.join(root.path, ...names);
  const workspace = () => diskWorkspace([inRoot('app'), inRoot('lib')], [inRoot('archive')]);
  const shown = async (written: string) => (await placeToRead(workspace(), written)).shown;

  beforeEach(() =>
    writeTree(root.path, {
      'app/src/a.ts': '',
      'lib/b.ts': '',
      'archive/old.txt': '',
      'outside/secret.txt': '',
    }),
  );

  it('counts from the first folder, and is shown as it can be given back', async () => {
    assert.equal(await shown('src/a.ts'), 'src/a.ts');
    assert.equal(await shown('./src//a.ts'), 'src/a.ts');
    assert.equal(await shown(inRoot('app/src/a.ts')), 'src/a.ts');
    assert.equal(await shown('.'), '.');
    assert.equal(await shown(inRoot('lib/b.ts')), inRoot('lib/b.ts'));
  });

  it('may name an archive for reading, not for writing', async () => {
    assert.equal(await shown(inRoot('archive/old.txt')), inRoot('archive/old.txt'));
    await assert.rejects(
      placeToWrite(workspace(), inRoot('archive/old.txt')),
      /outside the workspace/,
    );
  });

  it('may name a memory for reading, not for writing, links and case seen through', async () => {
    await writeTree(root.path, {
      'app/.memory/a.md': '',
      'app/pkg/.Memory/b.md': '',
      'lib/.memory/c.md': '',
    });
    await fs.symlink(inRoot('app/.memory'), inRoot('app/notes'));
    await fs.symlink(inRoot('lib/.memory'), inRoot('app/far'));
    await fs.symlink(inRoot('app/src'), inRoot('app/pkg/.memory'));
    assert.equal(await shown('.memory/a.md'), '.memory/a.md');
    for (const written of [
      '.memory/a.md',
      '.memory/new.md',
      '.MEMORY/new.md',
      '.memory',
      'pkg/.Memory/b.md',
      'notes/a.md',
      'notes/deep/new.md',
      'far/c.md',
      'pkg/.memory/a.ts',
      inRoot('lib/.memory/c.md'),
    ]) {
      await assert.rejects(
        placeToWrite(workspace(), written),
        { message: 'Memories are saved by themselves after the turn; do not write them.' },
        written,
      );
    }
    assert.equal(
      (await placeToWrite(workspace(), '.memory-notes/a.md')).shown,
      '.memory-notes/a.md',
    );
  });

  it('is refused outside the folders, and told which there are', async () => {
    const refusal = {
      message: new RegExp(`outside the workspace.*${inRoot('app')} or ${inRoot('lib')}`),
    };
    await assert.rejects(shown(inRoot('outside/secret.txt')), refusal);
    await assert.rejects(shown('/etc/passwd'), refusal);
    await assert.rejects(shown(inRoot('application')), refusal);
  });

  it('is refused when a link leads outside, also for a file that is not there yet', async () => {
    await fs.symlink(inRoot('outside'), inRoot('app/way'));
    await fs.symlink(inRoot('outside/later.txt'), inRoot('app/later.txt'));
    await assert.rejects(shown('way/secret.txt'), /outside the workspace/);
    await assert.rejects(placeToWrite(workspace(), 'way/new.txt'), /outside the workspace/);
    await assert.rejects(placeToWrite(workspace(), 'later.txt'), /outside the workspace/);
  });

  it('is refused with "..", a NUL, or "~", in a sentence', async () => {
    await assert.rejects(shown('src/../src/a.ts'), /holds "\.\.". Write the path from/);
    await assert.rejects(shown('../lib/b.ts'), /holds "\.\."/);
    await assert.rejects(shown('src/a.ts\0.png'), /holds a NUL character/);
    await assert.rejects(shown('~/.ssh/id_rsa'), /"~", which is not a workspace folder/);
    assert.equal(await shown('src/a..b'), 'src/a..b');
  });

  it('is refused for a new file with the name of a Windows device', async () => {
    for (const name of ['nul', 'CON', 'aux.ts', 'com1.txt', 'Lpt9']) {
      await assert.rejects(
        placeToWrite(workspace(), `src/${name}`),
        /device name on Windows/,
        name,
      );
      await assert.rejects(
        placeToWrite(workspace(), `${name}/a.ts`),
        /device name on Windows/,
        name,
      );
    }
    assert.equal((await placeToWrite(workspace(), 'console.ts')).shown, 'console.ts');
  });

  it('may name an existing file that only Windows could not have', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'app/aux.c': '' });
    assert.equal(await shown('aux.c'), 'aux.c');
  });

  it('is refused on Windows when the system would read it as another', () => {
    for (const name of ['C:\\app\\nul', 'a.txt:stream', 'src\\a.ts.', 'src/a ', 'src\\..\\a']) {
      assert.notEqual(pathProblem(name, 'win32'), undefined, name);
    }
    for (const name of ['C:\\app\\a.ts', '.\\src\\a.ts', 'src/a.ts']) {
      assert.equal(pathProblem(name, 'win32'), undefined, name);
    }
  });
});
