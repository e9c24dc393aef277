import assert from 'node:assert/strict';
import { coalesce } from '../../../../src/vscode/host/coalesce.ts';

describe('coalesce', () => {
  it('runs once more for any number of calls made while it runs, and never two at a time', async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    let atOnce = 0;
    let most = 0;
    const call = coalesce(async () => {
      most = Math.max(most, ++atOnce);
      const run = Promise.withResolvers<void>();
      runs.push(run);
      await run.promise;
      atOnce--;
    });

    call();
    call();
    call();
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await settled();
    assert.equal(runs.length, 2);
    runs[1]?.resolve();
    await settled();
    assert.deepEqual({ runs: runs.length, most }, { runs: 2, most: 1 });
  });

  it('runs again for a call made after the last run', async () => {
    let runs = 0;
    const call = coalesce(async () => void runs++);
    call();
    await settled();
    call();
    await settled();
    assert.equal(runs, 2);
  });
});

/** Lets everything that waits for nothing but promises go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
