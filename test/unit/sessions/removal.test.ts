import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { userText } from '../../../src/models/model.ts';
import type { TurnRef } from '../../../src/sessions/session.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { useSessionStores, writeTurn } from '../../support/sessionStores.ts';

const SEED = [userText('seen')];

describe('a conversation that the person deletes', () => {
  const stores = useSessionStores();

  async function assertGone(...refs: readonly TurnRef[]): Promise<void> {
    const later = stores.open();
    for (const ref of refs) assert.equal(await later.find(ref), undefined);
    assert.deepEqual(await later.search('needle'), []);
  }

  it('does not come back by what is learned from it afterwards', async () => {
    const store = stores.open();
    const turn = await writeTurn(store, [userText('needle')]);
    assert.equal(await store.removeAll(), 1);
    turn.markLearned();
    await assertGone(turn.ref);
  });

  it('does not come back by another window that has it in memory: its chat goes on with what it shows', async () => {
    const other = stores.open();
    const turn = await writeTurn(other, [userText('needle')]);
    assert.equal(await stores.open().removeAll(), 1);
    const next = await writeTurn(other, [userText('next')], { previous: turn.ref, seed: SEED });
    assert.notEqual(next.ref.sessionId, turn.ref.sessionId);
    assert.deepEqual(next.log(), [...SEED, userText('next')]);
    await assertGone(turn.ref);
    assert.deepEqual((await stores.open().find(next.ref))?.log(), next.log());
    assert.deepEqual(
      stores.problems.filter(({ kind }) => kind !== 'lostTurn'),
      [],
    );
  });

  it('does not come back by a turn that runs in another window; that turn ends in memory', async () => {
    const other = stores.open();
    const turn = await other.begin();
    turn.append(userText('needle'));
    assert.equal(await stores.open().removeAll(), 1);
    turn.append(userText('needle 2'));
    turn.setSystemPrompt('frozen');
    turn.end();
    assert.equal(turn.log().length, 2);
    await assertGone(turn.ref);
  });

  it('is gone from memory too, where there is no database', async () => {
    const store = new SessionStore();
    const turn = await writeTurn(store, [userText('needle')]);
    const running = await store.begin();
    running.append(userText('stays'));
    assert.equal(await store.removeAll(), 1);
    assert.deepEqual(await store.search('needle'), []);
    assert.equal(await store.find(turn.ref), undefined);
    assert.equal((await store.search('stays')).length, 1);
  });

  it('is not said to be gone while another program holds the file', async () => {
    const store = stores.open();
    const turn = await writeTurn(store, [userText('needle')]);
    const holder = new DatabaseSync(stores.file);
    holder.exec('BEGIN IMMEDIATE');
    await assert.rejects(
      store.removeAll(),
      /Not all conversations could be deleted: .*sessions\.db/,
    );
    holder.close();
    assert.equal((await store.find(turn.ref))?.log().length, 1);
    assert.equal(await store.removeAll(), 1);
    await assertGone(turn.ref);
  });

  it('is not said to be gone when a newer version has written the file', async () => {
    await writeTurn(stores.open(), [userText('needle')]);
    const database = new DatabaseSync(stores.file);
    database.exec('PRAGMA user_version = 1000');
    database.close();
    await assert.rejects(stores.open().removeAll(), /Not all conversations could be deleted/);
  });

  it('is gone when its file shows to be damaged meanwhile', async () => {
    const first = stores.open();
    const turn = await writeTurn(first, [userText('needle'), userText('x'.repeat(50_000))]);
    first.close();
    const store = stores.open();
    await store.find(turn.ref);
    const bytes = await fs.readFile(stores.file);
    await fs.writeFile(stores.file, bytes.fill(0xa5, 4096));
    await store.removeAll();
    await assertGone(turn.ref);
    const names = await fs.readdir(stores.file.replace(/[^/\\]+$/, ''));
    assert.deepEqual(
      names.filter((name) => name.includes('damaged')),
      [],
    );
  });
});
