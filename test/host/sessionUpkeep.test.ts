import assert from 'node:assert/strict';
import { silentLog } from '../../src/base/log.ts';
import { registerSessionUpkeep } from '../../src/vscode/sessions/sessionUpkeep.ts';
import { says } from '../support/conversation.ts';
import { useSessionStores, writeTurn } from '../support/sessionStores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than any test. */
const NEVER_MS = DAY_MS;

describe('upkeep of conversations', () => {
  const stores = useSessionStores();

  it('deletes what is old soon after the start', async () => {
    await prunedOnce({ afterMs: 1, everyMs: NEVER_MS });
  });

  it('deletes what has become old while the window stays open', async () => {
    await prunedOnce({ afterMs: NEVER_MS, everyMs: 1 });
  });

  it('goes on after a time that failed, and tells the log', async () => {
    const errors: string[] = [];
    await failedTimes(3, errors);
    assert.equal(errors[0], '[sessions] Old conversations were not deleted: no settings');
  });

  it('ends with the window, and closes the file', async () => {
    const sessions = stores.open();
    let times = 0;
    const limits = () => {
      times++;
      return { maxAgeDays: 0, maxBytes: 0 };
    };
    const upkeep = { sessions, limits, log: silentLog, afterMs: 1, everyMs: 1 };
    registerSessionUpkeep(upkeep).dispose();
    // Another one at the same pace shows that there was time enough.
    await failedTimes(3);
    assert.equal(times, 0);
    await writeTurn(sessions, [says('later')]);
    assert.deepEqual(await stores.open().search('later'), []);
  });

  async function failedTimes(count: number, errors: string[] = []): Promise<void> {
    const done = Promise.withResolvers<void>();
    const limits = () => {
      if (errors.length === count) done.resolve();
      throw new Error('no settings');
    };
    const log = { ...silentLog, error: (text: string) => errors.push(text) };
    const sessions = stores.open();
    const upkeep = registerSessionUpkeep({ sessions, limits, log, everyMs: 1 });
    await done.promise;
    upkeep.dispose();
  }

  async function prunedOnce(times: { afterMs: number; everyMs: number }): Promise<void> {
    let now = new Date('2026-01-01T00:00:00Z');
    const sessions = stores.open({ now: () => now });
    const turn = await writeTurn(sessions, [says('long ago')]);
    now = new Date(now.getTime() + 3 * DAY_MS);
    const limits = () => ({ maxAgeDays: 2, maxBytes: 0 });
    const upkeep = registerSessionUpkeep({ sessions, limits, log: silentLog, ...times });
    while (await sessions.find(turn.ref)) await new Promise(setImmediate);
    upkeep.dispose();
  }
});
