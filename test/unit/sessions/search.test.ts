import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { userText, type Message } from '../../../src/models/model.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { call, calls, results, says } from '../../support/conversation.ts';
import { useSessionStores, writeTurn } from '../../support/sessionStores.ts';

describe('a search of the sessions', () => {
  const stores = useSessionStores();

  /** What is found of these texts, each said by the person, in the order in which it is found. */
  async function foundOf(texts: readonly string[], query: string): Promise<readonly string[]> {
    const store = stores.open();
    await writeTurn(store, texts.map(userText));
    return (await store.search(query, { limit: 100 })).map(({ excerpt }) => excerpt);
  }

  for (const [text, query] of [
    ['The database connection is pooled.', 'connect'],
    ['The database connection is pooled.', 'POOLED database'],
    ['我们决定使用数据库。', '数据库'],
    ['我们决定使用数据库。', '决定'],
    ['我们决定使用数据库。', '库'],
    ['データベースに接続します。', 'データベース'],
    ['データベースに接続します。', '接続'],
    ['データベースに接続します。', 'に'],
    ['파일을 연결합니다.', '연결합'],
    ['파일을 연결합니다.', '연결'],
    ['파일을 연결합니다.', '파일　연결'],
    ['Call it x.', 'x'],
    ['Ещё раз', 'ещё'],
    ['ОН и Я', 'он'],
    ['Он здесь', 'оН'],
    ['à ÀÉ É', 'àé'],
    ['Straße', 'STRAßE'],
    ['a.b (c) [d] {e} ^f$ *+? | /g-h', '(C)'],
    ['a.b (c) [d] {e} ^f$ *+? | /g-h', '/G-H'],
    ['a.b (c) [d] {e} ^f$ *+? | /g-h', '*+?'],
    ['cafe\u0301', 'caf\u00e9'],
    ['🙂🙃 here', '🙃'],
    ['say "hi" to \\ it', '"hi"'],
    ['say "hi" to \\ it', '\\'],
    ['100% of a_b', '0%'],
    ['100% of a_b', '_'],
    ['a AND b OR NOT NEAR(c) * ^d col:e', 'NEAR(c)'],
    ['a AND b OR NOT NEAR(c) * ^d col:e', 'NOT AND'],
    ['a AND b OR NOT NEAR(c) * ^d col:e', '*'],
    ['a AND b OR NOT NEAR(c) * ^d col:e', 'col:e ^d'],
    ['nul\0byte', 'nul'],
  ] as const)
    it(`finds ${JSON.stringify(query)} in ${JSON.stringify(text)}, and in nothing else`, async () => {
      const expected = text.replace('\0', ' ').normalize('NFC');
      assert.deepEqual(await foundOf(['Something', text, '其他 別の 다른'], query), [expected]);
      // Without a database too.
      const store = new SessionStore();
      await writeTurn(store, ['Something', text, '其他 別の 다른'].map(userText));
      assert.deepEqual(
        (await store.search(query)).map(({ excerpt }) => excerpt),
        [expected],
      );
    });

  it('finds nothing for no words, and nothing where one of them is missing', async () => {
    assert.deepEqual(await foundOf(['one two'], ' \n '), []);
    assert.deepEqual(await foundOf(['one two'], 'one three'), []);
    assert.deepEqual(await foundOf(['one two'], 'one x'), []);
    assert.deepEqual(await foundOf(['one two'], '"'), []);
  });

  it('finds what was called and what came of it, but not what was thought', async () => {
    const store = stores.open();
    const path = 'src\\paths\\main.ts';
    const thinking = { type: 'thinking', thinking: 'secretly', signature: 's' } as const;
    const reply: Message = {
      role: 'assistant',
      content: [thinking, call('p', 'read_file', { path })],
    };
    await writeTurn(store, [userText('go'), reply, results(['p', 'line one\nline two'])]);
    assert.deepEqual(
      (await store.search('read_file')).map(({ from }) => from),
      ['assistant'],
    );
    assert.equal((await store.search(path)).length, 1);
    assert.deepEqual(
      (await store.search('one')).map(({ from, excerpt }) => [from, excerpt]),
      [['tool', 'line one line two']],
    );
    assert.deepEqual(await store.search('secretly'), []);
    assert.deepEqual(await store.search('signature'), []);
  });

  it('finds the ends of a long result, and all that a person wrote', async () => {
    const store = stores.open();
    const long = `beginning ${'x '.repeat(20_000)}middle${' y'.repeat(20_000)} ending`;
    await writeTurn(store, [calls(call('p', 'run')), results(['p', long])]);
    const counts = async () =>
      Promise.all(
        ['beginning', 'middle', 'ending'].map(async (word) => (await store.search(word)).length),
      );
    assert.deepEqual(await counts(), [1, 0, 1]);
    await writeTurn(store, [userText(long)]);
    assert.deepEqual(await counts(), [2, 1, 2]);
  });

  it('does not find itself', async () => {
    const store = stores.open();
    const turn = await store.begin();
    turn.append(calls(call('p', 'search_history', { query: 'needle' }), call('q', 'run')));
    turn.append(results(['p', 'a needle here']));
    turn.append(results(['q', 'no hay']));
    turn.end();
    assert.deepEqual(await store.search('needle'), []);
    assert.equal((await store.search('hay')).length, 1);
  });

  it('puts what was said before what a tool printed, and of each the newest first', async () => {
    const store = stores.open();
    await writeTurn(store, [userText('needle 1'), says('needle 2')]);
    await writeTurn(store, [calls(call('p', 'run')), results(['p', 'needle 3'])]);
    await writeTurn(store, [userText('needle 4')]);
    const hits = await store.search('needle');
    assert.deepEqual(
      hits.map(({ excerpt }) => excerpt),
      ['needle 4', 'needle 2', 'needle 1', 'needle 3'],
    );
    assert.deepEqual(await store.search('needle', { limit: 2 }), hits.slice(0, 2));
    const one = await store.search('needle', { sessionId: hits[1]?.sessionId ?? '' });
    assert.deepEqual(one, hits.slice(1, 3));
  });

  it('shows the words around the match also behind letters that are longer in lower case', async () => {
    const text = `${'İ'.repeat(500)} ${'x '.repeat(500)}Needle ${'y '.repeat(500)}`;
    const [excerpt = ''] = await foundOf([text], 'needle');
    assert.match(excerpt, /^…x (x )+Needle y (y )+y…$/);
    assert.equal(excerpt.indexOf('Needle'), 101);
  });

  it('names each message, which is then had verbatim', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const message = says(`needle\n${'long '.repeat(1_000)}`);
    for (const store of [stores.open({ now: () => at }), new SessionStore({ now: () => at })]) {
      const turn = await writeTurn(store, [userText('one'), message, userText('two')]);
      const [hit] = await store.search('needle');
      const { sessionId } = turn.ref;
      assert.ok(hit);
      assert.deepEqual(await store.message(hit.number), { sessionId, at, message });
      assert.equal(hit.excerpt.length <= 301, true);
      assert.match(hit.excerpt, /^needle long .*…$/);
      assert.deepEqual([hit.sessionId, hit.at], [sessionId, at]);
    }
    assert.equal(await stores.open().message(1_000), undefined);
  });

  it('finds what another window has written since, and indexes each message once', async () => {
    const first = stores.open();
    await writeTurn(first, [userText('needle 1')]);
    assert.equal((await first.search('needle')).length, 1);
    const second = stores.open();
    await writeTurn(second, [userText('needle 2')]);
    const both = [first.search('needle'), second.search('needle'), first.search('needle')];
    for (const hits of await Promise.all(both)) assert.equal(hits.length, 2);
  });

  it('does not hold up others while it indexes', async () => {
    const store = stores.open();
    const turn = await store.begin();
    for (let count = 0; count < 60; count++)
      turn.append(userText(`needle ${'word '.repeat(2_000)}`));
    let others = 0;
    let isDone = false;
    const other = () => {
      others++;
      if (!isDone) setImmediate(other);
    };
    setImmediate(other);
    assert.equal((await store.search('needle', { limit: 100 })).length, 60);
    isDone = true;
    assert.ok(others >= 15, `${others}`);
  });
});
