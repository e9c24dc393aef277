import assert from 'node:assert/strict';
import path from 'node:path';
import { globMatcher } from '../../../../src/agent/tools/search/findFiles.ts';
import { createGlob } from '../../../../src/agent/tools/glob.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { runTool } from '../../../support/workspaceRun.ts';

describe('glob', () => {
  const root = useTempFolder();
  const glob = async (pattern: string, folder?: string) =>
    runTool(root.path, 'glob', { pattern, ...(folder !== undefined && { path: folder }) });

  it('lists matching files sorted by path, without what git ignores', async () => {
    await writeTree(root.path, {
      '.gitignore': 'dist\n',
      '.git/a.ts': '',
      'dist/a.ts': '',
      'src/b.ts': '',
      'src/a.ts': '',
      'a.ts': '',
      'a.md': '',
    });
    assert.equal(await glob('*.ts'), 'a.ts\nsrc/a.ts\nsrc/b.ts');
  });

  it('keeps names with control characters on their line', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'a\nforged.txt': '', 'b\u001b[31m\u2028\u202e.txt': '' });
    assert.equal(
      await runTool(root.path, 'glob', { pattern: '*.txt' }),
      'a\\u000aforged.txt\nb\\u001b[31m\\u2028\\u202e.txt',
    );
  });

  it('counts from the folder that is named and shows paths from the workspace', async () => {
    await writeTree(root.path, { 'src/x/a.ts': '', 'src/a.ts': '', 'x/a.ts': '' });
    assert.equal(await glob('x/*.ts', 'src'), 'src/x/a.ts');
  });

  it('looks into an ignored folder that is named', async () => {
    await writeTree(root.path, { '.gitignore': 'vendor\n', 'vendor/lib/a.js': '' });
    assert.match(
      await glob('**/*.js'),
      /^No file matches \*\*\/\*\.js\. What git ignores and names/,
    );
    assert.equal(await glob('**/*.js', 'vendor'), 'vendor/lib/a.js');
  });

  it('lists an archive, which hides itself from git', async () => {
    await writeTree(root.path, { 'app/a.txt': '', 'archive/.gitignore': '*', 'archive/b.txt': '' });
    const archive = path.join(root.path, 'archive');
    const workspace = diskWorkspace([path.join(root.path, 'app')], [archive]);
    assert.equal(
      await runTool(workspace, 'glob', { pattern: '*.txt', path: archive }),
      path.join(archive, 'b.txt'),
    );
  });

  it('lists at most 200 files and says how many more there are', async () => {
    const names = Array.from({ length: 230 }, (_, index) => [`f${index}.txt`, '']);
    await writeTree(root.path, Object.fromEntries(names));
    const rows = (await glob('*.txt')).split('\n');
    assert.equal(rows.length, 201);
    assert.equal(rows.at(-1), '[30 more. Narrow the pattern or the path.]');
  });

  it('refuses a pattern that leaves the folder, and a folder that is none', async () => {
    await writeTree(root.path, { 'a.ts': '' });
    await assert.rejects(glob('../*.ts'), /must be relative and without "\.\."/);
    await assert.rejects(glob(`${root.path}/*.ts`), /must be relative/);
    await assert.rejects(glob('*', 'a.ts'), /a\.ts is not a folder\. Read it with read_file/);
    await assert.rejects(glob('*', 'gone'), /There is no folder gone\. Use glob/);
    await writeTree(root.path, { 'source/a.ts': '' });
    await assert.rejects(glob('*', 'sorce'), /There is no folder sorce\. Did you mean source\?/);
    for (const pattern of ['..', 'src/..', '{..,src}/*.ts', './../*'])
      await assert.rejects(glob(pattern), /must be relative/, pattern);
  });

  it('gives up on a pattern that never ends', async () => {
    await writeTree(root.path, { [`${'a'.repeat(60)}b`]: '' });
    for (const pattern of [`${'*a'.repeat(20)}c`, '{a,b}'.repeat(24), '{1..9999999}'])
      await assert.rejects(glob(pattern), /takes too long to match/, pattern);
    await assert.rejects(glob('a'.repeat(1_001)), /is too long for a glob pattern/);
  });

  it('stops after 10 s and says so', async () => {
    await writeTree(root.path, { 'a.ts': '' });
    const times = [0, 10_001];
    const tool = createGlob({
      workspace: diskWorkspace([root.path]),
      now: () => times.shift() ?? 0,
    });
    assert.equal(
      await tool.run({ pattern: '*' }, new AbortController().signal),
      'a.ts\n[Stopped after 10 s, so there may be more. Narrow the pattern or the path.]',
    );
  });
});

describe('a glob pattern', () => {
  const cases: readonly [pattern: string, fits: readonly string[], misses: readonly string[]][] = [
    ['*.ts', ['a.ts', 'x/y/a.ts', '.github/a.ts'], ['a.tsx', '.ts']],
    ['**/*.yml', ['a.yml', '.github/workflows/ci.yml'], ['a.yaml']],
    ['*.{ts,tsx}', ['a.ts', 'x/a.tsx'], ['a.js']],
    ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['a.ts', 'lib/src/a.ts']],
    ['{src,test}/**/*.ts', ['src/a.ts', 'test/x/a.ts'], ['lib/a.ts']],
    ['./src/*.ts', ['src/a.ts'], ['src/x/a.ts']],
    ['src/', ['src/a.ts', 'src/x/a.ts'], ['a/src']],
    ['[ab]?.md', ['a1.md', 'x/b2.md'], ['c1.md', 'a.md']],
    ['**', ['a', 'x/a'], ['.env']],
    ['.*', ['.env', 'x/.eslintrc'], ['env']],
  ];
  for (const [pattern, fits, misses] of cases) {
    it(`${pattern} fits ${fits.join(' ')} and not ${misses.join(' ')}`, () => {
      const matches = globMatcher(pattern);
      assert.deepEqual([...fits, ...misses].filter(matches), fits);
    });
  }

  it('parts folders by backslashes too, unless one stands in front of a bracket', () => {
    assert.ok(globMatcher('src\\**\\*.ts')('src/x/a.ts'));
    assert.ok(globMatcher('src\\x\\')('src/x/a.ts'));
    assert.ok(globMatcher('\\[id\\].{ts,js}')('[id].ts'));
    assert.throws(() => globMatcher('..\\*.ts'), /must be relative/);
    assert.throws(() => globMatcher('C:\\app\\*.ts', 'win32'), /must be relative/);
  });

  it('fits a name with brackets as it is written', () => {
    assert.ok(globMatcher('app/[id]/page.tsx')('app/[id]/page.tsx'));
    assert.ok(globMatcher('[id].ts')('app/[id].ts'));
    assert.ok(globMatcher('[id].ts')('app/i.ts'));
  });
});
