// Ends a process and all it started: TERM, and KILL for those that are still there after the grace. It counts on
// looking again, since a tree may grow while it is being ended.

import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './errorCode.ts';
import { treeOf, type ProcessRow, type TreeRoot } from './processTree.ts';

export type ListProcesses = () => Promise<readonly ProcessRow[]>;

/** What a well-behaved program needs to clean up after TERM. VS Code drops a turn's result 1,000 ms after Stop. */
const TERM_GRACE_MS = 300;
/** KILL cannot be refused; this only waits for the system to carry it out. */
const KILL_WAIT_MS = 2_000;
const POLL_MS = 40;

/** Resolves when nobody of the tree is left, and throws when somebody is or the processes cannot be listed. */
export async function killTree(root: TreeRoot, list: ListProcesses): Promise<void> {
  const seen = new Set<number>();
  const survivors = async (signal: NodeJS.Signals, ms: number) =>
    survivorsOf(signal, async () => treeOf(await list(), root, seen), seen, ms);
  if ((await survivors('SIGTERM', TERM_GRACE_MS)).length === 0) return;
  const left = await survivors('SIGKILL', KILL_WAIT_MS);
  if (left.length > 0) {
    throw new Error(
      `The command was stopped, but part of it still runs: process ${left.join(', ')}.`,
    );
  }
}

/** Sends a signal. A negative id means a whole group. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone meanwhile, or not ours to end (a setuid program): the caller's next look tells which.
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}

/** Signals every member once, those that turn up later too, until none is left or time is up. */
async function survivorsOf(
  signal: NodeJS.Signals,
  alive: () => Promise<readonly number[]>,
  seen: Set<number>,
  ms: number,
): Promise<readonly number[]> {
  const signalled = new Set<number>();
  for (const deadline = performance.now() + ms; ; await sleep(POLL_MS)) {
    const pids = await alive();
    if (pids.length === 0 || performance.now() > deadline) return pids;
    for (const pid of pids) {
      if (!signalled.has(pid)) send(pid, signal);
      signalled.add(pid);
      seen.add(pid);
    }
  }
}
