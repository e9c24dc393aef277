import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLog } from '../../../../src/base/log.ts';
import { FALLBACK_MODELS } from '../../../../src/models/claudeModels.ts';
import {
  createClaudeCatalogue,
  AUTO_MODEL_ID,
  NO_KEY_MODEL_ID,
  type ReadyAccess,
} from '../../../../src/vscode/models/claudeCatalogue.ts';

const LIST = {
  data: [
    { type: 'model', id: 'claude-big', display_name: 'Claude Big', max_input_tokens: 500_000 },
    { type: 'model', id: 'claude-haiku-9', display_name: 'Claude Haiku 9' },
  ],
  has_more: false,
};

describe('Claude catalogue', () => {
  let server: Server;
  let answer: { status: number; body: unknown };
  let asked: number;
  let now: number;
  let key: string | undefined;

  beforeEach(async () => {
    answer = { status: 200, body: LIST };
    asked = 0;
    now = 0;
    key = 'key-1';
    server = createServer((_request, response) => {
      asked++;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  it('says what is missing before anything is sent', async () => {
    key = undefined;
    assert.deepEqual(await catalogue().access(), { kind: 'missingKey' });
    const wrong = catalogue({ ok: false, problem: 'No such address.' });
    const access = await wrong.access();
    assert.deepEqual(access, { kind: 'problem', problem: 'No such address.' });
    assert.deepEqual(await wrong.models(access), FALLBACK_MODELS);
    assert.equal(asked, 0);
  });

  it('lists what the endpoint lists, asked once', async () => {
    const models = catalogue();
    const access = await ready(models);
    const lists = await Promise.all([models.models(access), models.models(await ready(models))]);
    assert.deepEqual(
      lists.map((list) => list.map(({ id }) => id)),
      [
        ['claude-big', 'claude-haiku-9'],
        ['claude-big', 'claude-haiku-9'],
      ],
    );
    assert.equal(asked, 1);
  });

  it('asks again with another key', async () => {
    const models = catalogue();
    await models.models(await ready(models));
    key = 'key-2';
    await models.models(await ready(models));
    assert.equal(asked, 2);
  });

  for (const status of [401, 404, 500]) {
    it(`falls back to a short list on ${status}, and asks again after a minute`, async () => {
      answer = { status, body: { type: 'error', error: { type: 'x', message: 'No.' } } };
      const models = catalogue();
      const access = await ready(models);
      assert.deepEqual(await models.models(access), FALLBACK_MODELS);
      answer = { status: 200, body: LIST };
      assert.deepEqual(await models.models(access), FALLBACK_MODELS);
      now = 60_000;
      assert.equal((await models.models(access))[0]?.id, 'claude-big');
    });
  }

  it('falls back when the server lists nothing', async () => {
    answer = { status: 200, body: { data: [], has_more: false } };
    const models = catalogue();
    assert.deepEqual(await models.models(await ready(models)), FALLBACK_MODELS);
  });

  it('makes the model with the limits of its entry', async () => {
    const models = catalogue();
    const model = await models.model('claude-big', await ready(models));
    assert.deepEqual(
      [model.id, model.name, model.limits.input],
      ['claude-big', 'Claude Big', 500_000],
    );
  });

  it('tries an id that is not listed all the same', async () => {
    const models = catalogue();
    const model = await models.plainModel('claude-new', await ready(models));
    assert.deepEqual([model.id, model.name], ['claude-new', 'claude-new']);
    const other = await models.plainModel('some-local-model', await ready(models));
    assert.deepEqual([model.seesImages, other.seesImages], [true, false]);
  });

  it('chooses a model for the entries that stand for none', async () => {
    const models = catalogue();
    for (const id of [NO_KEY_MODEL_ID, AUTO_MODEL_ID]) {
      const model = await models.model(id, await ready(models));
      assert.equal(model.id, 'claude-big');
    }
  });

  it('knows the cheapest model', async () => {
    const models = catalogue();
    assert.equal((await models.cheapest(await ready(models))).id, 'claude-haiku-9');
  });

  function catalogue(
    baseUrl: { ok: false; problem: string } | { ok: true; url: string } = {
      ok: true,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  ) {
    return createClaudeCatalogue({
      apiKey: () => Promise.resolve(key),
      baseUrl: () => baseUrl,
      log: silentLog,
      now: () => now,
    });
  }

  async function ready(models: ReturnType<typeof catalogue>): Promise<ReadyAccess> {
    const access = await models.access();
    assert.ok(access.kind === 'ready');
    return access;
  }
});
