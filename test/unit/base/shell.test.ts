import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { linuxProcesses, parsePs, type ProcessRow } from '../../../src/base/processTree.ts';
import { killAllShells, runShell, type ShellCommand } from '../../../src/base/shell.ts';
import { git, skipWithoutGit } from '../../support/git.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
/** A grandchild that refuses TERM, in a group of its own as `timeout` makes one, beside an obedient child. */
const STUBBORN = `
  (trap '' TERM; echo $BASHPID > stubborn; while :; do sleep 0.1; done) &
  set -m; sleep 1000 & echo $! > apart; set +m
  until [ -s stubborn ]; do sleep 0.01; done
  echo $$ > shell; wait`;

describe('runShell', function () {
  if (process.platform === 'win32') return;
  const folder = useTempFolder();

  const run = (command: string, options: Partial<ShellCommand> = {}, signal = NEVER) =>
    runShell({ command, cwd: folder.path, timeoutMs: 60_000, maxChars: 1_000, ...options }, signal);

  it('returns both streams, the exit code, and runs in the folder', async () => {
    const result = await run('pwd; echo problem >&2; exit 3');
    assert.deepEqual(result, {
      output: `${folder.path}\nproblem\n`,
      ending: { type: 'exited', code: 3 },
      background: [],
    });
  });

  it('gives no input, so a command that asks ends', async () => {
    assert.equal((await run('cat; read x; echo "done $? $x"')).output, 'done 1 \n');
    // A password is asked for at the terminal itself.
    assert.equal((await run('read x 2> /dev/null < /dev/tty || echo none')).output, 'none\n');
  });

  it('opens no editor for git, and no pager', async function () {
    skipWithoutGit(this);
    git(folder.path, 'init', '--quiet');
    git(folder.path, 'commit', '--quiet', '--allow-empty', '-m', 'first message');
    const env = { ...process.env, EDITOR: 'sleep 1000', GIT_SEQUENCE_EDITOR: 'sleep 1000' };
    const identity = 'git -c user.name=T -c user.email=t@example.invalid -c commit.gpgsign=false';
    const commit = await run(`${identity} commit --allow-empty`, { env });
    assert.match(commit.output, /empty commit message/);
    assert.deepEqual(commit.ending, { type: 'exited', code: 1 });
    const amend = await run(`${identity} commit --amend --allow-empty; git log --format=%s`, {
      env,
    });
    assert.match(amend.output, /\nfirst message\n$/);
    assert.equal(
      (await run('echo "$PAGER|$GIT_PAGER|$GIT_TERMINAL_PROMPT"')).output,
      'cat|cat|0\n',
    );
  });

  it('leaves the index alone when git looks at the state', async function () {
    skipWithoutGit(this);
    const file = path.join(folder.path, 'a');
    await fs.writeFile(file, 'x');
    git(folder.path, 'init', '--quiet');
    git(folder.path, 'add', '.');
    await fs.utimes(file, 1, 1);
    const index = () => fs.readFile(path.join(folder.path, '.git/index'), 'latin1');
    const before = await index();
    await run('git status');
    assert.equal(await index(), before);
  });

  it('says which signal ended a command', async () => {
    assert.deepEqual((await run('kill -9 $$')).ending, { type: 'killed', signal: 'SIGKILL' });
  });

  it('keeps the head and the tail of a long output', async () => {
    const { output } = await run(
      'printf start; head -c 5000000 /dev/zero | tr "\\0" x; printf end',
    );
    assert.match(output, /^startx+\n\[\.\.\. 4999008 characters left out \.\.\.\]\nx+end$/);
    assert.equal(output.replace(/\n.*\n/, '').length, 1_000);
  });

  it('hands over all of a long output while it runs, in the order it comes', async () => {
    let all = '';
    const stop = new AbortController();
    const takeAll = async (text: string) => {
      all += text;
      if (all.includes('last')) stop.abort();
    };
    const command = 'seq 1 5000; echo to stderr >&2; sleep 0.1; echo last; sleep 1000';
    const { ending } = await run(command, { takeAll }, stop.signal);
    assert.equal(ending.type, 'stopped');
    const numbers = Array.from({ length: 5_000 }, (_, index) => `${index + 1}\n`).join('');
    assert.equal(all, `${numbers}to stderr\nlast\n`);
  });

  it('decodes a character that comes in two pieces', async () => {
    const { output } = await run(String.raw`printf '\355\225'; sleep 0.1; printf '\234'`);
    assert.equal(output, '한');
  });

  it('keeps keys and tokens out of the environment', async () => {
    const env = { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'k', GH_TOKEN: 't', PLAIN: 'p' };
    const { output } = await run('echo "$ANTHROPIC_API_KEY|$GH_TOKEN|$PLAIN"', { env });
    assert.equal(output, '||p\n');
  });

  it('returns though a background child holds the output open, and names it', async () => {
    const { output, ending, background } = await run('sleep 1000 & echo $!');
    assert.deepEqual(ending, { type: 'exited', code: 0 });
    assert.deepEqual(background, [Number(output)]);
    process.kill(Number(output), 'SIGKILL');
  });

  it('lets what runs in the background go on printing after the result', async () => {
    const loop = 'while :; do echo tick || exit; echo more >> printed; sleep 0.05; done';
    const { background } = await run(`(${loop}) & echo begun`);
    const { size } = await fs.stat(path.join(folder.path, 'printed'));
    await fileAppears('printed', size + 30);
    assert.equal((await alivePids()).has(background[0] ?? 0), true);
    process.kill(background[0] ?? 0, 'SIGKILL');
  });

  it('spends little on what runs in the background and never stops printing', async function () {
    // Elsewhere `date` tells no milliseconds.
    if (process.platform !== 'linux') this.skip();
    const [chunks, pauseMs] = [64, 10];
    const flood = `head -c ${chunks * 65_536} /dev/zero`;
    const times = 'date +%s%3N >> times';
    // It begins when the command has ended and nothing is kept any more.
    const { background } = await run(`(sleep 1; ${times}; ${flood}; ${times}) & echo begun`);
    await fileAppears('times');
    await ended(background[0] ?? 0);
    const [begin = 0, end = 0] = (await fs.readFile(path.join(folder.path, 'times'), 'utf8'))
      .split('\n')
      .map(Number);
    // What the pipe itself holds costs no time.
    assert.ok(end - begin > (chunks * pauseMs) / 2, `${end - begin} ms`);
  });

  it('ends the whole tree when time is up, children that refuse TERM too', async () => {
    const { ending } = await run(STUBBORN, { timeoutMs: 500 });
    assert.deepEqual(ending, { type: 'timedOut', problem: undefined });
    assert.deepEqual(await living(), []);
  });

  it('returns on abort what was printed, once the whole tree is dead', async () => {
    const stop = new AbortController();
    const running = run(`echo begun; ${STUBBORN}`, {}, stop.signal);
    await fileAppears('shell');
    assert.equal((await living()).length, 3);
    stop.abort(new Error('stopped by the user'));
    assert.deepEqual(await running, {
      output: 'begun\n',
      ending: { type: 'stopped', problem: undefined },
      background: [],
    });
    assert.deepEqual(await living(), []);
  });

  it('returns on abort all that was printed on the way to the end', async () => {
    const stop = new AbortController();
    const farewell = 'seq 1 20000; echo farewell';
    const running = run(
      `trap '${farewell}; exit' TERM; echo $$ > shell; while :; do sleep 0.01; done`,
      { maxChars: 1_000_000 },
      stop.signal,
    );
    await fileAppears('shell');
    stop.abort();
    assert.match((await running).output, /^1\n2\n[^]*\n20000\nfarewell\n$/);
  });

  it('returns on abort what was still on its way when the tree was dead', async function () {
    // Elsewhere a pipe holds too little for that.
    if (process.platform !== 'linux') this.skip();
    const gate = Promise.withResolvers<void>();
    let all = '';
    const stop = new AbortController();
    const running = run(
      'head -c 150000 /dev/zero | tr "\\0" x; echo $$ > shell; sleep 1000',
      {
        takeAll: async (text) => {
          all += text;
          await gate.promise;
        },
        listProcesses: async () => {
          const rows = await processes();
          const shell = await pidIn('shell');
          if (rows.every(({ pid }) => pid !== shell)) gate.resolve();
          return rows;
        },
      },
      stop.signal,
    );
    await fileAppears('shell');
    stop.abort();
    await running;
    assert.equal(all.length, 150_000);
  });

  it('is done with a command that refuses TERM before VS Code drops the result', async () => {
    const stop = new AbortController();
    const running = run(STUBBORN, {}, stop.signal);
    await fileAppears('shell');
    const begun = performance.now();
    stop.abort();
    await running;
    const took = performance.now() - begun;
    assert.ok(took < 900, `${took} ms`);
  });

  it('ends a daemon that has left group, session and parent, and refuses TERM', async function () {
    if (process.platform !== 'linux') this.skip();
    // Forked twice, each time with a session of its own, and with none of the pipes.
    const daemon = `(setsid sh -c '(setsid sh -c "trap : TERM; echo \\$\\$ > shell; while :; do sleep 0.1; done" &)' &)`;
    const stop = new AbortController();
    const running = run(`${daemon} > /dev/null 2>&1; sleep 1000`, {}, stop.signal);
    await fileAppears('shell');
    assert.equal((await alivePids()).has(await pidIn('shell')), true);
    stop.abort();
    assert.equal((await running).ending.type, 'stopped');
    assert.equal((await alivePids()).has(await pidIn('shell')), false);
  });

  it('tells on abort that the tree could not be ended', async () => {
    const stop = new AbortController();
    const listProcesses = async () => {
      throw new Error('too many open files');
    };
    const running = run('echo $$ > shell; sleep 1000', { listProcesses }, stop.signal);
    await fileAppears('shell');
    stop.abort();
    assert.deepEqual((await running).ending, { type: 'stopped', problem: 'too many open files' });
  });

  it('keeps the output, closes the pipes and says why when the tree cannot be ended', async () => {
    const { output, ending } = await run('echo begun; echo $$ > shell; sleep 1000', {
      timeoutMs: 300,
      listProcesses: async () => {
        throw new Error('too many open files');
      },
    });
    assert.equal(output, 'begun\n');
    assert.deepEqual(ending, { type: 'timedOut', problem: 'too many open files' });
    await ended(await pidIn('shell'));
  });

  it('names the processes that outlive KILL', async () => {
    const immortal = { pid: 2 ** 30, group: 2 ** 30, session: 1, mark: undefined };
    const { ending } = await run('echo $$ > shell; sleep 1000', {
      timeoutMs: 300,
      listProcesses: async () => [
        ...(await processes()),
        { ...immortal, parent: await pidIn('shell') },
      ],
    });
    assert.ok(ending.type === 'timedOut');
    assert.match(ending.problem ?? '', /still runs: process 1073741824\.$/);
  });

  it('throws when the system cannot start the command', async () => {
    await assert.rejects(run(`echo ${'x'.repeat(3_000_000)}`), /E2BIG/);
  });

  it('kills at once everything that runs, and what earlier commands left running', async () => {
    const { background } = await run('sleep 1000 > /dev/null 2>&1 &');
    const running = run(STUBBORN);
    await fileAppears('shell');
    assert.equal((await living()).length, 3);
    killAllShells();
    assert.deepEqual((await running).ending, { type: 'killed', signal: 'SIGKILL' });
    await ended(background[0] ?? 0);
    // Off Linux a child in a group of its own cannot be found at once.
    const names = process.platform === 'linux' ? ['stubborn', 'apart'] : ['stubborn'];
    for (const name of names) await ended(await pidIn(name));
    if (process.platform !== 'linux') process.kill(await pidIn('apart'), 'SIGKILL');
  });

  it('lets a command that obeys TERM clean up', async () => {
    const stop = new AbortController();
    const running = run(
      `trap 'echo > cleaned; exit' TERM; echo > shell; sleep 1000 & wait`,
      {},
      stop.signal,
    );
    await fileAppears('shell');
    stop.abort();
    await running;
    await fs.access(path.join(folder.path, 'cleaned'));
  });

  it('starts nothing when it is aborted before', async () => {
    await assert.rejects(run('echo > shell', {}, AbortSignal.abort()), /abort/i);
    assert.deepEqual(await fs.readdir(folder.path), []);
  });

  it('starts nothing when it is aborted on the way to the start', async () => {
    const stop = new AbortController();
    const running = run('echo > shell', {}, stop.signal);
    stop.abort();
    await assert.rejects(running, /abort/i);
    assert.deepEqual(await fs.readdir(folder.path), []);
  });

  it('names a working folder that is gone', async () => {
    const cwd = path.join(folder.path, 'gone');
    await assert.rejects(run('true', { cwd }), /working folder .*gone does not exist/);
  });

  it('falls back to sh where there is no bash', async () => {
    assert.equal((await run('echo hello', { env: { PATH: '/nowhere' } })).output, 'hello\n');
  });

  /** The processes of STUBBORN that still run. */
  async function living(): Promise<string[]> {
    const alive = await alivePids();
    const names = ['shell', 'stubborn', 'apart'];
    const pids = await Promise.all(
      names.map((name) => fs.readFile(path.join(folder.path, name), 'utf8')),
    );
    return names.filter((_, index) => alive.has(Number(pids[index])));
  }

  async function fileAppears(name: string, size = 1): Promise<void> {
    const file = path.join(folder.path, name);
    while (((await fs.stat(file).catch(() => undefined))?.size ?? 0) < size) await sleep(10);
  }

  async function pidIn(name: string): Promise<number> {
    return Number(await fs.readFile(path.join(folder.path, name), 'utf8'));
  }

  async function ended(pid: number): Promise<void> {
    assert.ok(pid > 1);
    while ((await alivePids()).has(pid)) await sleep(10);
  }
});

/** A zombie is dead; who reaps it, and when, is the system's affair. */
async function alivePids(): Promise<ReadonlySet<number>> {
  return new Set((await processes()).map(({ pid }) => pid));
}

async function processes(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return linuxProcesses();
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
  return parsePs(stdout);
}
