// Ends a process and all that descends from it where there are no groups and no signals: on Windows, by taskkill.

import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { hasCode } from './errorCode.ts';

/** At shutdown nothing may wait longer for a system that does not answer. */
const SHUTDOWN_WAIT_MS = 2_000;

export async function endOnWindows(pid: number): Promise<void> {
  try {
    await promisify(execFile)('taskkill', taskkillArguments(pid));
  } catch (error) {
    // It fails also when the process or one of its children has just ended, which is what was wanted.
    if (isThere(pid)) throw error;
  }
}

/** The same at once, for when there is no later. */
export function endOnWindowsNow(pid: number): void {
  try {
    execFileSync('taskkill', taskkillArguments(pid), {
      stdio: 'ignore',
      windowsHide: true,
      timeout: SHUTDOWN_WAIT_MS,
    });
  } catch {
    // Ended already, or not ours to end: at shutdown nobody is left who could do more about it.
  }
}

export function taskkillArguments(pid: number): string[] {
  return ['/PID', String(pid), '/T', '/F'];
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}
