import assert from 'node:assert/strict';
import { createClaude } from '../../../src/models/claude.ts';
import { userText, type Message, type ModelRequest } from '../../../src/models/model.ts';
import {
  billed,
  createCacheSimulator,
  type CachedBody,
  type CacheUsage,
} from '../../support/cacheSimulator.ts';
import { call, calls, results, says } from '../../support/conversation.ts';
import { startFakeMessagesApi, type FakeMessagesApi } from '../../support/fakeMessagesApi.ts';
import { text } from '../../support/messageEvents.ts';
import { readEvents } from '../../support/scriptedModel.ts';

const MARK = { cache_control: { type: 'ephemeral' } };

describe('cacheSimulator', () => {
  it('writes up to the last mark, and reads that when it is sent again', () => {
    const { request } = createCacheSimulator({ minimumTokens: 0 });
    const first = request(body(['a', '*b', 'c']));
    assert.ok(first.input > 0 && first.cacheWrite > first.input);
    assert.equal(first.cacheRead, 0);
    assert.deepEqual(request(body(['a', '*b', 'c'])), {
      input: first.input,
      cacheRead: first.cacheWrite,
      cacheWrite: 0,
    });
  });

  it('keeps nothing at a block without a mark', () => {
    const { request } = createCacheSimulator({ minimumTokens: 0 });
    request(body(['a', 'b', '*c']));
    assert.equal(request(body(['a', '*b', '*d'])).cacheRead, 0);
  });

  it('finds an entry from 19 blocks behind it, but not from 20', () => {
    for (const [added, isFound] of [
      [19, true],
      [20, false],
    ] as const) {
      const { request } = createCacheSimulator({ minimumTokens: 0 });
      const first = request(body(['*a']));
      const more = Array.from({ length: added - 1 }, (_, index) => `block ${index}`);
      const { cacheRead } = request(body(['a', ...more, '*end']));
      assert.equal(cacheRead, isFound ? whole(first) : 0, `${added} blocks added`);
    }
  });

  it('takes the longest entry that any mark finds', () => {
    const { request } = createCacheSimulator({ minimumTokens: 0 });
    const first = request(body(['*a', 'b', '*c']));
    assert.equal(request(body(['*a', 'b', '*c', '*d'])).cacheRead, whole(first));
  });

  it('keeps no prefix that is too short, and bills it as input', () => {
    const { request } = createCacheSimulator({ minimumTokens: 200 });
    const short = body(['*a']);
    assert.deepEqual(request(short), { input: whole(request(short)), cacheRead: 0, cacheWrite: 0 });
    const long = body(['x'.repeat(800), '*b']);
    assert.equal(request(long).input, 0);
    assert.equal(request(long).cacheWrite, 0);
  });

  it('loses all that stands behind a change, in the order tools, system, messages', () => {
    const base = { ...body(['*a']), tools: [tool('glob')], system: [marked('Be brief.')] };
    const { request } = createCacheSimulator({ minimumTokens: 0 });
    const first = request(base);
    const cases: readonly [string, CachedBody, 'all' | 'some' | 'none'][] = [
      ['nothing', base, 'all'],
      ['the messages', { ...base, messages: body(['*b']).messages }, 'some'],
      ['the system prompt', { ...base, system: [marked('Be long.')] }, 'some'],
      ['a tool', { ...base, tools: [tool('bash')] }, 'none'],
      ['the model', { ...base, model: 'claude-other' }, 'none'],
      ['the way of thinking', { ...base, thinking: { type: 'adaptive' } }, 'some'],
    ];
    for (const [what, changed, rest] of cases) {
      const { cacheRead } = request(changed);
      if (rest === 'all') assert.equal(cacheRead, whole(first), what);
      else if (rest === 'some') assert.ok(cacheRead > 0 && cacheRead < whole(first), what);
      else assert.equal(cacheRead, 0, what);
    }
  });

  it('takes marks for no part of what is said, but roles for one', () => {
    const { request } = createCacheSimulator({ minimumTokens: 0 });
    const first = request(body(['a', '*b']));
    assert.equal(request(body(['*a', '*b'])).cacheRead, whole(first));
    const other = body(['a', '*b']);
    const [message] = other.messages;
    assert.ok(message);
    const said = { ...other, messages: [{ ...message, role: 'assistant' }] };
    assert.equal(request(said).cacheRead, 0);
  });

  it('drops an entry that no request has used for its lifetime', () => {
    const { request } = createCacheSimulator({ minimumTokens: 0, lifetime: 2 });
    const first = request(body(['*a']));
    assert.equal(request(body(['a', '*b'])).cacheRead, whole(first));
    request(body(['*x']));
    assert.equal(request(body(['a', '*c'])).cacheRead, whole(first), 'a use is a new beginning');
    request(body(['*y']));
    request(body(['*z']));
    assert.equal(request(body(['a', '*d'])).cacheRead, 0);
  });

  it('refuses what the API refuses', () => {
    const { request } = createCacheSimulator();
    assert.throws(() => request(body(['*a', '*b', '*c', '*d', '*e'])), /5 blocks are marked/);
    assert.throws(() => request(body(['* '])), /without words/);
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln', ...MARK };
    const messages = [{ role: 'assistant', content: [thought] }];
    assert.throws(() => request({ model: 'claude-test', messages }), /block of thinking/);
  });

  it('counts a write a quarter dearer, and a read at a tenth', () => {
    assert.equal(billed({ input: 100, cacheRead: 1_000, cacheWrite: 40 }), 250);
  });
});

