import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { ignoringRule, trackedFiles } from '../../../src/base/git.ts';
import { kindIfPresent } from '../../../src/base/files.ts';
import { git as runGit, skipWithoutGit } from '../../support/git.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

const ODD_NAMES = ['-rf.md', ' lead.md', '星 级.md', ':(top)x.md', 'a[b].md', '!x.md'];
/** Windows has no such names. */
const ODDER_NAMES = ['a\nb.md', 'say "hi".md', 'a\\b.md'];

describe('git', function () {
  const root = useTempFolder();
  const unix = process.platform !== 'win32';
  const names = unix ? [...ODD_NAMES, ...ODDER_NAMES] : ODD_NAMES;

  before(function () {
    skipWithoutGit(this);
  });

  const repository = () => path.join(root.path, 'repository');
  const memories = () => path.join(repository(), '.memory');
  const git = (...args: readonly string[]) => runGit(repository(), ...args);

  beforeEach(async () => {
    await fs.mkdir(repository());
    git('init', '--quiet');
    await fs.mkdir(memories());
  });

  it('tells what is tracked in a folder, by names of every kind', async () => {
    await writeTree(repository(), { 'outside.md': '', '.memory/untracked.md': '' });
    await writeTree(
      memories(),
      Object.fromEntries([...names, 'sub/a.md'].map((name) => [name, ''])),
    );
    git('add', '--all');
    git('rm', '--cached', '--quiet', '.memory/untracked.md');
    assert.deepEqual(await trackedFiles(memories()), new Set([...names, 'sub/a.md']));
  });

  it('tracks nothing in a new repository', async () => {
    assert.deepEqual(await trackedFiles(memories()), new Set());
  });

  it('names the rule elsewhere that hides a file, for names of every kind', async () => {
    await writeTree(repository(), { '.gitignore': '# mine\n.memory/\n' });
    for (const name of names)
      assert.equal(await ignoringRule(memories(), name), '.gitignore:2:.memory/', name);
  });

  it('names a rule of the repository that stands in no .gitignore', async () => {
    await writeTree(repository(), { '.git/info/exclude': '*.md\n' });
    assert.equal(await ignoringRule(memories(), 'x.md'), '.git/info/exclude:1:*.md');
  });

  it('names no rule that takes a file back, nor one of the folder itself', async () => {
    await writeTree(repository(), {
      '.gitignore': '*.md\n!back.md\n',
      '.memory/.gitignore': 'own.md\n',
    });
    assert.equal(await ignoringRule(memories(), 'back.md'), undefined);
    assert.equal(await ignoringRule(memories(), 'own.md'), undefined);
    assert.equal(await ignoringRule(memories(), 'x.md'), '.gitignore:1:*.md');
  });

  it('names no rule for a file that is tracked in spite of it', async () => {
    await writeTree(repository(), { '.gitignore': '.memory/\n', '.memory/x.md': '' });
    git('add', '--force', '.memory/x.md');
    assert.equal(await ignoringRule(memories(), 'x.md'), undefined);
  });

  it('gives no answer outside a repository, nor for a folder that is not there', async () => {
    const plain = path.join(root.path, 'plain');
    await fs.mkdir(plain);
    assert.equal(await trackedFiles(plain), undefined);
    assert.equal(await ignoringRule(plain, 'x.md'), undefined);
    assert.equal(await trackedFiles(path.join(root.path, 'nowhere')), undefined);
  });

  it('gives no answer where git is not installed', async () => {
    await withVariables({ PATH: root.path, Path: root.path }, async () => {
      assert.equal(await trackedFiles(memories()), undefined);
      assert.equal(await ignoringRule(memories(), 'x.md'), undefined);
    });
  });

  it('asks the repository of the folder, whatever git the editor was started from', async () => {
    const other = path.join(root.path, 'other');
    await writeTree(repository(), { '.memory/x.md': '' });
    git('add', '--all');
    git('init', '--quiet', other);
    const left = {
      GIT_DIR: path.join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: 'none',
    };
    await withVariables(left, async () => {
      assert.deepEqual(await trackedFiles(memories()), new Set(['x.md']));
    });
  });

  it('writes nothing into the repository', async () => {
    await writeTree(repository(), { '.memory/x.md': '' });
    git('add', '--all');
    const before = await readTree(repository());
    await trackedFiles(memories());
    await ignoringRule(memories(), 'x.md');
    assert.deepEqual(await readTree(repository()), before);
  });

  describe('in a repository that would run a program', () => {
    const program = () => path.join(root.path, 'program.sh');
    const ran = () => path.join(root.path, 'ran');

    beforeEach(async function () {
      if (!unix) this.skip();
      await fs.writeFile(program(), `#!/bin/sh\ntouch '${ran()}'\n`, { mode: 0o755 });
    });

    it('does not run its monitor of files', async () => {
      await writeTree(repository(), { '.memory/x.md': '' });
      git('add', '--all');
      git('config', 'core.fsmonitor', program());
      git('update-index', '--fsmonitor');
      await assertRuns(ran(), () => git('ls-files'));
      assert.deepEqual(await trackedFiles(memories()), new Set(['x.md']));
      await ignoringRule(memories(), 'x.md');
      assert.equal(await kindIfPresent(ran()), undefined);
    });

    it('does not take a folder of the project for a repository', async function () {
      if (olderThan238()) this.skip();
      git('init', '--quiet', '--bare', memories());
      assert.equal(await trackedFiles(memories()), undefined);
    });

    it('does not fetch what a partial clone lacks', async function () {
      if (olderThan238()) this.skip();
      await writeTree(repository(), { 'a/far.txt': '', '.memory/x.md': '' });
      git('add', '--all');
      git('commit', '--quiet', '--message=all');
      git('sparse-checkout', 'set', '--cone', '--sparse-index', '.memory');
      const tree = git('rev-parse', 'HEAD:a').trim();
      await fs.rm(path.join(repository(), '.git/objects', tree.slice(0, 2), tree.slice(2)));
      git('config', 'remote.origin.url', repository());
      git('config', 'remote.origin.promisor', 'true');
      git('config', 'remote.origin.uploadpack', program());
      git('config', 'core.repositoryFormatVersion', '1');
      git('config', 'extensions.partialClone', 'origin');
      await assertRuns(ran(), () => git('ls-files'));
      await trackedFiles(memories());
      await ignoringRule(memories(), 'x.md');
      assert.equal(await kindIfPresent(ran()), undefined);
    });
  });
});

/** Else the test would show nothing. */
async function assertRuns(trace: string, plainGit: () => string): Promise<void> {
  try {
    plainGit();
  } catch (error) {
    // What matters is that the program was started, not how git liked it.
    assert.ok(error instanceof Error);
  }
  assert.equal(await kindIfPresent(trace), 'file', 'plain git does not run the program');
  await fs.rm(trace);
}

async function withVariables(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
    for (const [name, value] of Object.entries(before)) process.env[name] = value;
  }
}

/** Such a git cannot refuse hidden repositories, nor be set up with a sparse index in one step. */
function olderThan238(): boolean {
  const [, major, minor] =
    /(\d+)\.(\d+)/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' })) ?? [];
  const old = Number(major) * 1000 + Number(minor) < 2038;
  if (old) console.warn('      This git is too old for the next test.');
  return old;
}
