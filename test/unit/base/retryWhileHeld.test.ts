import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { retryWhileHeld } from '../../../src/base/retryWhileHeld.ts';

describe('retryWhileHeld', () => {
  const windows = { platform: 'win32', pauses: [0, 0, 0] } as const;

  /** Fails as often as told, with a code of the system. */
  function failing(times: number, code: string) {
    const counted = { calls: 0 };
    const work = () => {
      counted.calls++;
      return counted.calls > times
        ? Promise.resolve('done')
        : Promise.reject(Object.assign(new Error(code), { code }));
    };
    return { counted, work };
  }

  it('waits on Windows until nobody holds the file', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY'])
      assert.equal(await retryWhileHeld(failing(3, code).work, windows), 'done');
  });

  it('gives up after the last pause, with the failure', async () => {
    const { counted, work } = failing(9, 'EBUSY');
    await assert.rejects(retryWhileHeld(work, windows), { code: 'EBUSY' });
    assert.equal(counted.calls, 4);
  });

  it('does not repeat another failure, nor any on another system', async () => {
    const full = failing(1, 'ENOSPC');
    await assert.rejects(retryWhileHeld(full.work, windows), { code: 'ENOSPC' });
    const held = failing(1, 'EPERM');
    await assert.rejects(retryWhileHeld(held.work, { platform: 'linux' }), { code: 'EPERM' });
    assert.deepEqual([full.counted.calls, held.counted.calls], [1, 1]);
  });
});