describe('the cache of a session with Claude', () => {
  let fake: FakeMessagesApi;
  let usages: CacheUsage[];
  let request: (request: Partial<ModelRequest>) => Promise<CacheUsage>;

  beforeEach(async () => {
    fake = await startFakeMessagesApi({ respond: () => ({ blocks: [text('ok')] }) });
    const claude = createClaude({
      apiKey: '',
      baseUrl: fake.url,
      modelId: 'claude-test',
      name: 'Claude Test',
      limits: { input: 200_000, output: 32_000 },
      structuredOutput: true,
      thinking: 'adaptive',
    });
    const cache = createCacheSimulator();
    usages = [];
    request = async (asked) => {
      const all = { system: SYSTEM, tools: TOOLS, messages: [], ...asked };
      await readEvents(claude.stream(all, new AbortController().signal));
      const sent = fake.messageRequests.at(-1);
      assert.ok(sent);
      const usage = cache.request(sent.body);
      usages.push(usage);
      return usage;
    };
  });
  afterEach(async () => {
    await fake.close();
    fake.assertDone();
  });

  /** Each request reads all of the one before. */
  function assertFullHits(): void {
    assert.ok(usages.length > 1);
    for (const [index, usage] of usages.slice(1).entries()) {
      assert.equal(usage.cacheRead, whole(usages[index]), `request ${index + 1}`);
      assert.equal(usage.input, 0, `request ${index + 1}`);
    }
  }

  it('reads all of the request before in each round of each turn', async () => {
    const messages: Message[] = [];
    for (let turn = 0; turn < 4; turn++) {
      messages.push(withMemory(`Request ${turn}`, turn));
      for (let round = 0; round < 3; round++) {
        await request({ messages });
        const id = `call_${turn}_${round}`;
        messages.push(thinks(calls(call(id, 'read_file'))), results([id, `Result ${id}`]));
      }
      await request({ messages });
      messages.push(thinks(says(`Answer ${turn}`)));
    }
    assertFullHits();
  });

  it('reads all of it behind a round of 30 calls at once', async () => {
    const messages: Message[] = [userText('Read them all.')];
    for (let round = 0; round < 3; round++) {
      await request({ messages });
      const ids = Array.from({ length: 30 }, (_, index) => `call_${round}_${index}`);
      messages.push(
        thinks(calls(...ids.map((id) => call(id, 'read_file')))),
        results(...ids.map((id) => [id, `Result ${id}`] as const)),
      );
    }
    await request({ messages });
    assertFullHits();
  });

  it('reads all of it when a turn begins with words behind results that nobody answered', async () => {
    const messages: Message[] = [userText('Look.')];
    await request({ messages });
    messages.push(calls(call('a', 'read_file')), results(['a', 'Result']));
    await request({ messages });
    const last = messages.pop();
    assert.ok(last?.role === 'user');
    messages.push({ role: 'user', content: [...last.content, ...userText('And?').content] });
    await request({ messages });
    assertFullHits();
  });

  it('reads tools and system prompt right behind a compaction, and all of it after that', async () => {
    await request({ messages: [userText('One'), says('Two'), userText('Three')] });
    const compacted: Message[] = [userText('[Archived.]'), says('So?'), userText('Three')];
    const { cacheRead } = await request({ messages: compacted });
    const fixed = whole(createCacheSimulator().request({ ...sentBody(), messages: [] }));
    assert.equal(cacheRead, fixed);
    const next = await request({ messages: [...compacted, says('Four'), userText('Five')] });
    assert.equal(next.cacheRead, whole(usages[1]));
  });

  it('still reads the tools when a compaction renews the system prompt', async () => {
    await request({ messages: [userText('One')] });
    const { cacheRead } = await request({ system: `${SYSTEM} New.`, messages: [userText('Two')] });
    const tools = { ...sentBody(), system: [], messages: [] };
    assert.equal(cacheRead, whole(createCacheSimulator().request(tools)));
  });

  it('bills 20 turns at a fifth of what they come to without a cache', async () => {
    const messages: Message[] = [];
    for (let turn = 0; turn < 20; turn++) {
      messages.push(withMemory(`Request ${turn}: ${'words '.repeat(100)}`, turn));
      await request({ messages });
      messages.push(says(`Answer ${turn}: ${'words '.repeat(200)}`));
    }
    const cost = usages.reduce((sum, usage) => sum + billed(usage), 0);
    const uncached = usages.reduce((sum, usage) => sum + whole(usage), 0);
    assert.ok(cost < uncached / 5, `${cost} of ${uncached}`);
  });

  function sentBody(): CachedBody {
    const sent = fake.messageRequests.at(-1);
    assert.ok(sent);
    return sent.body;
  }
});

