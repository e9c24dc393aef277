import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { userText } from '../../../src/models/model.ts';
import type { SessionTurn } from '../../../src/sessions/session.ts';
import { markOf, useSessionStores, writeTurn } from '../../support/sessionStores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date('2026-06-01T12:00:00Z').getTime();
const NO_LIMITS = { maxAgeDays: 0, maxBytes: 0 };

describe('pruning sessions', () => {
  const stores = useSessionStores();

  /** A session of two turns that was last used so many days ago. */
  async function sessionOf(daysAgo: number, text = `needle ${daysAgo}`): Promise<SessionTurn> {
    const store = stores.open({ now: () => new Date(NOW - daysAgo * DAY_MS) });
    const first = await writeTurn(store, [userText(`${daysAgo}`)]);
    const second = await store.begin({ previous: first.ref });
    second.append(userText(text));
    second.compacted([userText('summary')], markOf());
    const usage = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
    second.answered({ model: 'm', estimate: 1, usage });
    second.end();
    await store.search('needle');
    store.close();
    return second;
  }

  function later() {
    return stores.open({ now: () => new Date(NOW) });
  }

  function rowsLeft(): unknown {
    const database = new DatabaseSync(stores.file, { readOnly: true });
    const tables = ['sessions', 'turns', 'entries', 'requests', 'words'];
    const counts = tables.map((table) => {
      const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get();
      return row?.['count'];
    });
    database.close();
    return counts;
  }

  it('removes those that were not used for so many days, with all that belongs to them', async () => {
    const old = await sessionOf(40);
    const recent = await sessionOf(20);
    const store = later();
    assert.equal(await store.prune(NO_LIMITS), 0);
    assert.equal(await store.prune({ maxAgeDays: 30, maxBytes: 0 }), 1);
    assert.deepEqual(rowsLeft(), [1, 2, 3, 1, 2]);
    assert.equal(await store.find(old.ref), undefined);
    assert.deepEqual((await store.find(recent.ref))?.log(), recent.log());
    assert.deepEqual(
      (await store.search('needle')).map(({ excerpt }) => excerpt),
      ['needle 20'],
    );
    assert.deepEqual(await store.search('40'), []);
  });

  it('removes the longest unused until the database is small enough, and the file shrinks', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `needle${index}`).join(' ');
    for (const days of [4, 2, 3, 1]) await sessionOf(days, text);
    const store = later();
    await store.search('needle');
    const full = statSync(stores.file).size;
    assert.equal(await store.prune({ maxAgeDays: 0, maxBytes: full }), 0);
    assert.equal(await store.prune({ maxAgeDays: 0, maxBytes: 0.6 * full }), 2);
    const { size } = statSync(stores.file);
    assert.ok(size < 0.6 * full, `${size} of ${full}`);
    assert.deepEqual(
      (await store.search('needle', { limit: 10 })).map(({ at }) => (NOW - at.getTime()) / DAY_MS),
      [1, 2],
    );
    assert.equal(await store.prune({ maxAgeDays: 0, maxBytes: 1 }), 2);
    assert.ok(statSync(stores.file).size < 0.1 * full);
  });

  it('leaves a session alone in which a turn runs, here or in another window', async () => {
    const days = 40;
    let time = NOW - days * DAY_MS;
    const store = stores.open({ now: () => new Date(time) });
    const running = await store.begin();
    running.append(userText('one'));
    await sessionOf(1 / 48);
    time = NOW;
    assert.equal(await store.prune({ maxAgeDays: 30, maxBytes: 1 }), 0);
    time = NOW - days * DAY_MS;
    running.end();
    time = NOW;
    assert.equal(await store.prune({ maxAgeDays: 30, maxBytes: 0 }), 1);
    assert.deepEqual(rowsLeft(), [1, 2, 3, 1, 2]);
  });

  it('goes on whole with a session that another window has removed', async () => {
    let time = NOW - 40 * DAY_MS;
    const store = stores.open({ now: () => new Date(time) });
    const first = await writeTurn(store, [userText('one')]);
    assert.equal(await later().prune({ maxAgeDays: 30, maxBytes: 0 }), 1);
    time = NOW;
    const second = await writeTurn(store, [userText('two')], { previous: first.ref });
    assert.deepEqual((await stores.open().find(second.ref))?.log(), [
      userText('one'),
      userText('two'),
    ]);
    assert.deepEqual(stores.problems, []);
  });

  it('goes on whole with a turn that sleeps for so long that another window removes it', async () => {
    let time = NOW - 40 * DAY_MS;
    const store = stores.open({ now: () => new Date(time) });
    const turn = await store.begin();
    turn.append(userText('one'));
    assert.equal(await later().prune({ maxAgeDays: 30, maxBytes: 0 }), 1);
    time = NOW;
    turn.append(userText('two'));
    assert.deepEqual((await stores.open().find(turn.ref))?.entries(), turn.entries());
  });

  it('removes them from memory too', async () => {
    let time = NOW - 40 * DAY_MS;
    const store = stores.open({ now: () => new Date(time) });
    const { ref } = await writeTurn(store, [userText('one')]);
    time = NOW;
    assert.equal(await store.prune({ maxAgeDays: 30, maxBytes: 0 }), 1);
    assert.equal(await store.find(ref), undefined);
  });
});
