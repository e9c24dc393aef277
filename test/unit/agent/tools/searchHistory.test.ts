import assert from 'node:assert/strict';
import { createSearchHistory } from '../../../../src/agent/tools/searchHistory.ts';
import { userText } from '../../../../src/models/model.ts';
import { SessionStore } from '../../../../src/sessions/sessionStore.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

const NEVER = new AbortController().signal;

describe('search_history', () => {
  const folder = useTempFolder();

  async function setUp() {
    const file = `${folder.path}/sessions.db`;
    const sessions = new SessionStore({ file, now: () => new Date('2026-03-04T05:06:07Z') });
    const turn = await sessions.begin({ request: 'deploy' });
    turn.append(userText('我们每周五部署计费服务'));
    turn.append(calls(call('a', 'bash', { command: 'make deploy-billing' })));
    turn.append(results(['a', `deployed build 4711${' '.repeat(30_000)}the very end`]));
    turn.append(says('Done: build 4711 is live.'));
    turn.end();
    const tool = createSearchHistory(sessions);
    return { sessions, search: (input: object) => tool.run(input, NEVER) };
  }

  it('finds words of the person, the assistant and the tools', async () => {
    const { sessions, search } = await setUp();
    assert.match(await search({ query: '部署' }), /#\d+ 2026-03-04 05:06 .*person: .*每周五部署/);
    const hits = (await search({ query: '4711' })).split('\n');
    assert.deepEqual(hits.map((hit) => /, (\w+):/.exec(hit)?.[1]).toSorted(), [
      'assistant',
      'tool',
    ]);
    assert.match(await search({ query: 'deploy-billing' }), /assistant: .*make deploy-billing/);
    sessions.close();
  });

  it('leaves out the request that asks and the reply that searches, not what was said before', async () => {
    const { sessions, search } = await setUp();
    const turn = await sessions.begin({ request: 'billing' });
    turn.append(userText('Did we deploy the billing service?'));
    turn.append(says('I look for the billing service in the code.'));
    turn.append(says('I look for the billing service in the history.'));
    const hits = await search({ query: 'billing' });
    assert.deepEqual(hits.match(/, \w+: .*/g), [
      ', assistant: I look for the billing service in the code.',
      ', assistant: bash command make deploy-billing',
    ]);
    turn.end();
    assert.match(await search({ query: 'billing' }), /person: Did we deploy the billing service/);
    sessions.close();
  });

  it('reads a message whole, in portions when it is long', async () => {
    const { sessions, search } = await setUp();
    const number = Number(/#(\d+)/.exec(await search({ query: 'deployed build' }))?.[1]);
    const first = await search({ message: number });
    assert.match(first, /deployed build 4711/);
    const offset = Number(/Read on with offset (\d+)/.exec(first)?.[1]);
    assert.match(await search({ message: number, offset }), /the very end$/);
    sessions.close();
  });

  it('says what to do when there is nothing', async () => {
    const { sessions, search } = await setUp();
    assert.match(await search({ query: 'unheard of' }), /Try fewer or other words/);
    await assert.rejects(search({ message: 999 }), /no message #999/);
    await assert.rejects(search({}), /Give query to search, or message to read one/);
    sessions.close();
  });
});
