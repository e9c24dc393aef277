import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SharedRuns } from '../../../src/base/sharedRuns.ts';

describe('SharedRuns', () => {
  it('serves all who ask during a run by one that begins afterwards', async () => {
    const runs = new SharedRuns();
    const ends: PromiseWithResolvers<void>[] = [];
    const ask = (key = 'folder') =>
      runs.run(key, () => {
        const end = Promise.withResolvers<void>();
        ends.push(end);
        return end.promise;
      });
    const first = ask();
    const [second, third] = [ask(), ask()];
    assert.equal(ends.length, 1);
    const other = ask('another folder');
    assert.equal(ends.length, 2);
    ends[0]?.resolve();
    await first;
    await new Promise(setImmediate);
    assert.equal(ends.length, 3);
    // It has begun, so it may not see what is done now.
    const fourth = ask();
    ends[2]?.resolve();
    await Promise.all([second, third]);
    await new Promise(setImmediate);
    assert.equal(ends.length, 4);
    for (const end of ends) end.resolve();
    await Promise.all([other, fourth]);
    await new Promise(setImmediate);
    const fifth = ask();
    assert.equal(ends.length, 5);
    ends[4]?.resolve();
    await fifth;
  });

  it('goes on after a run that failed, of which those who asked for it are told', async () => {
    const runs = new SharedRuns();
    const failed = runs.run('folder', () => Promise.reject(new Error('no')));
    const next = runs.run('folder', () => Promise.resolve());
    await assert.rejects(failed, /no/);
    await next;
  });
});
