// Runs one shell command in its own process group: bounded output, a time limit, no input, no secrets in its
// environment. When it is stopped, everything it started is dead before the caller hears of it.

import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode, infoIfPresent } from './files.ts';
import { linuxProcesses, parsePs, treeOf } from './processTree.ts';

export interface ShellOptions {
  /** This process's own when left out. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface ShellCommand extends ShellOptions {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Of output; from a longer one the middle is left out. */
  readonly maxChars: number;
}

export interface ShellResult {
  /** What the command printed to both streams, as it came. */
  readonly output: string;
  readonly ending:
    | { readonly type: 'exited'; readonly code: number }
    | { readonly type: 'killed'; readonly signal: string }
    | { readonly type: 'timedOut' };
  /** Process ids that the command left running. */
  readonly background: readonly number[];
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** What a well-behaved program needs to clean up after TERM. */
const TERM_GRACE_MS = 1_500;
/** KILL cannot be refused; this only waits for the system to carry it out. */
const KILL_WAIT_MS = 2_000;
const POLL_MS = 40;
/** A background child may hold the pipes open for ever; output that was on its way arrives within this. */
const PIPE_GRACE_MS = 500;

const SECRET_NAME = /(^|_)(API_?KEY|ACCESS_KEY|TOKEN|SECRET|PASSWORD)$|^ANTHROPIC_CUSTOM_HEADERS$/i;

/** Throws when the command cannot start, and the signal's reason when it is aborted. */
export async function runShell(run: ShellCommand, signal: AbortSignal): Promise<ShellResult> {
  signal.throwIfAborted();
  if ((await infoIfPresent(run.cwd))?.kind !== 'folder') {
    throw new Error(`The working folder ${run.cwd} does not exist.`);
  }
  const child = await start(run);
  const output = collectOutput(child, run.maxChars);
  const exited = once(child, 'exit');
  const closed = once(child, 'close');
  const pid = child.pid ?? 0;

  const stopped = await stopBefore(exited, run.timeoutMs, signal);
  if (stopped) await killTree(pid);
  await stopBefore(closed, PIPE_GRACE_MS, signal);
  child.stdout.destroy();
  child.stderr.destroy();
  if (signal.aborted && !stopped) await killTree(pid);
  signal.throwIfAborted();

  const background = treeOf(await listProcesses(), pid);
  return { output: output(), ending: stopped ? { type: 'timedOut' } : endingOf(child), background };
}

/** The environment without what looks like a key: a model reads what a command prints. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !SECRET_NAME.test(name));
  // VS Code runs its own processes as plain Node with this; `code` in a command would inherit it.
  return Object.fromEntries(kept.filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'));
}

/** The program that takes a command on this kind of system. On Windows the person's own, cmd.exe as a rule. */
export function shellProgram(
  command: string,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): { readonly file: string; readonly args: readonly string[] } {
  if (platform !== 'win32') return { file: 'bash', args: ['-c', command] };
  const file = env['ComSpec'] ?? 'powershell.exe';
  return /powershell|pwsh/i.test(file)
    ? { file, args: ['-NoProfile', '-NonInteractive', '-Command', command] }
    : // Code page 65001 is UTF-8: without it output comes in the code page of the country.
      { file, args: ['/d', '/s', '/c', `"chcp 65001>nul & ${command}"`] };
}

async function start(run: ShellCommand): Promise<Child> {
  const env = run.env ?? process.env;
  const { file, args } = shellProgram(run.command, process.platform, env);
  try {
    return await spawned(file, args, run);
  } catch (error) {
    if (process.platform === 'win32' || !hasCode(error, 'ENOENT')) throw error;
    return spawned('/bin/sh', args, run);
  }
}

async function spawned(file: string, args: readonly string[], run: ShellCommand): Promise<Child> {
  const child = spawn(file, args, {
    cwd: run.cwd,
    env: withoutSecrets(run.env ?? process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which can be ended as a whole. On Windows it would open a console window.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: file.toLowerCase().endsWith('cmd.exe'),
  });
  await once(child, 'spawn');
  return child;
}

/** Whether time or the person's patience ran out before `event`. */
async function stopBefore(
  event: Promise<unknown>,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  const settled = new AbortController();
  const stop = sleep(ms, true, { signal: AbortSignal.any([signal, settled.signal]) }).catch(
    () => !settled.signal.aborted,
  );
  try {
    return await Promise.race([event.then(() => false), stop]);
  } finally {
    settled.abort();
  }
}

function endingOf(child: Child): ShellResult['ending'] {
  return child.exitCode === null
    ? { type: 'killed', signal: child.signalCode ?? 'unknown signal' }
    : { type: 'exited', code: child.exitCode };
}

/** Ends a process and all it started: TERM, and KILL for those that are still there after the grace. */
async function killTree(root: number): Promise<void> {
  if (process.platform === 'win32') {
    // Fails when the process has just ended by itself, which is what was wanted.
    await promisify(execFile)('taskkill', ['/PID', String(root), '/T', '/F']).catch(
      () => undefined,
    );
    return;
  }
  const known = new Set([root]);
  if (await endedAfter('SIGTERM', known, TERM_GRACE_MS)) return;
  if (await endedAfter('SIGKILL', known, KILL_WAIT_MS)) return;
  throw new Error(`The command was stopped, but part of it still runs (process group ${root}).`);
}

/**
 * Signals every member once, those that turn up later too, until none is left or time is up. `known` grows by
 * whoever was seen: a process whose parent is gone can no longer be found through it.
 */
async function endedAfter(
  signal: NodeJS.Signals,
  known: Set<number>,
  ms: number,
): Promise<boolean> {
  const signalled = new Set<number>();
  for (const deadline = performance.now() + ms; ; await sleep(POLL_MS)) {
    const rows = await listProcesses();
    const alive = new Set([...known].flatMap((pid) => treeOf(rows, pid)));
    if (alive.size === 0) return true;
    if (performance.now() > deadline) return false;
    for (const pid of alive) {
      if (!signalled.has(pid)) send(pid, signal);
      signalled.add(pid);
      known.add(pid);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone meanwhile, or not ours to end (a setuid program): the caller's next look tells which.
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}

async function listProcesses() {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux') return linuxProcesses();
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
  return parsePs(stdout);
}

/** Gathers both streams; memory stays bounded whatever the command prints. Returns what reads the text. */
function collectOutput(child: Child, maxChars: number): () => string {
  const half = Math.floor(maxChars / 2);
  let head = '';
  let tail = '';
  let dropped = 0;
  const keepTail = (chars: number) => {
    dropped += Math.max(0, tail.length - chars);
    tail = tail.slice(-chars);
  };
  const add = (chunk: string) => {
    const room = half - head.length;
    head += chunk.slice(0, room);
    tail += chunk.slice(room);
    // Cutting at twice the length makes the cost of a long output linear.
    if (tail.length > 2 * half) keepTail(half);
  };
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  return () => {
    if (tail.length > half) keepTail(half);
    return dropped === 0
      ? head + tail
      : `${head}\n[... ${dropped} characters left out ...]\n${tail}`;
  };
}