const SYSTEM = `You are an agent. ${'Work with care. '.repeat(400)}`;
const TOOLS = ['read_file', 'bash'].map((name) => ({
  name,
  description: `Runs ${name}. ${'It is of use. '.repeat(300)}`,
  inputSchema: { type: 'object', properties: {} },
}));

/** A request behind the memories that came with its turn. */
function withMemory(words: string, turn: number): Message {
  const memory = { type: 'context', text: `<memory>${turn}</memory>`, records: {} } as const;
  return { role: 'user', content: [memory, { type: 'text', text: words }] };
}

function thinks(message: Message): Message {
  if (message.role === 'user') return message;
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } as const;
  return { role: 'assistant', content: [thought, ...message.content] };
}

function whole(usage: CacheUsage | undefined): number {
  assert.ok(usage);
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

/** One message of the user with these blocks; those that begin with a star are marked. */
function body(texts: readonly string[]): CachedBody {
  const content = texts.map((words) =>
    words.startsWith('*') ? marked(words.slice(1)) : { type: 'text', text: words },
  );
  return { model: 'claude-test', messages: [{ role: 'user', content }] };
}

function marked(words: string) {
  return { type: 'text', text: words, ...MARK };
}

function tool(name: string) {
  return { name, description: `Runs ${name}.`, input_schema: { type: 'object' }, ...MARK };
}
