// Who descends from a process. The children of a shell may leave its group (`timeout`, `set -m`) or lose their
// parent, so group, session and parent are all looked at.

import { hasCode, listFolder, readBytesIfPresent } from './files.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Undefined where the system does not tell. */
  readonly session: number | undefined;
}

/** The living members of the tree that began with `root`, a process that led its own session and group. */
export function treeOf(rows: readonly ProcessRow[], root: number): number[] {
  const members = new Set([root]);
  for (let before = 0; before !== members.size;) {
    before = members.size;
    for (const row of rows) {
      if (row.group === root || row.session === root || members.has(row.parent)) {
        members.add(row.pid);
      }
    }
  }
  return rows.flatMap((row) => (members.has(row.pid) ? [row.pid] : []));
}

/** Every process that is not a zombie, from /proc: slim containers have no `ps`. */
export async function linuxProcesses(): Promise<ProcessRow[]> {
  const names = (await listFolder('/proc')).map((entry) => entry.name);
  const rows = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readRow));
  return rows.filter((row) => row !== undefined);
}

/** Reads what `ps -A -o pid=,ppid=,pgid=,stat=` prints. */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (!state || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: undefined }];
  });
}

async function readRow(name: string): Promise<ProcessRow | undefined> {
  const stat = await readBytesIfPresent(`/proc/${name}/stat`).catch(goneMeanwhile);
  if (!stat) return undefined;
  // "pid (name) state parent group session ...", where the name may hold anything, brackets too.
  const text = stat.toString('latin1');
  const [state, parent, group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number(name),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
  };
}

function goneMeanwhile(error: unknown): undefined {
  if (hasCode(error, 'ESRCH')) return undefined;
  throw error;
}
