import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { silentLog } from '../../../src/base/log.ts';
import { userText, type AssistantMessage } from '../../../src/models/model.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { call, calls, says } from '../../support/conversation.ts';
import { useSessionStores, writeTurn } from '../../support/sessionStores.ts';

describe('a value that nobody expects', () => {
  const stores = useSessionStores();

  function logOf(warnings: string[]) {
    return { ...silentLog, warn: (text: string) => warnings.push(text) };
  }

  /** More than functions can call each other, when they do little more than that. */
  function nestedCall(depth: number): AssistantMessage {
    let value: unknown = 'needle';
    for (let count = 0; count < depth; count++) value = count % 2 === 0 ? [value] : { name: value };
    return calls(call('p', 'run', { value }));
  }

  it('is found in a call, however deep it stands, with a database and without', async () => {
    for (const store of [stores.open(), new SessionStore()]) {
      const turn = await writeTurn(store, [nestedCall(3_000), says('needle after it')]);
      assert.equal((await store.search('needle')).length, 2);
      assert.equal((await store.find(turn.ref))?.log().length, 2);
    }
    assert.deepEqual(stores.problems, []);
  });

  it('that cannot be written costs its message alone, and the log tells of it', async () => {
    const warnings: string[] = [];
    const store = stores.open({ log: logOf(warnings) });
    const turn = await store.begin();
    turn.append(userText('one'));
    const odd = nestedCall(50_000);
    turn.append(odd);
    turn.append(userText('two'));
    turn.end();
    assert.deepEqual(turn.log(), [userText('one'), odd, userText('two')]);
    assert.deepEqual((await stores.open().find(turn.ref))?.log(), ['one', 'two'].map(userText));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /A change was left out/);
    assert.deepEqual(stores.problems, []);
  });

  it('that is odd only for the index is left out of it, and what follows is found', async () => {
    const first = stores.open();
    await writeTurn(first, ['needle 1', 'needle 2', 'needle 3'].map(userText));
    await first.search('needle');
    first.close();
    const database = new DatabaseSync(stores.file);
    database.exec(`UPDATE entries SET body = '{"role":"user","content":[{"type":"tool_result"}]}'
      WHERE body LIKE '%needle 2%'; DELETE FROM words; UPDATE indexed SET up_to = 0`);
    database.close();
    const warnings: string[] = [];
    const store = stores.open({ log: logOf(warnings) });
    assert.equal((await store.search('needle')).length, 2);
    await writeTurn(store, [userText('needle 4')]);
    assert.equal((await store.search('needle')).length, 3);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /Message 2 of the search was left out/);
  });

  it('in what a request used is counted as the nearest number of tokens', async () => {
    const store = stores.open();
    const turn = await store.begin();
    const missing: { input?: number } = {};
    const usage = { input: 10.5, output: Number.NaN, cacheRead: 2 ** 60, cacheWrite: -1 };
    turn.answered({ model: 'm', estimate: Number.NaN, usage });
    const { input = Number(missing.input) } = missing;
    turn.answered({ model: 'm', estimate: 2, usage: { ...usage, input } });
    turn.append(userText('one'));
    turn.end();
    const most = Number.MAX_SAFE_INTEGER;
    const last = { input: 0, output: 0, cacheRead: most, cacheWrite: 0 };
    for (const view of [turn, await stores.open().find(turn.ref)]) {
      assert.deepEqual(view?.lastRequest(), { model: 'm', estimate: 2, usage: last });
      const { cacheRead, ...others } = view?.usage() ?? assert.fail();
      assert.deepEqual(others, { input: 11, output: 0, cacheWrite: 0, requests: 2 });
      assert.ok(cacheRead >= most);
    }
    assert.deepEqual(stores.problems, []);
  });

  it('of turns in one chat is no limit to knowing what was learned', async function () {
    this.timeout(30_000);
    const store = new SessionStore();
    let { ref } = await writeTurn(store, [userText('one')]);
    for (let count = 0; count < 12_000; count++)
      ({ ref } = await writeTurn(store, [], { previous: ref }));
    assert.equal((await store.begin({ previous: ref })).learned(), 0);
  });

  it('ends nothing for the windows that are opened after it', async () => {
    await writeTurn(stores.open(), [nestedCall(4_000), nestedCall(50_000)]);
    for (const text of ['one', 'two']) {
      const { ref } = await writeTurn(stores.open(), [userText(`needle ${text}`)]);
      assert.equal((await stores.open().find(ref))?.log().length, 1);
    }
    assert.equal((await stores.open().search('needle')).length, 3);
    assert.deepEqual(stores.problems, []);
  });
});
