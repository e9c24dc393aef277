import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { userText } from '../../../src/models/model.ts';
import type { SessionTurn, SessionView } from '../../../src/sessions/session.ts';
import type { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { says } from '../../support/conversation.ts';
import { markOf, useSessionStores, writeTurn } from '../../support/sessionStores.ts';

describe('a turn whose session is lost while it runs', () => {
  const stores = useSessionStores();

  async function removeAsTooOld(): Promise<void> {
    const inAYear = () => new Date(Date.now() + 366 * 24 * 60 * 60 * 1000);
    assert.ok((await stores.open({ now: inAYear }).prune({ maxAgeDays: 30, maxBytes: 0 })) > 0);
  }

  /** One that has been compacted, with messages that are not in its log. */
  async function compactedTurn(store: SessionStore): Promise<SessionTurn> {
    const before = await writeTurn(store, [userText('one'), says('1')]);
    const turn = await store.begin({ previous: before.ref, request: 'two' });
    turn.setSystemPrompt('frozen');
    turn.append(userText('two'), userText('shown two'));
    turn.compacted([userText('summary 1'), ...turn.working().slice(1)], markOf());
    turn.appendWorking(userText('go on'));
    turn.append(says('2'), says('short 2'));
    return turn;
  }

  /** All that a view tells, but for what was paid. */
  function whole(view: SessionView | undefined): unknown {
    return [
      view?.log(),
      view?.entries(),
      view?.working(),
      view?.systemPrompt(),
      view?.lastCompaction(),
    ];
  }

  async function assertWhole(turn: SessionTurn): Promise<void> {
    assert.deepEqual(whole(await stores.open().find(turn.ref)), whole(turn));
    assert.deepEqual(stores.problems, []);
  }

  const ways: readonly (readonly [string, (store: SessionStore) => Promise<void>])[] = [
    ['another window finds it too old', removeAsTooOld],
    [
      'its file is deleted and another chat begins',
      async (store) => {
        await fs.rm(stores.file);
        await writeTurn(store, [userText('other')]);
      },
    ],
  ];
  const changes: readonly (readonly [string, (turn: SessionTurn) => void])[] = [
    [
      'compacts again',
      (turn) => turn.compacted([userText('summary 2'), ...turn.working().slice(1)], markOf()),
    ],
    ['says something', (turn) => turn.append(says('3'), says('short 3'))],
    ['is told something', (turn) => turn.appendWorking(userText('hurry'))],
    ['gets another system prompt', (turn) => turn.setSystemPrompt(undefined)],
    ['ends', (turn) => turn.end()],
  ];
  for (const [lost, lose] of ways)
    for (const [what, change] of changes)
      it(`is stored whole when ${lost} and it ${what}, and goes on from there`, async function () {
        if (process.platform === 'win32') this.skip();
        const store = stores.open();
        const turn = await compactedTurn(store);
        await lose(store);
        change(turn);
        await assertWhole(turn);
        turn.append(says('4'), says('short 4'));
        await assertWhole(turn);
        turn.compacted([userText('summary 3'), ...turn.working().slice(1)], markOf());
        turn.end();
        await assertWhole(turn);
      });

  it('is stored whole when what it had still to write comes after the loss', async () => {
    const store = stores.open();
    const turn = await compactedTurn(store);
    const other = new DatabaseSync(stores.file);
    other.exec('PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; DELETE FROM sessions');
    turn.append(says('3'), says('short 3'));
    turn.compacted([userText('summary 2'), ...turn.working().slice(1)], markOf());
    turn.appendWorking(userText('hurry'));
    other.exec('COMMIT');
    other.close();
    turn.end();
    assert.deepEqual(whole(await stores.open().find(turn.ref)), whole(turn));
    assert.deepEqual(
      stores.problems.map(({ kind }) => kind),
      ['locked'],
    );
  });

  it('keeps what its requests used since', async () => {
    const turn = await compactedTurn(stores.open());
    await removeAsTooOld();
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    turn.answered({ model: 'm', estimate: 5, usage });
    await assertWhole(turn);
    const later = await stores.open().find(turn.ref);
    assert.deepEqual(later?.lastRequest(), turn.lastRequest());
    assert.deepEqual(later?.usage(), { ...usage, requests: 1 });
  });

  it('keeps its lists', async () => {
    const turn = await compactedTurn(stores.open());
    const lists = [turn.log(), turn.entries(), turn.working()];
    await removeAsTooOld();
    turn.append(says('3'));
    assert.equal(turn.log(), lists[0]);
    assert.equal(turn.entries(), lists[1]);
    assert.equal(turn.working(), lists[2]);
  });

  it('is gone on from twice, each time with the working history as it was', async () => {
    const store = stores.open();
    const turn = await compactedTurn(store);
    turn.end();
    await removeAsTooOld();
    for (const text of ['first', 'edited']) {
      const next = await store.begin({ previous: turn.ref, request: text });
      next.append(userText(text));
      next.compacted([userText('summary 2'), ...next.working().slice(1)], markOf());
      next.end();
      await assertWhole(next);
    }
    // What is learned from it afterwards is stored with all of it.
    turn.markLearned();
    await assertWhole(turn);
  });
});
