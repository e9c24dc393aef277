import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  linuxProcesses,
  linuxProcessesNow,
  MARK_NAME,
  parsePs,
  treeOf,
  type ProcessRow,
} from '../../../src/base/processTree.ts';

const row = (pid: number, parent: number, group: number, session?: number, mark?: string) => ({
  pid,
  parent,
  group,
  session,
  mark,
});
const ROOT = { pid: 10, mark: 'ours' };

describe('treeOf', () => {
  it('takes children at any depth, whatever the order of the rows', () => {
    assert.deepEqual(
      treeOf([row(30, 20, 30), row(20, 10, 20), row(10, 1, 10)], ROOT),
      [30, 20, 10],
    );
  });

  it('takes orphans that stayed in the group, or in the session', () => {
    assert.deepEqual(
      treeOf([row(20, 1, 10), row(30, 1, 30, 10), row(40, 1, 40, 1)], ROOT),
      [20, 30],
    );
  });

  it('takes a daemon by its mark, and what the daemon started', () => {
    const rows = [row(20, 1, 20, 20, 'ours'), row(30, 20, 30, 20), row(40, 1, 40, 40, 'theirs')];
    assert.deepEqual(treeOf(rows, ROOT), [20, 30]);
  });

  it('takes the children of members that are gone', () => {
    assert.deepEqual(treeOf([row(30, 1, 20, 1), row(40, 1, 40, 1)], ROOT, [20]), [30]);
  });

  it('never takes the whole system for a tree', () => {
    for (const pid of [0, 1, -1, Number.NaN]) {
      assert.throws(() => treeOf([row(1, 0, 1)], { pid, mark: 'ours' }), RangeError);
    }
  });

  it('is empty when nobody is left', () => {
    assert.deepEqual(treeOf([row(40, 1, 40, 1)], ROOT), []);
  });
});

describe('the list of processes', () => {
  it('is read from ps, without zombies', () => {
    const text = '    1     0     1 Ss\n  20   1  20 S+\n  21    20    20 Z\n\n';
    assert.deepEqual(parsePs(text), [row(1, 0, 1, undefined), row(20, 1, 20, undefined)]);
  });

  it('is read from /proc', async function () {
    if (process.platform !== 'linux') this.skip();
    const own = (await linuxProcesses()).find(({ pid }) => pid === process.pid);
    assert.equal(own?.parent, process.ppid);
  });
  it('is read from /proc at once, with the marks of children', async function () {
    if (process.platform !== 'linux') this.skip();
    const env = { ...process.env, [MARK_NAME]: 'ours' };
    const child = spawn('sleep', ['1000'], { env });
    await once(child, 'spawn');
    const find = (rows: readonly ProcessRow[]) => rows.find(({ pid }) => pid === child.pid);
    const [now, later] = [find(linuxProcessesNow()), find(await linuxProcesses())];
    child.kill('SIGKILL');
    assert.equal(now?.mark, 'ours');
    assert.deepEqual(now, later);
  });
});
