import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { linuxProcesses, parsePs, type ProcessRow } from '../../../src/base/processTree.ts';
import {
  killAllShells,
  runShell,
  shellProgram,
  type ShellCommand,
} from '../../../src/base/shell.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
/** A grandchild that refuses TERM, in a group of its own as `timeout` makes one, beside an obedient child. */
const STUBBORN = `
  (trap '' TERM; echo $BASHPID > stubborn; while :; do sleep 0.1; done) &
  set -m; sleep 1000 & echo $! > apart; set +m
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

  it('gives no input, so a command that reads ends', async () => {
    assert.equal((await run('cat; echo done')).output, 'done\n');
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

  it('ends the whole tree when time is up, children that refuse TERM too', async () => {
    const { ending } = await run(STUBBORN, { timeoutMs: 500 });
    assert.deepEqual(ending, { type: 'timedOut', problem: undefined });
    assert.deepEqual(await living(), []);
  });

  it('throws on abort, once the whole tree is dead', async () => {
    const stop = new AbortController();
    const running = run(STUBBORN, {}, stop.signal);
    await fileAppears('shell');
    assert.equal((await living()).length, 3);
    stop.abort(new Error('stopped by the user'));
    await assert.rejects(running, /stopped by the user/);
    assert.deepEqual(await living(), []);
  });

  it('is done with a command that refuses TERM before VS Code drops the result', async () => {
    const stop = new AbortController();
    const running = run(STUBBORN, {}, stop.signal);
    await fileAppears('shell');
    const begun = performance.now();
    stop.abort();
    await assert.rejects(running, /abort/i);
    const took = performance.now() - begun;
    assert.ok(took < 900, `${took} ms`);
  });

  it('ends a daemon that has left group, session and parent', async function () {
    if (process.platform !== 'linux') this.skip();
    const stop = new AbortController();
    const daemon = `(setsid sh -c 'echo $$ > shell; exec sleep 1000' &)`;
    const running = run(`${daemon}; sleep 1000`, {}, stop.signal);
    await fileAppears('shell');
    stop.abort();
    await assert.rejects(running, /abort/i);
    assert.equal((await alivePids()).has(await pidIn('shell')), false);
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
    await assert.rejects(running, /abort/i);
    await fs.access(path.join(folder.path, 'cleaned'));
  });

  it('starts nothing when it is aborted before', async () => {
    await assert.rejects(run('echo > shell', {}, AbortSignal.abort()), /abort/i);
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

describe('the program of a command', () => {
  it('is bash, and on Windows what ComSpec names, with UTF-8 output', () => {
    assert.deepEqual(shellProgram('ls', 'darwin', {}), { file: 'bash', args: ['-c', 'ls'] });
    assert.deepEqual(shellProgram('dir', 'win32', { ComSpec: 'C:\\cmd.exe' }), {
      file: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', '"chcp 65001>nul & dir"'],
    });
    assert.deepEqual(shellProgram('dir', 'win32', {}), {
      file: 'powershell.exe',
      args: ['-NoProfile', '-NonInteractive', '-Command', 'dir'],
    });
  });
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
