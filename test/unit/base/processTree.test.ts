import assert from 'node:assert/strict';
import { linuxProcesses, parsePs, treeOf } from '../../../src/base/processTree.ts';

const row = (pid: number, parent: number, group: number, session?: number) => ({
  pid,
  parent,
  group,
  session,
});

describe('treeOf', () => {
  it('takes children at any depth, whatever the order of the rows', () => {
    assert.deepEqual(treeOf([row(30, 20, 30), row(20, 10, 20), row(10, 1, 10)], 10), [30, 20, 10]);
  });

  it('takes orphans that stayed in the group, or in the session', () => {
    assert.deepEqual(treeOf([row(20, 1, 10), row(30, 1, 30, 10), row(40, 1, 40, 1)], 10), [20, 30]);
  });

  it('is empty when nobody is left', () => {
    assert.deepEqual(treeOf([row(40, 1, 40, 1)], 10), []);
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
});
