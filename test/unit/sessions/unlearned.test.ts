import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { messageText, userText } from '../../../src/models/model.ts';
import type { TurnRef } from '../../../src/sessions/session.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { says } from '../../support/conversation.ts';
import { useSessionProcesses } from '../../support/sessionProcess.ts';
import { markOf, useSessionStores, writeTurn } from '../../support/sessionStores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date('2026-06-20T12:00:00Z').getTime();

describe('turns that were not learned from', function () {
  this.timeout(30_000);
  const stores = useSessionStores();
  const start = useSessionProcesses();

  /** A turn with a request and an answer that came to its end. */
  async function say(store: SessionStore, request: string, previous?: TurnRef) {
    return writeTurn(store, [userText(request), says(`to ${request}`)], { request, previous });
  }

  /** The words of each, in order, from where it was learned up to. */
  async function found(store: SessionStore = stores.open()): Promise<readonly string[]> {
    const turns = await store.unlearned();
    return turns.map((turn) => turn.log().slice(turn.learned()).map(messageText).join('; '));
  }

  it('are found after a reload, oldest first, until they are marked', async () => {
    const first = await say(stores.open(), 'one');
    const learned = await say(stores.open(), 'two');
    learned.markLearned();
    await say(stores.open(), 'three', first.ref);
    assert.deepEqual(await found(), ['one; to one', 'one; to one; three; to three']);
    for (const turn of await stores.open().unlearned()) turn.markLearned();
    assert.deepEqual(await found(), []);
  });

  it('are those of the window itself too, without those that run', async () => {
    for (const store of [stores.open(), new SessionStore()]) {
      const running = await store.begin({ request: 'running' });
      running.append(userText('running'));
      await say(store, 'one');
      assert.deepEqual(await found(store), ['one; to one']);
      running.end();
      assert.deepEqual(await found(store), ['running', 'one; to one']);
    }
  });

  it('hold the request of one that was cut off before it was written, which is not told again', async () => {
    await stores.open().begin({ request: 'cut' });
    const [turn] = await stores.open().unlearned();
    assert.ok(turn);
    assert.deepEqual(turn.log().map(messageText), ['cut']);
    turn.markLearned();
    assert.deepEqual(await found(), []);
    const next = await stores.open().begin({ unfinished: ['cut'], request: 'more' });
    assert.deepEqual(next.log().map(messageText), ['cut']);
    assert.equal(next.learned(), 1);
  });

  it('go with the turn that goes on from them, also where a compaction stands between', async () => {
    const store = stores.open();
    const first = await say(store, 'one');
    const between = await store.begin({ previous: first.ref });
    between.compacted([userText('summary')], markOf());
    between.end();
    (await say(store, 'two', between.ref)).markLearned();
    for (const window of [store, stores.open()]) {
      assert.deepEqual(await found(window), []);
      for (const { ref } of [first, between])
        assert.equal((await window.begin({ previous: ref })).learned(), 2);
    }
  });

  it('stay when an older request is edited, and each word is told once', async () => {
    const store = stores.open();
    const first = await say(store, 'one');
    await say(store, 'two', first.ref);
    await say(store, 'two, edited', first.ref);
    const window = stores.open();
    const [one, ...others] = await window.unlearned();
    one?.markLearned();
    assert.deepEqual(
      others.map((turn) => messageText(turn.log()[turn.learned()] ?? userText(''))),
      ['two', 'two, edited'],
    );
    assert.deepEqual(await found(), ['two; to two', 'two, edited; to two, edited']);
  });

  it('count once when a request is sent again', async () => {
    for (const store of [stores.open(), new SessionStore()]) {
      const first = await say(store, 'one');
      await say(store, 'two', first.ref);
      const again = await say(store, 'two', first.ref);
      const last = await say(store, 'one');
      assert.deepEqual(
        (await store.unlearned()).map(({ ref }) => ref),
        [again.ref, last.ref],
      );
      again.markLearned();
      last.markLearned();
      assert.deepEqual(await found(store), []);
    }
  });

  it('are at most 20, and not older than a week', async () => {
    const store = stores.open({ now: () => new Date(NOW - 8 * DAY_MS) });
    await say(store, 'old');
    const later = stores.open({ now: () => new Date(NOW) });
    for (let count = 0; count < 25; count++) await say(later, `${count}`);
    const words = await found(later);
    assert.equal(words.length, 20);
    assert.equal(words[0], '5; to 5');
    for (const turn of await later.unlearned()) turn.markLearned();
    const others = ['0', '1', '2', '3', '4'].map((request) => `${request}; to ${request}`);
    assert.deepEqual(await found(later), others);
  });

  it('are left to another window as long as that is at work', async () => {
    const child = start(stores.file);
    await child.tell({ do: 'begin', request: 'hi' });
    await child.tell({ do: 'append', texts: ['hi'] });
    assert.deepEqual(await found(), []);
    await child.tell({ do: 'end' });
    assert.deepEqual(await found(), []);
    const later = stores.open({ now: () => new Date(Date.now() + 11 * 60_000) });
    assert.deepEqual(await found(later), ['hi']);
    await child.kill();
    assert.deepEqual(await found(), ['hi']);
  });

  it('are no more when another window has marked them meanwhile', async () => {
    const store = stores.open();
    const turn = await say(store, 'one');
    const [here] = await store.unlearned();
    const [elsewhere] = await stores.open().unlearned();
    elsewhere?.markLearned();
    assert.equal(here?.learned(), 2);
    assert.equal(turn.learned(), 2);
  });

  it('do not return with a session that the person has deleted', async () => {
    const store = stores.open();
    await say(store, 'one');
    const [turn] = await store.unlearned();
    await store.removeAll();
    turn?.markLearned();
    assert.deepEqual(await found(), []);
    assert.equal((await stores.open().search('one')).length, 0);
  });

  it('are found by the number of the newest, not by going through all', async () => {
    await say(stores.open(), 'one');
    const seen: string[] = [];
    const { prototype } = DatabaseSync;
    const original = Object.getOwnPropertyDescriptor(prototype, 'prepare') ?? {};
    const prepare = original.value as (this: DatabaseSync, sql: string) => StatementSync;
    prototype.prepare = function (this: DatabaseSync, sql) {
      seen.push(sql);
      return prepare.call(this, sql);
    };
    try {
      await found();
    } finally {
      Object.defineProperty(prototype, 'prepare', original);
    }
    const database = new DatabaseSync(stores.file, { readOnly: true });
    const plans = seen
      .filter((sql) => sql.includes('request_learned') || sql.includes('learned_up_to IS NOT'))
      .flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
      .map(({ detail }) => String(detail));
    database.close();
    assert.ok(plans.length > 0);
    assert.deepEqual(
      plans.filter((plan) => /^SCAN (?!chain$|CONSTANT ROW$)/.test(plan)),
      [],
    );
  });
});
