import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { messageText, userText } from '../../../src/models/model.ts';
import type { SessionTurn } from '../../../src/sessions/session.ts';
import type { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { says } from '../../support/conversation.ts';
import { useSessionProcesses } from '../../support/sessionProcess.ts';
import { useSessionStores, writeTurn } from '../../support/sessionStores.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = new Date('2026-06-01T12:00:00Z').getTime();

describe('a chat whose first turn was cut off', function () {
  this.timeout(30_000);
  const stores = useSessionStores();
  const start = useSessionProcesses();

  /** A window that was opened so long ago. */
  function windowOf(hoursAgo: number): SessionStore {
    return stores.open({ now: () => new Date(NOW - hoursAgo * HOUR_MS) });
  }

  async function cutOff(answer: string, hoursAgo = 0, request = 'hi'): Promise<SessionTurn> {
    const turn = await windowOf(hoursAgo).begin({ request });
    turn.append(userText(request));
    turn.append(says(answer));
    return turn;
  }

  /** What a chat goes on with that shows these requests and no answer. */
  async function logAfter(...unfinished: readonly string[]): Promise<readonly string[]> {
    const seed = [userText('seen')];
    const turn = await windowOf(0).begin({ unfinished, seed, request: 'more' });
    return turn.log().map(messageText);
  }

  it('goes on from it when it can be no other', async () => {
    await cutOff('of another request', 0, 'other');
    await writeTurn(windowOf(1), [userText('of a chat that ended')], { request: 'hi' });
    await cutOff('half');
    assert.deepEqual(await logAfter('hi'), ['hi', 'half']);
  });

  it('goes on from the last of several that were cut off in a row', async () => {
    await cutOff('half');
    const second = await windowOf(0).begin({ unfinished: ['hi'], request: 'go on' });
    second.append(userText('go on'));
    assert.deepEqual(await logAfter('hi', 'never begun', 'go on'), ['hi', 'half', 'go on']);
  });

  for (const [what, prepare] of [
    ['it was left for more than a day', () => cutOff('half', 25)],
    [
      'a second chat of the same first words was cut off too',
      async () => {
        await cutOff('half');
        await cutOff('other half');
      },
    ],
    [
      'the same words were sent again since',
      async () => {
        await cutOff('half', 1);
        await writeTurn(windowOf(0), [userText('hi')], { request: 'hi' });
      },
    ],
    [
      'its own chat has gone on from it',
      async () => {
        await cutOff('half', 1);
        await writeTurn(windowOf(0), [userText('x')], { unfinished: ['hi'], request: 'go on' });
      },
    ],
    [
      'its own chat has gone on from it and was cut off again',
      async () => {
        await cutOff('half', 1);
        await windowOf(0).begin({ unfinished: ['hi'], request: 'go on' });
      },
    ],
  ] as const)
    it(`begins anew with what it shows when ${what}`, async () => {
      await prepare();
      assert.deepEqual(await logAfter('hi'), ['seen']);
    });

  it('begins anew beside a turn of the same words that runs in this window', async () => {
    const store = windowOf(0);
    const running = await store.begin({ request: 'hi' });
    running.append(userText('hi'));
    const seed = [userText('seen')];
    const turn = await store.begin({ unfinished: ['hi'], seed });
    assert.deepEqual(turn.log(), seed);
  });

  it('begins anew beside a turn of the same words that runs in another window, until that has died', async () => {
    const child = start(stores.file);
    const { turn } = await child.tell({ do: 'begin', request: 'hi' });
    await child.tell({ do: 'append', texts: ['hi', 'half'] });
    const later = { unfinished: ['hi'], seed: [userText('seen')] };
    const beside = await stores.open().begin(later);
    assert.deepEqual(beside.log(), later.seed);
    await child.kill();
    const next = await stores.open().begin(later);
    assert.deepEqual(next.log().map(messageText), ['hi', 'half']);
    assert.equal(next.ref.sessionId, turn?.sessionId);
  });
});
