import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import { describe, it } from 'mocha';
import { messageText, userText } from '../../../../src/models/model.ts';
import { useSessionProcesses } from '../../../support/sessionProcess.ts';
import { useSessionStores, writeTurn } from '../../../support/sessionStores.ts';

describe('sessions that windows share', function () {
  this.timeout(30_000);
  const stores = useSessionStores();
  const start = useSessionProcesses();

  it('lose nothing when a window is killed while it writes, and go on from there', async () => {
    const first = await writeTurn(stores.open(), [userText('one')]);
    for (const least of [0, 3, 50]) {
      const request = `killed after ${least}`;
      const child = start(stores.file);
      const { turn } = await child.tell({ do: 'begin', previous: first.ref, request });
      assert.ok(turn);
      const told: string[] = [];
      let answer = await child.tell({ do: 'appendUntilKilled' });
      while (told.length < least) {
        told.push(...(answer.texts ?? []));
        answer = (await child.next()) ?? assert.fail('It ended by itself.');
      }
      await child.kill();
      const next = await stores.open().begin({ previous: first.ref, unfinished: [request] });
      const log = next.log().map(messageText);
      assert.deepEqual(log.slice(0, told.length + 1), ['one', ...told]);
      // What it had written and not told yet is whole too.
      log.forEach((text, index) => assert.match(text, index === 0 ? /^one$/ : /^\d+ x{2000}$/));
    }
    assert.deepEqual(stores.problems, []);
  });

  it('lose nothing when three write at once', async () => {
    const windows = [start(stores.file), start(stores.file), start(stores.file)];
    const texts = windows.map((_, window) =>
      Array.from({ length: 200 }, (_, index) => `window ${window}, message ${index}`),
    );
    const turns = await Promise.all(
      windows.map(async (window, index) => {
        const { turn } = await window.tell({ do: 'begin' });
        await window.tell({ do: 'append', texts: texts[index] ?? [] });
        const { problems } = await window.tell({ do: 'end' });
        assert.deepEqual(problems, []);
        return turn;
      }),
    );
    const store = stores.open();
    for (const [index, turn] of turns.entries()) {
      assert.ok(turn);
      assert.deepEqual((await store.find(turn))?.log().map(messageText), texts[index]);
    }
    assert.equal((await store.search('message 199')).length, 3);
  });

  it('wait in memory, in order, while another window holds them, and are all written then', async () => {
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const child = start(stores.file);
    await child.tell({ do: 'hold' });
    const second = await store.begin({ previous: first.ref, request: 'two' });
    second.append(userText('two'));
    second.append(userText('3'), userText('short 3'));
    // Only the first waits for the other window, and not for long.
    const begun = performance.now();
    for (let count = 4; count < 100; count++) second.append(userText(`${count}`));
    assert.ok(performance.now() - begun < 5_000);
    // What is on the disk can still be read, and what is not is found here.
    assert.deepEqual((await stores.open().find(first.ref))?.log(), [userText('one')]);
    assert.equal((await store.search('99')).length, 1);
    assert.deepEqual(
      stores.problems.map(({ kind }) => kind),
      ['locked'],
    );
    await child.tell({ do: 'release' });
    second.end();
    const log = (await stores.open().find(second.ref))?.log();
    assert.deepEqual(log, second.log());
    assert.equal(log?.length, 99);
    // That it ended was written too.
    const next = await stores.open().begin({ previous: first.ref, unfinished: ['two'] });
    assert.deepEqual(next.log(), [userText('one')]);
  });

  it('are waited for by a chat that goes on, without holding up others, when nothing can be read', async () => {
    const before = stores.open();
    const first = await writeTurn(before, [userText('one')]);
    before.close();
    const child = start(stores.file);
    await child.tell({ do: 'holdAll' });
    const store = stores.open();
    await child.tell({ do: 'releaseLater', afterMs: 3_000 });
    let others = 0;
    const other = setInterval(() => others++, 5);
    const second = await store.begin({ previous: first.ref, seed: [userText('seen')] });
    clearInterval(other);
    assert.deepEqual(second.log(), [userText('one')]);
    assert.equal(second.ref.sessionId, first.ref.sessionId);
    assert.ok(others > 200, `${others}`);
    assert.deepEqual(
      stores.problems.map(({ kind }) => kind),
      ['locked'],
    );
  });

  it('are waited for once when nothing can be read for long, and are not said to be lost', async () => {
    const before = stores.open();
    const { ref: previous } = await writeTurn(before, [userText('one')]);
    before.close();
    await start(stores.file).tell({ do: 'holdAll' });
    const store = stores.open({ patienceMs: 1_000 });
    const seed = [userText('seen')];
    const times: number[] = [];
    for (let count = 0; count < 2; count++) {
      const begun = performance.now();
      assert.deepEqual((await store.begin({ previous, seed })).log(), seed);
      times.push(performance.now() - begun);
    }
    const [first = 0, second = 0] = times;
    assert.ok(first >= 1_000 && second < 500, times.join());
    assert.deepEqual(
      stores.problems.map(({ kind }) => kind),
      ['locked'],
    );
  });

  it('are written at the end when another window holds them just then', async () => {
    const store = stores.open();
    const turn = await store.begin();
    turn.append(userText('one'));
    const child = start(stores.file);
    await child.tell({ do: 'hold' });
    // From now on the store does not wait for it.
    turn.append(userText('two'));
    await child.tell({ do: 'releaseLater', afterMs: 300 });
    store.close();
    assert.deepEqual((await stores.open().find(turn.ref))?.log(), ['one', 'two'].map(userText));
  });

  it('live in memory where Node has no SQLite, and leave no file', async () => {
    const child = start(stores.file, '--no-experimental-sqlite');
    const { problems, turn } = await child.tell({ do: 'begin' });
    assert.deepEqual(problems, ['unavailable']);
    assert.ok(turn);
    await child.tell({ do: 'append', texts: ['one', 'two'] });
    await child.tell({ do: 'end' });
    const next = await child.tell({ do: 'begin', previous: turn });
    assert.equal(next.turn?.sessionId, turn.sessionId);
    assert.deepEqual((await child.tell({ do: 'log' })).texts, ['one', 'two']);
    await assert.rejects(fs.stat(stores.file), { code: 'ENOENT' });
  });

  it('are written by themselves when nothing follows', async () => {
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const child = start(stores.file);
    await child.tell({ do: 'hold' });
    const second = await writeTurn(store, [userText('two')], { previous: first.ref });
    await child.tell({ do: 'release' });
    const reader = stores.open();
    for (;;) {
      const found = await reader.find(second.ref);
      if (found?.log().length === 2) break;
      await new Promise(setImmediate);
    }
  });
});
