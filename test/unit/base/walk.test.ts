import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { walk, type WalkOptions } from '../../../src/base/walk.ts';
import { useTempFolder, writeTree } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;

describe('walk', () => {
  const root = useTempFolder();

  const files = (options: Partial<WalkOptions> = {}) =>
    collect({ folder: root.path, rulesFrom: root.path, ...options });

  it('yields files in the order of their names, folder by folder, with dot files', async () => {
    await writeTree(root.path, { 'b.txt': '', 'a/z.txt': '', 'a.txt': '', '.hidden': '' });
    assert.deepEqual(await files(), ['.hidden', 'a/z.txt', 'a.txt', 'b.txt']);
  });

  it('honours nested .gitignore files, the nearest one first', async () => {
    await writeTree(root.path, {
      '.gitignore': '*.log\n/dist/\n',
      'dist/x.js': '',
      'a.log': '',
      'sub/.gitignore': '!keep.log\nlocal.txt\n',
      'sub/keep.log': '',
      'sub/drop.log': '',
      'sub/local.txt': '',
      'sub/dist/y.js': '',
      'local.txt': '',
    });
    assert.deepEqual(await files(), [
      '.gitignore',
      'local.txt',
      'sub/.gitignore',
      'sub/dist/y.js',
      'sub/keep.log',
    ]);
  });

  it('enters a folder that a nearer .gitignore takes back', async () => {
    await writeTree(root.path, {
      '.gitignore': 'build/\n',
      'build/x.js': '',
      'app/.gitignore': '!build/\n',
      'app/build/y.js': '',
    });
    assert.deepEqual(await files(), ['.gitignore', 'app/.gitignore', 'app/build/y.js']);
  });

  it('never enters .git, nor takes a .git file for one of the project', async () => {
    await writeTree(root.path, { '.git/config': '', 'module/.git': 'gitdir: x', 'module/a': '' });
    assert.deepEqual(await files(), ['module/a']);
  });

  it('applies the rules above a folder inside the workspace', async () => {
    await writeTree(root.path, {
      '.gitignore': 'src/*.gen.ts\n',
      'src/a.gen.ts': '',
      'src/b.ts': '',
    });
    assert.deepEqual(await files({ folder: path.join(root.path, 'src') }), ['b.ts']);
  });

  it('applies the rules of a repository that begins above the workspace', async () => {
    await writeTree(root.path, {
      '.git/HEAD': '',
      '.gitignore': 'node_modules/\n',
      'app/node_modules/x.js': '',
      'app/main.js': '',
    });
    const folder = path.join(root.path, 'app');
    assert.deepEqual(await files({ folder, rulesFrom: folder }), ['main.js']);
  });

  it('does not apply rules above a workspace that is no repository', async () => {
    await writeTree(root.path, { '.gitignore': '*.js\n', 'app/main.js': '' });
    const folder = path.join(root.path, 'app');
    assert.deepEqual(await files({ folder, rulesFrom: folder }), ['main.js']);
  });

  it('walks an ignored folder that is named, by the rules it holds itself', async () => {
    await writeTree(root.path, {
      '.gitignore': 'vendor/\n*.log\n',
      'vendor/lib/a.js': '',
      'vendor/lib/.gitignore': 'tmp\n',
      'vendor/lib/tmp': '',
    });
    const folder = path.join(root.path, 'vendor');
    assert.deepEqual(await files({ folder }), ['lib/.gitignore', 'lib/a.js']);
  });

  it('walks a named folder that hides itself, as archives do', async () => {
    await writeTree(root.path, { '.task_outputs/.gitignore': '*\n', '.task_outputs/a.txt': '' });
    assert.deepEqual(await files(), []);
    const folder = path.join(root.path, '.task_outputs');
    assert.deepEqual(await files({ folder }), ['.gitignore', 'a.txt']);
  });

  it('ignores nothing when no rules are asked for', async () => {
    await writeTree(root.path, { '.gitignore': '*\n', 'a.txt': '' });
    assert.deepEqual(await collect({ folder: root.path }), ['.gitignore', 'a.txt']);
  });

  it('does not follow links, so a loop ends', async () => {
    await writeTree(root.path, { 'a/b.txt': '' });
    await fs.symlink(root.path, path.join(root.path, 'a/loop'));
    await fs.symlink(path.join(root.path, 'a/b.txt'), path.join(root.path, 'link.txt'));
    assert.deepEqual(await files(), ['a/b.txt']);
  });

  it('reads a .gitignore with a mark, CRLF and bytes that are not UTF-8', async () => {
    const rules = Buffer.concat([
      Buffer.from('\uFEFFfirst.txt\r\n# '),
      Buffer.from([0xe9]),
      Buffer.from('\r\nlast.txt\r\n'),
    ]);
    await writeTree(root.path, { '.gitignore': rules, 'first.txt': '', 'last.txt': '', kept: '' });
    assert.deepEqual(await files(), ['.gitignore', 'kept']);
  });

  it('goes on after a folder that may not be entered, and tells of it', async function () {
    if (process.getuid?.() === 0 || process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'closed/a': '', 'open/b': '' });
    const closed = path.join(root.path, 'closed');
    await fs.chmod(closed, 0);
    const told: string[] = [];
    try {
      assert.deepEqual(await files({ onUnreadable: (folder) => told.push(folder) }), ['open/b']);
    } finally {
      await fs.chmod(closed, 0o700);
    }
    assert.deepEqual(told, [closed]);
  });

  it('goes on when a folder is deleted under it', async () => {
    await writeTree(root.path, { 'a/x': '', 'b/y': '', 'c/z': '' });
    const seen: string[] = [];
    for await (const file of walk({ folder: root.path }, NEVER)) {
      seen.push(file);
      await fs.rm(path.join(root.path, 'b'), { recursive: true, force: true });
    }
    assert.deepEqual(seen, ['a/x', 'c/z']);
  });

  it('goes on after a folder that lies deeper than the system can name, and tells of it', async function () {
    if (process.platform !== 'linux') this.skip();
    // Either half can be named; one within the other cannot.
    const half = (name: string) => path.join(root.path, `${name.repeat(200)}/`.repeat(15));
    await fs.mkdir(half('a'), { recursive: true });
    await fs.mkdir(half('b'), { recursive: true });
    await writeTree(root.path, { 'z.txt': '' });
    const [outside, within] = [path.join(root.path, 'b'.repeat(200)), path.join(half('a'), 'b')];
    await fs.rename(outside, within);
    let told = 0;
    try {
      assert.deepEqual(await files({ onUnreadable: () => (told += 1) }), ['z.txt']);
    } finally {
      await fs.rename(within, outside);
    }
    assert.equal(told, 1);
  });

  it('gets to the bottom of a thousand folders, one in the other', async () => {
    const bottom = 'd/'.repeat(1_000);
    await fs.mkdir(path.join(root.path, bottom), { recursive: true });
    await writeTree(root.path, { [`${bottom}x`]: '' });
    assert.deepEqual(await files(), [`${bottom}x`]);
  });

  it('yields no pipe, and takes none for rules', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'a/b': '' });
    execFileSync('mkfifo', [path.join(root.path, 'pipe'), path.join(root.path, '.gitignore')]);
    const folder = path.join(root.path, 'a');
    assert.deepEqual(await files(), ['a/b']);
    assert.deepEqual(await files({ folder }), ['b']);
  });

  it('goes on without rules that are too long to be rules', async () => {
    const rules = `a.txt\n${'#'.repeat(1_000_000)}\n`;
    await writeTree(root.path, { '.gitignore': rules, 'a.txt': '' });
    assert.deepEqual(await files(), ['.gitignore', 'a.txt']);
  });

  it('lets others work meanwhile where very many rules meet very many names', async () => {
    const rules = Array.from({ length: 5_000 }, (_, index) => `x*${index}\n`).join('');
    const names = Array.from({ length: 300 }, (_, index) => [`a${index}`, '']);
    await writeTree(root.path, { '.gitignore': rules, ...Object.fromEntries(names) });
    let turns = 0;
    const counter = setInterval(() => (turns += 1), 1);
    try {
      assert.equal((await files()).length, 301);
    } finally {
      clearInterval(counter);
    }
    assert.ok(turns > 10, String(turns));
  });

  it('stops at the next file once it is aborted', async () => {
    await writeTree(root.path, { a: '', b: '', c: '' });
    const stop = new AbortController();
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const file of walk({ folder: root.path }, stop.signal)) {
        seen.push(file);
        stop.abort();
      }
    }, /abort/i);
    assert.deepEqual(seen, ['a']);
  });
});

async function collect(options: WalkOptions): Promise<string[]> {
  const found: string[] = [];
  for await (const file of walk(options, NEVER)) found.push(file);
  return found;
}
