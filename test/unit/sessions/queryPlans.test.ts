import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { afterEach, describe, it } from 'mocha';
import { userText } from '../../../src/models/model.ts';
import { markOf, useSessionStores, writeTurn } from '../../support/sessionStores.ts';

describe('what a turn asks of the database', () => {
  const stores = useSessionStores();
  const { prototype } = DatabaseSync;
  const original = Object.getOwnPropertyDescriptor(prototype, 'prepare') ?? {};
  const prepare = original.value as (this: DatabaseSync, sql: string) => StatementSync;
  const stopListening = () => Object.defineProperty(prototype, 'prepare', original);
  afterEach(stopListening);

  /** Each statement that is prepared from now on. */
  function listen(): ReadonlySet<string> {
    const seen = new Set<string>();
    prototype.prepare = function (this: DatabaseSync, sql) {
      seen.add(sql);
      return prepare.call(this, sql);
    };
    return seen;
  }

  it('is found by an index, however many sessions there are', async () => {
    const seen = listen();
    // Begun, written, loaded, gone on from where it was cut off, and sent again.
    const first = await writeTurn(stores.open(), [userText('one')], { request: 'one' });
    first.markLearned();
    const second = await stores.open().begin({ previous: first.ref, request: 'two' });
    second.setSystemPrompt('frozen');
    second.append(userText('two'));
    second.appendWorking(userText('go on'));
    const usage = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
    second.answered({ model: 'm', estimate: 1, usage });
    second.compacted([userText('summary')], markOf());
    await stores.open().begin({ previous: first.ref, unfinished: ['two'], request: 'three' });
    await stores.open().begin({ unfinished: ['one'], request: 'one' });
    const store = stores.open();
    await store.find(second.ref);
    await stores.open().removeAll();
    await store.begin({ previous: second.ref, request: 'two' });
    stopListening();

    const database = new DatabaseSync(stores.file, { readOnly: true });
    const scans = [...seen].filter(isOfATurn).flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        // What has been found of the chain is gone through, and what is computed is no table.
        .filter((detail) => /^SCAN (?!chain$|CONSTANT ROW$)/.test(detail))
        .map((detail) => `${detail}: ${sql}`),
    );
    database.close();
    assert.ok([...seen].filter(isOfATurn).length >= 15, [...seen].join('\n'));
    assert.deepEqual(scans, []);
  });
});

/** Not of the index that is written later, nor of the removal. */
function isOfATurn(sql: string): boolean {
  return !/PRAGMA|words|indexed|removed_turns|DELETE FROM removed|sqlite_schema|number > \?|position BETWEEN|FROM sessions/.test(
    sql,
  );
}
