import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isInside, realPathInside } from '../../../src/base/containment.ts';
import { useTempFolder, writeTree } from '../../support/tempFolder.ts';

describe('containment', () => {
  const temp = useTempFolder();
  const at = (relative: string) => path.join(temp.path, relative);
  const inside = (target: string) => realPathInside([at('work')], at(target));

  describe('realPathInside', () => {
    it('gives the real path of what is inside, or would be', async () => {
      await writeTree(temp.path, { 'work/a/file': 'x' });
      await fs.symlink('a', at('work/link'));
      assert.equal(await inside('work'), at('work'));
      assert.equal(await inside('work/link/file'), at('work/a/file'));
      assert.equal(await inside('work/link/new/deeper'), at('work/a/new/deeper'));
      assert.equal(await inside('work/..name'), at('work/..name'));
    });

    it('gives it when the folder itself is reached through a link', async () => {
      await writeTree(temp.path, { 'real/file': 'x' });
      await fs.symlink('real', at('work'));
      assert.equal(await inside('work/file'), at('real/file'));
      assert.equal(await inside('real/file'), at('real/file'));
    });

    it('refuses what leads out: `..`, links, links that lead nowhere, NUL', async () => {
      await writeTree(temp.path, { 'outside/file': 'x', 'outside/deep/file': 'x', 'work2/f': 'x' });
      await fs.mkdir(at('work'));
      await fs.symlink(at('outside'), at('work/folder'));
      await fs.symlink('../outside/file', at('work/file'));
      await fs.symlink('../outside/new', at('work/nowhere'));
      for (const target of ['outside', 'work/../outside/file', 'work2/f', 'work/folder/file'])
        assert.equal(await inside(target), undefined, target);
      for (const target of ['work/file', 'work/nowhere', 'work/folder/new/deep', 'work/a\0b'])
        assert.equal(await inside(target), undefined, target);
    });

    it('follows a link that leads nowhere from where it really lies', async () => {
      await fs.mkdir(at('work'));
      await fs.mkdir(at('outside/deep'), { recursive: true });
      await fs.symlink('../new', at('outside/deep/nowhere'));
      await fs.symlink(at('outside/deep'), at('work/link'));
      // By its text it would be work/new.
      assert.equal(await inside('work/link/nowhere'), undefined);
    });

    it('ends on links that lead to themselves', async () => {
      await fs.mkdir(at('work'));
      await fs.symlink('loop', at('work/loop'));
      await fs.symlink('missing/../turn', at('work/turn'));
      await assert.rejects(inside('work/loop'));
      await assert.rejects(inside('work/turn'), /too many links/);
    });
  });

  it('knows by text what lies inside', () => {
    const cases: [string, boolean][] = [
      ['/a/b', true],
      ['/a/b/c', true],
      ['/a/b/..c', true],
      ['/a/bc', false],
      ['/a', false],
      ['/a/b/../c', false],
    ];
    for (const [target, expected] of cases)
      assert.equal(isInside('/a/b', target), expected, target);
  });
});
