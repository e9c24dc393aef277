import assert from 'node:assert/strict';
import { AtMost, settleEach } from '../../../src/base/atMost.ts';

describe('AtMost', () => {
  it('runs as many as it may at once, and the others in their order', async () => {
    const lanes = new AtMost(2);
    const started: string[] = [];
    const work = (name: string) => {
      const end = Promise.withResolvers<string>();
      const result = lanes.run(() => {
        started.push(name);
        return end.promise;
      });
      return { result, end: () => end.resolve(name) };
    };
    const [a, b, c, d] = [work('a'), work('b'), work('c'), work('d')];
    await settled();
    assert.deepEqual(started, ['a', 'b']);
    b.end();
    assert.equal(await b.result, 'b');
    await settled();
    assert.deepEqual(started, ['a', 'b', 'c']);
    a.end();
    c.end();
    d.end();
    assert.deepEqual(await Promise.all([a.result, c.result, d.result]), ['a', 'c', 'd']);
    assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  });

  it('gives the place of one that failed to the next', async () => {
    const lanes = new AtMost(1);
    const failed = lanes.run(() => Promise.reject(new Error('no')));
    const next = lanes.run(() => Promise.resolve('next'));
    await assert.rejects(failed, /no/);
    assert.equal(await next, 'next');
    assert.equal(await lanes.run(() => Promise.resolve('free')), 'free');
  });

  it('lets nobody in before those who wait', async () => {
    const lanes = new AtMost(1);
    const started: string[] = [];
    const note = (name: string) => () => Promise.resolve(void started.push(name));
    const end = Promise.withResolvers<void>();
    const first = lanes.run(() => end.promise);
    const second = lanes.run(note('b'));
    // At the very moment at which the place becomes free.
    const third = end.promise.then(() => lanes.run(note('c')));
    end.resolve();
    await Promise.all([first, second, third]);
    assert.deepEqual(started, ['b', 'c']);
  });
});

describe('settleEach', () => {
  it('does all of them, in whatever order they end, and tells those that failed apart', async () => {
    const { done, failures } = await settleEach([3, 1, 2], 2, async (number) => {
      for (let turn = 0; turn < number; turn++) await settled();
      if (number === 1) throw new Error('One failed.');
      return number * 10;
    });
    assert.deepEqual(done, [30, 20]);
    assert.deepEqual(failures, [{ item: 1, error: new Error('One failed.') }]);
  });
});

function settled(): Promise<void> {
  return new Promise(setImmediate);
}
