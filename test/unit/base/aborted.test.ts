import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { orAborted, whenAborted } from '../../../src/base/aborted.ts';

const never = () => new Promise<never>(() => {});
const failure = () => new Error('Stopped.');

describe('waiting no longer than a signal allows', () => {
  it('ends when the signal is aborted, and at once when it was before', async () => {
    const controller = new AbortController();
    const waiting = whenAborted(controller.signal);
    controller.abort();
    await waiting;
    await whenAborted(controller.signal);
  });

  it('gives what comes of the work, and leaves nothing at the signal', async () => {
    const { signal } = new AbortController();
    assert.equal(await orAborted(async () => 1, signal, failure), 1);
    await assert.rejects(
      orAborted(() => Promise.reject(new Error('Broken.')), signal, failure),
      /Broken/,
    );
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('lets go of work that does not end', async () => {
    const controller = new AbortController();
    const waiting = orAborted(never, controller.signal, failure);
    controller.abort();
    await assert.rejects(waiting, /Stopped/);
  });

  it('begins nothing when the signal is aborted already', async () => {
    let begun = false;
    const work = async () => (begun = true);
    await assert.rejects(orAborted(work, AbortSignal.abort(), failure), /Stopped/);
    assert.equal(begun, false);
  });
});
