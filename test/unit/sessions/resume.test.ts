import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { describe, it } from 'mocha';
import { userText, type Message } from '../../../src/models/model.ts';
import type { SessionView } from '../../../src/sessions/session.ts';
import { call, calls, says } from '../../support/conversation.ts';
import { markOf, useSessionStores, writeTurn } from '../../support/sessionStores.ts';

/** Of each kind of block one, with texts that are hard to store. */
const HARD_TEXT = 'a\0b "c" \\ \u2028 \ud800 \u00e9 e\u0301 接続 🙂\n';
const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
} as const;
const MESSAGES: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: HARD_TEXT }, IMAGE] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: HARD_TEXT, signature: 'EqQBCkYIBRgCKkA+/=' },
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'text', text: '' },
      call('p', 'read_file', { path: 'a.ts', nested: { list: [1, 1e-7, null, true, HARD_TEXT] } }),
      call('q', 'search'),
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'p',
        content: [{ type: 'text', text: HARD_TEXT }, IMAGE],
        is_error: false,
      },
      { type: 'tool_result', tool_use_id: 'q', content: [], is_error: true },
    ],
  },
  says('done'),
];

describe('a session after a reload', () => {
  const stores = useSessionStores();

  /** All that a view tells, as text. */
  function bytesOf(view: SessionView): string {
    return JSON.stringify([
      view.ref,
      view.log(),
      view.entries(),
      view.working(),
      view.systemPrompt() ?? null,
      view.lastCompaction() ?? null,
      view.lastRequest() ?? null,
      view.usage(),
    ]);
  }

  it('is the same byte for byte, with calls, thinking, images and context', async () => {
    const turn = await stores.open().begin({ request: 'one' });
    turn.setSystemPrompt(`frozen ${HARD_TEXT}`);
    const [first, ...rest] = MESSAGES;
    assert.ok(first?.role === 'user');
    const context = { type: 'context', text: HARD_TEXT, records: { 'a.md': 'hash' } } as const;
    turn.append(first, { role: 'user', content: [context, ...first.content] });
    for (const message of rest) turn.append(message);
    turn.appendWorking(userText('go on'));
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    turn.answered({ model: 'm', estimate: 12.5, usage });
    turn.end();
    const before = bytesOf(turn);
    const after = await stores.open().find(turn.ref);
    assert.ok(after);
    assert.equal(bytesOf(after), before);
    assert.deepEqual(after.usage(), { ...usage, requests: 1 });
  });

  it('names its entries as before, and each differently', async () => {
    const store = stores.open();
    const first = await writeTurn(store, MESSAGES, { seed: [userText('seen')] });
    const second = await writeTurn(store, MESSAGES, { previous: first.ref });
    const ids = second.entries().map(({ id }) => id);
    assert.equal(new Set(ids).size, 2 * MESSAGES.length + 1);
    assert.equal(ids[0], `${first.ref.turnId}:0`);
    const third = await stores.open().begin({ previous: second.ref });
    assert.deepEqual(
      third.entries().map(({ id }) => id),
      ids,
    );
  });

  it('goes on with the working history of the last compaction and what followed', async () => {
    const first = await stores.open().begin();
    for (const message of MESSAGES) first.append(message);
    first.compacted([userText('summary 1'), ...MESSAGES.slice(2)], markOf());
    first.appendWorking(userText('go on'));
    first.end();
    const second = await stores.open().begin({ previous: first.ref });
    second.append(userText('next'));
    // What the first compaction wrote is kept by the second, which stores it by name.
    const kept = second.working();
    second.compacted([userText('summary 2'), ...kept], markOf({ stages: ['fit', 'snip'] }));
    second.append(says('last'));
    second.end();
    const before = bytesOf(second);
    const after = await stores.open().find(second.ref);
    assert.ok(after);
    assert.equal(bytesOf(after), before);
    assert.deepEqual(after.working(), [
      userText('summary 2'),
      userText('summary 1'),
      ...MESSAGES.slice(2),
      userText('go on'),
      userText('next'),
      says('last'),
    ]);
    assert.deepEqual(after.lastCompaction(), markOf({ stages: ['fit', 'snip'] }));
    assert.deepEqual(after.log(), [...MESSAGES, userText('next'), says('last')]);
  });

  it('goes on from an earlier turn when that request is edited, also behind a compaction', async () => {
    const store = stores.open();
    const first = await writeTurn(store, [userText('one'), says('1')]);
    const second = await store.begin({ previous: first.ref, request: 'two' });
    second.append(userText('two'));
    second.compacted([userText('summary')], markOf());
    second.end();
    const third = await writeTurn(store, [userText('three')], { previous: second.ref });

    const later = stores.open();
    const edited = await later.begin({ previous: first.ref, request: 'other' });
    assert.deepEqual(edited.working(), [userText('one'), says('1')]);
    assert.equal(edited.lastCompaction(), undefined);
    edited.append(userText('other'));
    edited.end();
    assert.deepEqual((await later.find(third.ref))?.working(), [
      userText('summary'),
      userText('three'),
    ]);
    assert.deepEqual((await stores.open().find(edited.ref))?.log(), [
      userText('one'),
      says('1'),
      userText('other'),
    ]);
  });

  it('goes on from a turn that was cut off, and from one after that', async () => {
    const first = await writeTurn(stores.open(), [userText('one'), says('1')]);
    const cutOff = await stores.open().begin({ previous: first.ref, request: 'two' });
    cutOff.append(userText('two'));
    cutOff.append(calls(call('p', 'read_file')));
    const unfinished = ['two'];
    const again = await stores.open().begin({ previous: first.ref, unfinished, request: 'three' });
    again.append(userText('three'));
    const last = await stores.open().begin({
      previous: first.ref,
      unfinished: ['two', 'never begun', 'three'],
      request: 'four',
    });
    assert.deepEqual(last.log(), [
      userText('one'),
      says('1'),
      userText('two'),
      calls(call('p', 'read_file')),
      userText('three'),
    ]);
    assert.equal(last.ref.sessionId, first.ref.sessionId);
  });

  it('still has the words of a turn that was cut off before it had written them, after one more reload too', async () => {
    const first = await writeTurn(stores.open(), [userText('one'), says('1')]);
    await stores.open().begin({ previous: first.ref, request: 'two' });
    const next = await stores.open().begin({ previous: first.ref, unfinished: ['two'] });
    next.append(userText('three'));
    next.end();
    const said = [userText('one'), says('1'), userText('two'), userText('three')];
    assert.deepEqual([next.log(), next.working()], [said, said]);
    assert.deepEqual((await stores.open().find(next.ref))?.log(), said);
  });

  it('still has the words of two turns in a row that were cut off before they had written them', async () => {
    const first = await writeTurn(stores.open(), [userText('one')]);
    const previous = first.ref;
    await stores.open().begin({ previous, request: 'two' });
    await stores.open().begin({ previous, unfinished: ['two'], request: 'three' });
    const next = await stores.open().begin({ previous, unfinished: ['two', 'three'] });
    assert.deepEqual(next.log(), ['one', 'two', 'three'].map(userText));
  });

  it('still has the words of a turn that was cut off when it had only what the chat showed', async () => {
    await stores.open().begin({ seed: [userText('seen'), says('1')], request: 'two' });
    const next = await stores.open().begin({ unfinished: ['two'] });
    assert.deepEqual(next.log(), [userText('seen'), says('1'), userText('two')]);
    // What the turn itself has written is not written again.
    const again = await stores.open().begin({ seed: [userText('seen')], request: 'three' });
    again.append(userText('three'));
    const last = await stores.open().begin({ unfinished: ['three'] });
    assert.deepEqual(last.log(), [userText('seen'), userText('three')]);
  });

  it('still has the words of a turn that was cut off in a database that had lost what came before', async () => {
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const inAYear = () => new Date(Date.now() + 366 * 24 * 60 * 60 * 1000);
    await stores.open({ now: inAYear }).prune({ maxAgeDays: 30, maxBytes: 0 });
    await store.begin({ previous: first.ref, request: 'two' });
    const next = await stores.open().begin({ previous: first.ref, unfinished: ['two'] });
    assert.deepEqual(next.log(), [userText('one'), userText('two')]);
  });

  it('does not go on from a cut-off turn that the chat does not show', async () => {
    const first = await writeTurn(stores.open(), [userText('one')]);
    const cutOff = await stores.open().begin({ previous: first.ref, request: 'two' });
    cutOff.append(userText('two'));
    const retried = await stores.open().begin({ previous: first.ref, request: 'two' });
    assert.deepEqual(retried.log(), [userText('one')]);
  });

  it('knows what was learned from, and that a request is sent again', async () => {
    const first = await writeTurn(stores.open(), [userText('one')], { request: 'one' });
    first.markLearned();
    const second = await writeTurn(stores.open(), [userText('two')], {
      previous: first.ref,
      request: 'two',
    });
    assert.equal((await stores.open().begin({ previous: second.ref })).learned(), 1);
    second.markLearned();
    assert.equal((await stores.open().begin({ previous: second.ref })).learned(), 2);
    const retried = await stores.open().begin({ previous: first.ref, request: 'two' });
    assert.equal(retried.learned(), 2);
    const edited = await stores.open().begin({ previous: first.ref, request: 'other' });
    assert.equal(edited.learned(), 1);
  });

  it('knows that the first request is sent again, when that is the newest turn', async () => {
    const first = await writeTurn(stores.open(), [userText('one')], { request: 'one' });
    first.markLearned();
    const retried = await stores.open().begin({ request: 'one' });
    assert.equal(retried.learned(), 1);
    await writeTurn(stores.open(), [userText('two')], { request: 'two' });
    const later = await stores.open().begin({ request: 'one' });
    assert.equal(later.learned(), 0);
  });

  it('counts requests of sub-agents too, and does not take them for its own', async () => {
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const turn = await stores.open().begin();
    turn.append(userText('one'));
    turn.answered({ model: 'm', estimate: 10, usage });
    turn.answeredAside({ model: 'n', usage });
    turn.end();
    for (const view of [turn, await stores.open().find(turn.ref)]) {
      const sum = { input: 2, output: 4, cacheRead: 6, cacheWrite: 8, requests: 2 };
      assert.deepEqual(view?.usage(), sum);
      assert.deepEqual(view?.lastRequest(), { model: 'm', estimate: 10, usage });
    }
  });

  it('counts what all its requests used, those that were edited away included', async () => {
    const request = {
      model: 'm',
      estimate: 10,
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    };
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const second = await store.begin({ previous: first.ref });
    second.answered(request);
    const edited = await store.begin({ previous: first.ref });
    edited.answered({ ...request, model: 'n' });
    const sum = { input: 2, output: 4, cacheRead: 6, cacheWrite: 8, requests: 2 };
    assert.deepEqual(edited.usage(), sum);
    const later = await stores.open().find(first.ref);
    assert.deepEqual(later?.usage(), sum);
    assert.equal(later?.lastRequest(), undefined);
    assert.deepEqual((await stores.open().find(second.ref))?.lastRequest(), request);
  });

  it('hands on the frozen system prompt until it is taken back', async () => {
    const first = await stores.open().begin();
    first.setSystemPrompt('frozen');
    first.end();
    const second = await writeTurn(stores.open(), [userText('two')], { previous: first.ref });
    const third = await stores.open().begin({ previous: second.ref });
    assert.equal(third.systemPrompt(), 'frozen');
    third.setSystemPrompt(undefined);
    third.end();
    assert.equal((await stores.open().find(third.ref))?.systemPrompt(), undefined);
  });

  it('is there for turns that have left the memory', async () => {
    const store = stores.open();
    let previous = await writeTurn(store, [userText('0')]);
    const first = previous;
    for (let count = 1; count <= 50; count++)
      previous = await writeTurn(store, [userText(`${count}`)], { previous: previous.ref });
    assert.equal(previous.log().length, 51);
    assert.deepEqual((await store.find(first.ref))?.log(), [userText('0')]);
    assert.deepEqual(stores.problems, []);
  });

  it('is known to all turns of this window while it runs, however many begin meanwhile', async () => {
    const store = stores.open();
    const running = await store.begin();
    running.append(userText('one'));
    for (let count = 1; count <= 30; count++) await writeTurn(store, [userText(`${count}`)]);
    const next = await store.begin({ previous: running.ref });
    running.markLearned();
    assert.equal(next.learned(), 1);
  });

  it('is seen to grow while another window writes it', async () => {
    const running = await stores.open().begin();
    const reader = stores.open();
    for (const text of ['one', 'two']) {
      running.append(userText(text));
      assert.deepEqual((await reader.find(running.ref))?.log(), running.log());
    }
  });

  it('stores a message once, however often the history is compacted', async () => {
    const turn = await stores.open().begin();
    const text = 'x'.repeat(10_000);
    for (let count = 0; count < 20; count++) {
      turn.append(userText(text), userText(`short ${count}`));
      turn.compacted([...turn.working()], markOf());
    }
    const previews = turn.working().map(() => userText('y'.repeat(10_000)));
    for (let count = 0; count < 20; count++) turn.compacted(previews, markOf());
    const { size } = statSync(`${stores.file}-wal`);
    const after = await stores.open().find(turn.ref);
    assert.deepEqual(after?.working(), previews);
    // The log and the previews are 400,000 bytes; each change writes whole pages.
    assert.ok(size < 2_000_000, `${size} bytes`);
  });

  it('lets lists grow at their end only', async () => {
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const second = await store.begin({ previous: first.ref });
    const lists = [second.log(), second.working(), second.entries()];
    second.append(userText('two'));
    assert.deepEqual(lists[0], [userText('one'), userText('two')]);
    assert.deepEqual(lists[1], lists[0]);
    assert.equal(lists[2]?.length, 2);
    assert.equal(second.log(), lists[0]);
    assert.equal(second.working(), lists[1]);
    assert.equal(second.entries(), lists[2]);
    const old = second.working();
    const compacted = [userText('summary')];
    second.compacted(compacted, markOf());
    second.append(says('2'));
    assert.deepEqual(compacted, [userText('summary')]);
    assert.deepEqual(old, [userText('one'), userText('two')]);
    assert.deepEqual(first.log(), [userText('one')]);
  });

  it('keeps a session readable to its owner only', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTurn(stores.open(), [userText('one')]);
    for (const end of ['', '-wal', '-shm'])
      assert.equal(statSync(stores.file + end).mode & 0o777, 0o600, end);
  });
});
