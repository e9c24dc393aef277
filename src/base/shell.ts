// Runs one shell command in its own process group: bounded output, a time limit, no input, no secrets in its
// environment. When it is stopped, what it started is dead before the caller hears of it. Only a daemon can get
// away: on Linux one that has also replaced its environment, elsewhere any.

import { execFile, spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { collectOutput } from './collectOutput.ts';
import { hasCode } from './errorCode.ts';
import { infoIfPresent } from './files.ts';
import { killTree, send, type ListProcesses } from './killTree.ts';
import { errorText } from './log.ts';
import {
  linuxProcesses,
  linuxProcessesNow,
  MARK_NAME,
  parsePs,
  treeOf,
  type ProcessRow,
  type TreeRoot,
} from './processTree.ts';
import { commandEnvironment } from './shellEnvironment.ts';
import { shellProgram } from './shellProgram.ts';
import { endOnWindows, endOnWindowsNow } from './windowsTree.ts';

export interface ShellOptions {
  /** This process's own when left out. */
  readonly env?: NodeJS.ProcessEnv;
  /** The system's when left out. */
  readonly listProcesses?: ListProcesses;
}

export interface ShellCommand extends ShellOptions {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Of output; from a longer one the middle is left out. */
  readonly maxChars: number;
  /** Is given all of a longer output while it comes, piece by piece; the command waits for it. Never throws. */
  readonly takeAll?: (text: string) => Promise<void>;
}

export interface ShellResult {
  /** What the command printed to both streams, as it came. */
  readonly output: string;
  readonly ending:
    | { readonly type: 'exited'; readonly code: number }
    | { readonly type: 'killed'; readonly signal: string }
    /** By the time limit, or by the person. `problem` tells why part of it may still run. */
    | { readonly type: 'timedOut' | 'stopped'; readonly problem: string | undefined };
  /** Process ids that the command left running. */
  readonly background: readonly number[];
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const NEVER = new AbortController().signal;

/** A background child may hold the pipes open for ever; output that was on its way arrives within this. */
const PIPE_GRACE_MS = 500;
/** After a kill only a daemon that got away can hold them, and VS Code waits a second in all for what is stopped. */
const KILLED_PIPE_GRACE_MS = 200;

/** After each piece, of 64 KiB at most: some megabytes a second, more than any log. */
const DRAIN_PAUSE_MS = 10;

const running = new Set<TreeRoot>();
/** Of commands that ended, but left something running in their group. */
const leftBehind = new Set<TreeRoot>();

/** Throws when the command cannot start, and the signal's reason when it is aborted before. */
export async function runShell(run: ShellCommand, signal: AbortSignal): Promise<ShellResult> {
  if ((await infoIfPresent(run.cwd))?.kind !== 'folder') {
    throw new Error(`The working folder ${run.cwd} does not exist.`);
  }
  signal.throwIfAborted();
  const list = run.listProcesses ?? listProcesses;
  const mark = randomUUID();
  const child = await start(run, mark);
  if (child.pid === undefined) throw new Error('The system gave the command no process id.');
  const root = { pid: child.pid, mark };
  running.add(root);
  const streams = [child.stdout, child.stderr];
  const finishOutput = collectOutput(streams, run);
  const exited = once(child, 'exit');
  const closed = once(child, 'close');
  let isKilled = false;
  let problem: string | undefined;
  try {
    isKilled = await stopBefore(exited, run.timeoutMs, signal);
    if (!isKilled) {
      await stopBefore(closed, PIPE_GRACE_MS, signal);
      isKilled = signal.aborted;
    }
    if (isKilled) {
      problem = await endTree(root, list);
      await stopBefore(closed, KILLED_PIPE_GRACE_MS, NEVER);
    }
    const output = await finishOutput();
    if (isKilled) {
      const ending = { type: signal.aborted ? 'stopped' : 'timedOut', problem } as const;
      return { output, ending, background: [] };
    }
    const rows = await list();
    rememberGroup(root, rows);
    return { output, ending: endingOf(child), background: treeOf(rows, root) };
  } finally {
    running.delete(root);
    for (const stream of streams) {
      if (isKilled) stream.destroy();
      else drain(stream);
    }
  }
}

/**
 * Kills every command that runs, and what earlier ones left in their groups, without waiting. For the end of
 * the extension host: nobody would be left to stop them or to read what they print.
 */
export function killAllShells(): void {
  if (process.platform === 'win32') {
    // What an earlier command left cannot be found without its root.
    for (const { pid } of running) endOnWindowsNow(pid);
    return;
  }
  for (const { pid } of running) send(-pid, 'SIGKILL');
  const rows = process.platform === 'linux' ? linuxProcessesNow() : undefined;
  for (const root of running) {
    for (const pid of treeOf(rows ?? [], root)) send(pid, 'SIGKILL');
  }
  for (const { pid, mark } of leftBehind) {
    // The id of a group that is gone may be another's by now; where there are marks they tell.
    if (rows?.every((row) => row.group !== pid || row.mark !== mark)) continue;
    send(-pid, 'SIGKILL');
  }
  leftBehind.clear();
}

async function start(run: ShellCommand, mark: string): Promise<Child> {
  const env = run.env ?? process.env;
  const program = shellProgram(run.command, process.platform, env);
  const options = {
    cwd: run.cwd,
    env: { ...commandEnvironment(env), [MARK_NAME]: mark },
    windowsVerbatimArguments: program.isVerbatim,
  };
  try {
    return await spawned(program.file, program.args, options);
  } catch (error) {
    if (process.platform === 'win32' || !hasCode(error, 'ENOENT')) throw error;
    return spawned('/bin/sh', program.args, options);
  }
}

async function spawned(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<Child> {
  const child = spawn(file, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which can be ended as a whole. On Windows it would open a console window.
    detached: process.platform !== 'win32',
    windowsHide: true,
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

/** Ends a command with all it started. Returns what went wrong, so that its output is not lost. */
async function endTree(root: TreeRoot, list: ListProcesses): Promise<string | undefined> {
  try {
    await (process.platform === 'win32' ? endOnWindows(root.pid) : killTree(root, list));
    return undefined;
  } catch (error) {
    // Without looking who is there, the group at least can be ended.
    if (process.platform !== 'win32') send(-root.pid, 'SIGKILL');
    return errorText(error);
  }
}

function rememberGroup(root: TreeRoot, rows: readonly ProcessRow[]): void {
  leftBehind.add(root);
  for (const known of leftBehind) {
    if (rows.every((row) => row.group !== known.pid)) leftBehind.delete(known);
  }
}

/**
 * Reads on without keeping anything: a background process would die of printing into a closed pipe. One that never
 * stops printing is slowed down, since nobody would ever see what it costs.
 */
function drain(stream: Readable): void {
  stream.removeAllListeners('data');
  stream.on('data', () => {
    stream.pause();
    setTimeout(() => stream.resume(), DRAIN_PAUSE_MS).unref();
  });
  stream.resume();
  // This process may end all the same.
  if (stream instanceof Socket) stream.unref();
}

async function listProcesses(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux') return linuxProcesses();
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
  return parsePs(stdout);
}
