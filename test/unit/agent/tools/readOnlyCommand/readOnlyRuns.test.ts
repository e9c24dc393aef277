import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { isReadOnlyCommand } from '../../../../../src/agent/tools/readOnlyCommand/readOnlyCommand.ts';
import { runShell } from '../../../../../src/base/shell.ts';
import { git, skipWithoutGit } from '../../../../support/git.ts';
import { seededRandom, type SeededRandom } from '../../../../support/seededRandom.ts';
import { readTree, useTempFolder, writeTree } from '../../../../support/tempFolder.ts';

const LINES = 200;
/** They run together: to start a shell and to look at the folder takes longer than they do. */
const LINES_IN_ONE_RUN = 20;

const BEGINNINGS = [
  [
    'ls',
    'cat',
    'head',
    'tail',
    'sort',
    'uniq',
    'wc',
    'echo',
    'find',
    'grep',
    'diff',
    'cmp',
    'cut',
    'tr',
  ],
  [
    'git status',
    'git log',
    'git diff',
    'git show',
    'git branch',
    'git tag',
    'git stash',
    'git remote',
  ],
  [
    'sed -n',
    'sed',
    'jq',
    'test',
    'cd src &&',
    'cd src',
    'git grep',
    'git rev-list',
    'git reflog',
    'git cat-file',
    'git ls-tree',
    'git merge-base',
  ],
  [
    'git ls-files',
    'git rev-parse',
    'git blame',
    'git describe',
    'du',
    'stat',
    'file',
    'nl',
    'date',
    'tree',
  ],
  [
    'rm',
    'touch',
    'tee',
    'sh',
    'xargs',
    'printf',
    'cd',
    'cp',
    'sed -i s/foo/x/',
    'mkdir',
    'mv a.txt',
  ],
  [
    'find . -delete',
    'find . -fprint',
    'find . -exec rm',
    'sort -o new',
    'sort a.txt -o',
    'uniq a.txt',
  ],
  [
    'git branch new',
    'git tag new',
    'git stash --',
    'git log --output',
    'git remote add',
    'git -C src',
  ],
].flat();
const WORDS = [
  [
    'a.txt',
    'src',
    'new',
    './a.txt',
    'src/x.ts',
    '.',
    'HEAD',
    'list',
    'push',
    "'b c'",
    '"new"',
    '-',
    '--',
  ],
  [
    '-n',
    '-o',
    '-l',
    '-r',
    '-c',
    '-u',
    '-d',
    '-a',
    '-m',
    '-f1',
    '-no',
    '-ro',
    '-oc',
    '--all',
    '--list',
    '-1',
  ],
  [
    '--output=new',
    '--output',
    '-delete',
    '-exec',
    '-name',
    '-print',
    "'*.ts'",
    "'('",
    "';'",
    '-fprint',
  ],
  [
    '--stat',
    '--no-index',
    '-D',
    '-s',
    '--oneline',
    '--sort=size',
    '--cached',
    '+%Y',
    '1,2p',
    "'1w new'",
    '$p',
    '.a',
    '-e',
    '-i',
    '-p',
    '--include=*',
    '--color',
    '-type',
    'f',
  ],
].flat();
const JOINS = [
  '|',
  '&&',
  '||',
  ';',
  '&',
  '>',
  '>>',
  '2>&1',
  '>/dev/null',
  '\n',
  '|&',
  '<',
  '$(',
  ')',
];
const GLUE = [' ', ' ', ' ', ' ', '', '  ', "'", '"', '\\', '`', '$', '\t', '~', '#', '!'];

describe('a line that is held to only read', function () {
  if (process.platform === 'win32') return;
  this.timeout(30_000);
  const root = useTempFolder();

  it('changes nothing when bash runs it, whatever it is made of', async function () {
    skipWithoutGit(this);
    await writeTree(root.path, { 'a.txt': 'foo\nbar\nfoo\n', 'b c': 'x\n', 'src/x.ts': 'foo\n' });
    git(root.path, 'init', '--quiet');
    git(root.path, 'add', '.');
    git(root.path, 'commit', '--quiet', '-m', 'begin');
    await writeTree(root.path, { 'a.txt': 'foo\nchanged\n' });
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: root.path };
    const before = await snapshot(root.path);
    const lines = await readOnlyLines(LINES, { folders: [root.path], env });
    for (let at = 0; at < LINES; at += LINES_IN_ONE_RUN) {
      const command = lines.slice(at, at + LINES_IN_ONE_RUN).join('\n');
      const run = { command, cwd: root.path, env, timeoutMs: 20_000, maxChars: 1_000 };
      const { ending } = await runShell(run, new AbortController().signal);
      assert.equal(ending.type, 'exited', command);
      assert.deepEqual(await snapshot(root.path), before, command);
    }
  });
});

async function readOnlyLines(
  count: number,
  surroundings: Parameters<typeof isReadOnlyCommand>[1],
): Promise<string[]> {
  const random = seededRandom(1);
  const lines: string[] = [];
  while (lines.length < count) {
    const line = randomLine(random);
    if (await isReadOnlyCommand(line, surroundings)) lines.push(line);
  }
  return lines;
}

/** Most of them sound, so that many are held to only read; some with what breaks a line apart. */
function randomLine(random: SeededRandom): string {
  let line = '';
  const isWild = random.chance(0.3);
  do {
    line += random.pick(BEGINNINGS);
    while (random.chance(0.55)) line += (isWild ? random.pick(GLUE) : ' ') + random.pick(WORDS);
    line += ` ${random.pick(isWild ? JOINS : JOINS.slice(0, 4))} `;
  } while (random.chance(0.4));
  return isWild && random.chance(0.5) ? line : `${line}true`;
}

/** Every name, and what the files say. */
async function snapshot(folder: string) {
  const names = await fs.readdir(folder, { recursive: true });
  return { names: names.map((name) => path.join(name)).toSorted(), files: await readTree(folder) };
}
