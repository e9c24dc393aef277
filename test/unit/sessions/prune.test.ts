import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { userText } from '../../../src/models/model.ts';
import type { SessionTurn } from '../../../src/sessions/session.ts';
import type { SessionStore } from '../../../src/sessions/sessionStore.ts';
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

  function bytesOf(end: string): Buffer {
    return existsSync(stores.file + end) ? readFileSync(stores.file + end) : Buffer.alloc(0);
  }

  function rowsLeft(): readonly unknown[] {
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

  for (const [what, remove] of [
    ['all are removed', (store: SessionStore) => store.removeAll()],
    [
      'those that are too old are removed',
      (store: SessionStore) => store.prune({ maxAgeDays: 30, maxBytes: 0 }),
    ],
  ] as const)
    it(`leaves no word on the disk of what was said when ${what}`, async () => {
      const secret = ['secret', 'word'].join('');
      for (const days of [50, 40]) await sessionOf(days, `${secret} `.repeat(2_000));
      for (const days of [48, 38]) await sessionOf(days, `short ${secret}`);
      assert.ok(bytesOf('').includes(secret));
      const store = later();
      await writeTurn(store, [userText('stays')]);
      assert.ok((await remove(store)) >= 4);
      for (const end of ['', '-wal']) assert.ok(!bytesOf(end).includes(secret), end);
      store.close();
      assert.ok(!bytesOf('').includes(secret));
    });

  it('removes damaged databases that were set aside, when they are as old, or all are removed', async () => {
    const folder = path.dirname(stores.file);
    mkdirSync(folder, { recursive: true });
    for (const days of [20, 0]) {
      writeFileSync(stores.file, 'no database '.repeat(100));
      const store = stores.open({ now: () => new Date(NOW - days * DAY_MS) });
      await writeTurn(store, [userText(`${days}`)]);
      store.close();
    }
    const aside = () => readdirSync(folder).filter((name) => name.includes('.damaged-'));
    for (const name of aside()) writeFileSync(path.join(folder, `${name}-wal`), 'changes');
    writeFileSync(path.join(folder, 'sessions.db.other'), '');
    assert.equal(aside().length, 4);
    const store = later();
    await store.prune({ maxAgeDays: 0, maxBytes: 1 });
    assert.equal(aside().length, 4);
    await store.prune({ maxAgeDays: 10, maxBytes: 0 });
    assert.equal(aside().length, 2);
    await store.removeAll();
    assert.deepEqual(aside(), []);
    assert.ok(readdirSync(folder).includes('sessions.db.other'));
  });

  it('does not hold up others while it removes one long session, and removes what a crash has left of one', async () => {
    const store = stores.open({ now: () => new Date(NOW - 40 * DAY_MS) });
    const turn = await store.begin();
    for (let count = 0; count < 60; count++)
      turn.append(userText(`needle ${'word '.repeat(2_000)}`));
    turn.end();
    await store.search('needle');
    store.close();
    const pruning = later();
    const steps = await othersDuring(async () => {
      const done = pruning.prune({ maxAgeDays: 30, maxBytes: 0 });
      while ((await later().find(turn.ref)) !== undefined) await new Promise(setImmediate);
      // As far as anybody can see it is gone at once.
      assert.ok(Number(rowsLeft()[2]) > 0);
      pruning.close();
      await done;
    });
    assert.ok(Number(rowsLeft()[2]) > 0, `after ${steps}`);
    const others = await othersDuring(async () => {
      assert.equal(await later().prune({ maxAgeDays: 30, maxBytes: 0 }), 0);
    });
    assert.deepEqual(rowsLeft(), [0, 0, 0, 0, 0]);
    assert.ok(others >= 15, `${others}`);
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

/** How often others had their turn meanwhile. */
async function othersDuring(work: () => Promise<void>): Promise<number> {
  let others = 0;
  let isDone = false;
  const other = () => {
    others++;
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  await work();
  isDone = true;
  return others;
}
