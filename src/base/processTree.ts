// Who descends from a process. The children of a shell may leave its group (`timeout`, `set -m`), lose their
// parent, or do both as daemons, so group, session, parent and a mark in the environment are all looked at.

import { hasCode } from './errorCode.ts';
import { listFolder, namesNow, readBytesIfPresent, readBytesNow } from './files.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Undefined where the system does not tell. */
  readonly session: number | undefined;
  /** What MARK_NAME was in its environment when it started. Known on Linux only. */
  readonly mark: string | undefined;
}

/** The root of a tree: a process that led its own session and group, and whose environment held the mark. */
export interface TreeRoot {
  readonly pid: number;
  readonly mark: string;
}

export const MARK_NAME = 'MEMORY_AGENT_COMMAND';

interface Stat extends Omit<ProcessRow, 'mark'> {
  /** In ticks since the system started. */
  readonly started: number;
}

/** Counted from the state, in /proc/.../stat. */
const STARTED_FIELD = 19;

/**
 * The living members of a tree. `seen` are members known from before: a process whose parent is gone can no
 * longer be found through it.
 */
export function treeOf(
  rows: readonly ProcessRow[],
  root: TreeRoot,
  seen: Iterable<number> = [],
): number[] {
  // Everything descends from these, and to the system 0 and 1 mean "my group" and "everybody".
  if (!(root.pid > 1)) throw new RangeError(`${root.pid} cannot be the root of a tree.`);
  const members = new Set([root.pid, ...seen]);
  for (let before = 0; before !== members.size;) {
    before = members.size;
    for (const row of rows) {
      const belongs =
        row.mark === root.mark ||
        members.has(row.parent) ||
        members.has(row.group) ||
        (row.session !== undefined && members.has(row.session));
      if (belongs) members.add(row.pid);
    }
  }
  return rows.flatMap((row) => (members.has(row.pid) ? [row.pid] : []));
}

/** Every process that is not a zombie, from /proc: slim containers have no `ps`. */
export async function linuxProcesses(): Promise<ProcessRow[]> {
  const names = (await listFolder('/proc')).map((entry) => entry.name).filter(isPid);
  const stats = await Promise.all(names.map(async (pid) => stat(pid, await read(statFile(pid)))));
  const mayBeOurs = youngerThanThis(stats);
  return Promise.all(
    stats
      .filter((row) => row !== undefined)
      .map(async (row) => withMark(row, mayBeOurs(row) ? await read(environFile(row)) : undefined)),
  );
}

/** The same at once, for when there is no later. */
export function linuxProcessesNow(): ProcessRow[] {
  const stats = namesNow('/proc')
    .filter(isPid)
    .map((pid) => stat(pid, readNow(statFile(pid))));
  const mayBeOurs = youngerThanThis(stats);
  return stats
    .filter((row) => row !== undefined)
    .map((row) => withMark(row, mayBeOurs(row) ? readNow(environFile(row)) : undefined));
}

/** Reads what `ps -A -o pid=,ppid=,pgid=,stat=` prints. */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (!state || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: undefined,
        mark: undefined,
      },
    ];
  });
}

function isPid(name: string): boolean {
  return /^\d+$/.test(name);
}

function statFile(pid: string): string {
  return `/proc/${pid}/stat`;
}

function environFile({ pid }: Stat): string {
  return `/proc/${pid}/environ`;
}

function stat(pid: string, bytes: Buffer | undefined): Stat | undefined {
  if (!bytes) return undefined;
  // "pid (name) state parent group session ...", where the name may hold anything, brackets too.
  const text = bytes.toString('latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(fields[STARTED_FIELD]),
  };
}

/**
 * Whether a process began after this one, as each that was started from here did. Reading an environment can
 * block on a process that is stuck in the kernel, so it is done for no others.
 */
function youngerThanThis(stats: readonly (Stat | undefined)[]): (row: Stat) => boolean {
  const since = stats.find((row) => row?.pid === process.pid)?.started ?? 0;
  return (row) => row.started >= since;
}

function withMark(stat: Stat, environ: Buffer | undefined): ProcessRow {
  const { pid, parent, group, session } = stat;
  const lead = `${MARK_NAME}=`;
  const entries = environ?.toString('latin1').split('\0') ?? [];
  return {
    pid,
    parent,
    group,
    session,
    mark: entries.find((entry) => entry.startsWith(lead))?.slice(lead.length),
  };
}

async function read(file: string): Promise<Buffer | undefined> {
  return readBytesIfPresent(file).catch(orHidden);
}

function readNow(file: string): Buffer | undefined {
  try {
    return readBytesNow(file);
  } catch (error) {
    return orHidden(error);
  }
}

/** Ended meanwhile, or another person's. */
function orHidden(error: unknown): undefined {
  if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasCode(error, code))) return undefined;
  throw error;
}
