import assert from 'node:assert/strict';
import { startFakeMessagesApi, type FakeMessagesApi } from '../../support/fakeMessagesApi.ts';
import { text } from '../../support/messageEvents.ts';

const BODY = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };

describe('fakeMessagesApi', () => {
  let fake: FakeMessagesApi;

  beforeEach(async () => {
    fake = await startFakeMessagesApi({ respond: ({ model }) => ({ blocks: [text(model)] }) });
  });
  afterEach(() => fake.close());

  async function post(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(fake.url + path, {
      method: 'POST',
      body: JSON.stringify(BODY),
      headers,
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }

  it('plays the script first, then asks the responder', async () => {
    fake.push({ blocks: [text('scripted')] });
    const contents = [await post('/v1/messages'), await post('/v1/messages')].map(
      ({ json }) => json['content'],
    );
    assert.deepEqual(contents, [[text('scripted')], [text('m')]]);
    fake.assertDone();
  });

  it('finds a request that has come, and waits for one to come', async () => {
    await post('/v1/messages/count_tokens');
    const past = await fake.waitForRequest(({ path }) => path.endsWith('count_tokens'));
    assert.deepEqual(past.body, BODY);
    const coming = fake.waitForRequest(({ path }) => path === '/v1/messages');
    await post('/v1/messages');
    assert.equal((await coming).method, 'POST');
  });

  it('does not leave a waiting test hanging when it closes', async () => {
    const waiting = fake.waitForRequest(() => false);
    const refused = assert.rejects(waiting, /closed/);
    await fake.close();
    await refused;
  });

  it('takes the key in either header and no other', async () => {
    fake.setApiKey('right');
    const answers = [
      await post('/v1/messages', { 'x-api-key': 'right' }),
      await post('/v1/messages', { authorization: 'Bearer right' }),
      await post('/v1/messages', { 'x-api-key': 'wrong' }),
      await post('/v1/messages'),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 401, 401],
    );
  });

  it('complains of a request that nothing was there for', async () => {
    const bare = await startFakeMessagesApi();
    try {
      const response = await fetch(`${bare.url}/v1/messages`, {
        method: 'POST',
        body: JSON.stringify(BODY),
      });
      assert.equal(response.status, 500);
      assert.throws(() => bare.assertDone(), /no step/);
    } finally {
      await bare.close();
    }
  });
});
