import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { ask as askQuestion } from '../../../src/models/ask.ts';
import { createClaude, listClaudeModels, type ClaudeOptions } from '../../../src/models/claude.ts';
import {
  agentModel,
  cheapestModel,
  claudeModelInfo,
  FALLBACK_MODELS,
} from '../../../src/models/claudeModels.ts';
import { errorText } from '../../../src/base/log.ts';
import {
  ModelError,
  userText,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from '../../../src/models/model.ts';
import { realSleep } from '../../../src/models/retry.ts';
import { createRefusedImages } from '../../../src/models/refusedImages.ts';
import { createStaleThinking } from '../../../src/models/staleThinking.ts';
import { asTold } from '../../support/asTold.ts';
import { call, calls, results } from '../../support/conversation.ts';
import {
  startFakeMessagesApi,
  type FakeMessagesApi,
  type RequestBody,
  type Step,
} from '../../support/fakeMessagesApi.ts';
import { eventText, holdBefore, text, toolUse } from '../../support/messageEvents.ts';
import { readEvents } from '../../support/scriptedModel.ts';

const API_KEY = 'test-key-0123456789';
const never = new AbortController().signal;
const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
const rateLimited = { type: 'rate_limit_error', message: 'Too many requests.' };

describe('claude', () => {
  let fake: FakeMessagesApi;
  let slept: number[];

  beforeEach(async () => {
    fake = await startFakeMessagesApi({ apiKey: API_KEY });
    slept = [];
  });
  afterEach(async () => {
    await fake.close();
    fake.assertDone();
  });

  function claude(options: Partial<ClaudeOptions> = {}) {
    return createClaude({
      apiKey: API_KEY,
      baseUrl: fake.url,
      modelId: 'claude-test',
      name: 'Claude Test',
      limits: { input: 200_000, output: 32_000 },
      structuredOutput: true,
      sleep: async (milliseconds) => void slept.push(milliseconds),
      ...options,
    });
  }

  function ask(options?: Partial<ClaudeOptions>, signal = never): Promise<ModelEvent[]> {
    return readEvents(claude(options).stream(request(), signal));
  }

  async function failure(options?: Partial<ClaudeOptions>, signal = never): Promise<ModelError> {
    try {
      await ask(options, signal);
    } catch (error) {
      assert(error instanceof ModelError, String(error));
      return error;
    }
    return assert.fail('The reply came to a good end.');
  }

  function lastBody() {
    const sent = fake.messageRequests.at(-1);
    assert(sent);
    return sent.body;
  }

  describe('the request', () => {
    beforeEach(() => fake.push({ blocks: [text('ok')] }));

    it('sends the parts in the order of the cache, each marked at its end', async () => {
      const thoughts = [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'eA==' },
      ] as const;
      const glob = call('t1', 'glob', { pattern: '**', deep: { a: [1] } });
      const found = results(['t1', 'a.ts']).content;
      const messages: Message[] = [
        userText('First'),
        { role: 'assistant', content: [...thoughts, { type: 'text', text: '' }, glob] },
        {
          role: 'user',
          content: [
            ...found,
            { type: 'context', text: '<relevant_memories/>', records: { 'a.md': 'hash' } },
            { type: 'text', text: 'Next' },
          ],
        },
      ];
      const tools = ['glob', 'bash'].map((name) => ({
        name,
        description: `Runs ${name}.`,
        inputSchema: { type: 'object', properties: {} },
      }));
      await readEvents(claude().stream({ system: 'Be brief.', messages, tools }, never));
      assert.deepEqual(lastBody(), {
        model: 'claude-test',
        max_tokens: 32_000,
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: 'First', cache_control: { type: 'ephemeral' } }],
          },
          { role: 'assistant', content: [...thoughts, glob] },
          {
            role: 'user',
            content: [
              ...found,
              { type: 'text', text: '<relevant_memories/>' },
              { type: 'text', text: 'Next', cache_control: { type: 'ephemeral' } },
            ],
          },
        ],
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          input_schema: inputSchema,
          ...(name === 'bash' && { cache_control: { type: 'ephemeral' } }),
        })),
        stream: true,
      });
    });

    it('leaves the messages as they are when it marks their end', async () => {
      const messages: Message[] = [
        userText('Hi'),
        calls(call('t1', 'glob')),
        results(['t1', 'ok']),
      ];
      const before = structuredClone(messages);
      await readEvents(claude().stream({ ...request(), messages }, never));
      assert.deepEqual(messages, before);
    });

    it('has no half characters, but thinking as it was signed', async () => {
      const half = 'a\ud83d';
      const thinking = { type: 'thinking', thinking: half, signature: 'c2ln' } as const;
      const messages: Message[] = [
        {
          role: 'user',
          content: [
            { type: 'context', text: half, records: {} },
            { type: 'text', text: half },
          ],
        },
        {
          role: 'assistant',
          content: [
            thinking,
            { type: 'text', text: half },
            call('t1', 'bash', { [half]: { list: [half, 1, null] } }),
          ],
        },
        results(['t1', half]),
      ];
      const inputSchema = { type: 'object', properties: { path: { description: half } } };
      const tools = [{ name: 'bash', description: half, inputSchema }];
      await readEvents(claude().stream({ system: half, messages, tools }, never));
      const { system, messages: sent, tools: sentTools } = lastBody();
      assert.deepEqual(sent[1]?.content[0], thinking);
      const others = [system, sentTools, sent[0], sent[1]?.content.slice(1), sent[2]];
      const json = JSON.stringify(others);
      assert.doesNotMatch(json, /\\ud83d/);
      assert.equal(json.match(/"a\ufffd"/g)?.length, 9, json);
    });

    it('has no empty assistant message, nor one that ends with thinking', async () => {
      const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } as const;
      const messages: Message[] = [
        userText('One'),
        { role: 'assistant', content: [] },
        { role: 'assistant', content: [thinking, { type: 'text', text: ' ' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Half' }, thinking] },
        userText('Two'),
      ];
      await readEvents(claude().stream({ ...request(), messages }, never));
      assert.deepEqual(shapes(lastBody().messages), [
        ['user', 'One'],
        ['assistant', 'Half'],
        ['user', 'Two'],
      ]);
    });

    it('ends with the user when the last words are those of the assistant', async () => {
      const half: Message = { role: 'assistant', content: [{ type: 'text', text: 'Half' }] };
      await readEvents(claude().stream({ ...request(), messages: [userText('Hi'), half] }, never));
      assert.deepEqual(shapes(lastBody().messages), [
        ['user', 'Hi'],
        ['assistant', 'Half'],
        ['user', 'Go on.'],
      ]);
    });

    it('leaves out a call at its end that has no result', async () => {
      const messages = [userText('Hi'), calls(call('t1', 'glob'))];
      await readEvents(claude().stream({ ...request(), messages }, never));
      assert.deepEqual(shapes(lastBody().messages), [['user', 'Hi']]);
    });

    it('leaves out system and tools that are empty, and keeps the limit of the model', async () => {
      const asked = { ...request(), system: ' ', maxOutputTokens: 100_000 };
      await readEvents(claude().stream(asked, never));
      assert.deepEqual(Object.keys(lastBody()).toSorted(), [
        'max_tokens',
        'messages',
        'model',
        'stream',
      ]);
      assert.equal(lastBody().max_tokens, 32_000);
    });

    it('asks for JSON in the form that the API takes', async () => {
      const outputSchema = {
        type: 'object',
        properties: { names: { type: 'array', items: { type: 'string' }, maxItems: 5 } },
        required: ['names'],
      };
      await readEvents(claude().stream({ ...request(), outputSchema }, never));
      assert.deepEqual(lastBody().output_config?.format, {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            names: { type: 'array', items: { type: 'string' }, description: '{maxItems: 5}' },
          },
          required: ['names'],
          additionalProperties: false,
        },
      });
    });

    it('does not ask a model for JSON that cannot promise it', async () => {
      const asked = { ...request(), outputSchema: { type: 'object' } };
      await readEvents(claude({ structuredOutput: false }).stream(asked, never));
      assert.equal(lastBody().output_config, undefined);
    });

    it('lets a model think in a turn', async () => {
      await ask({ thinking: 'adaptive' });
      assert.deepEqual(lastBody()['thinking'], { type: 'adaptive', display: 'summarized' });
    });

    // As the endpoint tells them: which types a model takes, and what is sent for an answer of 500 tokens.
    for (const [types, sent, room] of [
      [{ adaptive: true, disabled: true, between_tools: false }, { type: 'disabled' }, 500],
      [{ adaptive: true, disabled: false, between_tools: true }, { type: 'between_tools' }, 500],
      [{ adaptive: true, disabled: false, between_tools: false }, undefined, 8_500],
      [{ adaptive: false, disabled: true, between_tools: false }, undefined, 500],
      [undefined, undefined, 8_500],
    ] as const) {
      it(`lets no model think in a side question, or gives it room: ${JSON.stringify(types)}`, async () => {
        const told = Object.entries(types ?? {}).map(([type, supported]) => [type, { supported }]);
        const thinking = { types: Object.fromEntries(told) };
        const info = claudeModelInfo({ id: 'm', ...(types && { capabilities: { thinking } }) });
        const asked = { ...request(), maxOutputTokens: 500 };
        await readEvents(claude({ ...info }).stream(asked, never));
        assert.deepEqual(lastBody()['thinking'], sent);
        assert.equal(lastBody().max_tokens, room);
      });
    }

    it('takes an address with /v1 at its end, and sends the key in both headers', async () => {
      await ask({ baseUrl: `${fake.url}/v1/` });
      const sent = fake.requests[0];
      assert.equal(sent?.path, '/v1/messages');
      assert.equal(sent?.headers['x-api-key'], API_KEY);
      assert.equal(sent?.headers.authorization, `Bearer ${API_KEY}`);
    });

    it('is not changed by the environment', async () => {
      const before = process.env['ANTHROPIC_API_KEY'];
      process.env['ANTHROPIC_API_KEY'] = 'key-of-the-environment';
      try {
        await ask();
      } finally {
        if (before === undefined) delete process.env['ANTHROPIC_API_KEY'];
        else process.env['ANTHROPIC_API_KEY'] = before;
      }
      assert.equal(fake.requests[0]?.headers.authorization, `Bearer ${API_KEY}`);
    });

    it('sends Claude the key as a bearer token alone, and to no other place', async () => {
      const urls: string[] = [];
      await ask({
        baseUrl: undefined,
        fetch: (input, init) => {
          const asked = new Request(input, init);
          urls.push(asked.url);
          assert.equal(asked.headers.get('x-api-key'), null);
          assert.equal(asked.headers.get('authorization'), `Bearer ${API_KEY}`);
          return fetch(asked.url.replace('https://api.anthropic.com', fake.url), init);
        },
      });
      assert.deepEqual(urls, ['https://api.anthropic.com/v1/messages']);
    });
  });

  describe('the reply', () => {
    it('streams words and thoughts, and ends with the whole message and its usage', async () => {
      fake.push({
        blocks: [
          { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmF0dXJl' },
          { type: 'redacted_thinking', data: 'eHg=' },
          text('I look 看看.'),
          toolUse('t1', 'glob', { pattern: '**/*.ts', nested: { list: [1, 'é'] } }),
        ],
        usage: {
          input_tokens: 7,
          output_tokens: 20,
          cache_read_input_tokens: 900,
          cache_creation_input_tokens: 30,
        },
      });
      const events = await ask();
      assert.equal(joined(events, 'thinking'), 'Let me see.');
      assert.equal(joined(events, 'text'), 'I look 看看.');
      assert.deepEqual(events.at(-1), {
        type: 'end',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmF0dXJl' },
            { type: 'redacted_thinking', data: 'eHg=' },
            { type: 'text', text: 'I look 看看.' },
            {
              type: 'tool_use',
              id: 't1',
              name: 'glob',
              input: { pattern: '**/*.ts', nested: { list: [1, 'é'] } },
            },
          ],
        },
        stopReason: 'tool_use',
        usage: { input: 7, output: 20, cacheRead: 900, cacheWrite: 30 },
      });
    });

    it('has no usage where the server counts nothing', async () => {
      fake.push({ blocks: [text('Hi.')], usage: { input_tokens: 0, output_tokens: 0 } });
      const end = (await ask()).at(-1);
      assert(end?.type === 'end');
      assert.equal(end.usage, undefined);
    });

    it('streams the words that come with the start of a block', async () => {
      const index = 0;
      const start = { type: 'content_block_start', index };
      const delta = { type: 'text_delta', text: 'you' };
      const body = [
        { type: 'message_start', message: {} },
        { ...start, content_block: { type: 'text', text: 'Hello ' } },
        { type: 'content_block_delta', index, delta },
        { ...start, index: 1, content_block: { type: 'text' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ].map(eventText);
      const headers = { 'content-type': 'text/event-stream' };
      const events = await ask({ fetch: async () => new Response(body.join(''), { headers }) });
      assert.deepEqual(events.slice(0, -1), [
        { type: 'text', text: 'Hello ' },
        { type: 'text', text: 'you' },
      ]);
      const end = events.at(-1);
      assert(end?.type === 'end');
      assert.deepEqual(end.message.content, [{ type: 'text', text: 'Hello you' }]);
    });

    it('sends thinking back untouched', async () => {
      const thinking = { type: 'thinking', thinking: ' Hm…\n', signature: 'c2ln+/=' } as const;
      fake.push({ blocks: [thinking, toolUse('t1', 'glob', {})] }, { blocks: [text('Done.')] });
      const end = (await ask()).at(-1);
      assert(end?.type === 'end');
      const { messages } = request();
      const asked = { ...request(), messages: [...messages, end.message, userText('Go on.')] };
      await readEvents(claude().stream(asked, never));
      assert.deepEqual(lastBody().messages[1]?.content[0], thinking);
    });

    it('takes the half call out of a reply that was cut at the token limit', async () => {
      fake.push({
        blocks: [
          text('I write.'),
          { ...toolUse('t1', 'write_file', {}), rawInput: '{"path":"a.txt","content":"half a fi' },
        ],
        stop: 'max_tokens',
      });
      const end = (await ask()).at(-1);
      assert(end?.type === 'end');
      assert.equal(end.stopReason, 'max_tokens');
      assert.deepEqual(end.message.content, [{ type: 'text', text: 'I write.' }]);
    });

    it('lets no call run when the reason for the end is not known', async () => {
      fake.push({ blocks: [text('Hm.'), toolUse('t1', 'bash', {})], stop: 'brand_new_reason' });
      const end = (await ask()).at(-1);
      assert(end?.type === 'end');
      assert.equal(end.stopReason, 'end_turn');
      assert.deepEqual(end.message.content, [{ type: 'text', text: 'Hm.' }]);
    });

    it('fails as refused when the model declines, with its explanation', async () => {
      const usage = { input_tokens: 70, output_tokens: 3 };
      fake.push({ blocks: [], stop: 'refusal', stopDetails: { explanation: 'Not this.' }, usage });
      const error = await failure();
      assert.equal(error.kind, 'refused');
      assert.deepEqual(error.usage, { input: 70, output: 3, cacheRead: 0, cacheWrite: 0 });
      assert.match(error.message, /declined to answer: Not this\./);
    });

    it('fails as overflow when the window was full before the end', async () => {
      const usage = { input_tokens: 190_000, output_tokens: 10_000 };
      fake.push({ blocks: [text('Half')], stop: 'model_context_window_exceeded', usage });
      const error = await failure();
      assert.equal(error.kind, 'overflow');
      assert.equal(error.usage?.input, 190_000);
    });

    it('does not end with thinking when the call after it was cut', async () => {
      const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } as const;
      const half = { ...toolUse('t1', 'bash', {}), rawInput: '{"comm' };
      fake.push({ blocks: [text('I write.'), thinking, half], stop: 'max_tokens' });
      fake.push({ blocks: [thinking], stop: 'max_tokens' });
      const contents = [(await ask()).at(-1), (await ask()).at(-1)].map(
        (end) => end?.type === 'end' && end.message.content,
      );
      assert.deepEqual(contents, [[{ type: 'text', text: 'I write.' }], []]);
    });

    const halves = [
      '{"path":',
      '{"path":"a.txt","content":"half a fi',
      '{"path": oops}',
      '["a.txt"]',
    ];
    for (const rawInput of halves) {
      for (const stop of ['tool_use', 'end_turn']) {
        it(`counts as cut when a call's input is ${rawInput} beside ${stop}, and no call runs`, async () => {
          const half = { ...toolUse('t2', 'write_file', {}), rawInput };
          fake.push({ blocks: [text('I write.'), toolUse('t1', 'bash', {}), half], stop });
          const end = (await ask()).at(-1);
          assert(end?.type === 'end');
          assert.equal(end.stopReason, 'max_tokens');
          assert.deepEqual(end.message.content, [{ type: 'text', text: 'I write.' }]);
        });
      }
    }

    it('fails when its stream is not JSON', async () => {
      const headers = { 'content-type': 'text/event-stream' };
      const body = 'event: message_start\ndata: {oops\n\n';
      const error = await failure({ fetch: async () => new Response(body, { headers }) });
      assert.equal(error.kind, 'other');
      assert.match(error.message, /could not be read/);
    });

    const others = [
      ['text/html', '<!doctype html><p>Sign in to the hotel'],
      ['application/json', '{"type":"message","content":[{"type":"text","text":"Hi"}]}'],
      ['text/plain', 'It works!'],
    ] as const;
    for (const [type, body] of others) {
      it(`fails at once when there is ${type} in place of it`, async () => {
        const headers = { 'content-type': type };
        const error = await failure({ fetch: async () => new Response(body, { headers }) });
        assert.equal(error.kind, 'other');
        assert.match(error.message, /something else than the reply of a model\. Check the address/);
        assert.deepEqual(slept, []);
      });
    }

    it('is read whatever type a server gives it', async () => {
      fake.push({ blocks: [text('ok')] });
      const renamed: typeof fetch = async (input, init) => {
        const { body } = await fetch(input, init);
        return new Response(body, { headers: { 'content-type': 'text/plain' } });
      };
      assert.equal(joined(await ask({ fetch: renamed }), 'text'), 'ok');
    });

    it('ends like any other at a stop sequence', async () => {
      fake.push({ blocks: [text('So.')], stop: 'stop_sequence' });
      const end = (await ask()).at(-1);
      assert.equal(end?.type === 'end' && end.stopReason, 'end_turn');
    });

    it('goes on when it paused', async () => {
      fake.push({ blocks: [text('I search.')], stop: 'pause_turn' });
      const end = (await ask()).at(-1);
      assert.equal(end?.type === 'end' && end.stopReason, 'pause_turn');
    });

    it('takes a call without any JSON for one without arguments', async () => {
      fake.push({ blocks: [{ ...toolUse('t1', 'glob', {}), rawInput: '' }] });
      const end = (await ask()).at(-1);
      assert(end?.type === 'end');
      assert.equal(end.stopReason, 'tool_use');
      assert.deepEqual(end.message.content, [
        { type: 'tool_use', id: 't1', name: 'glob', input: {} },
      ]);
    });
  });

  describe('thinking that the API takes no more', () => {
    const refusal = {
      status: 400,
      error: {
        type: 'invalid_request_error',
        message:
          'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block.',
      },
    };
    const thought = (signature: string) => ({ type: 'thinking', thinking: '', signature }) as const;
    const round = (id: string): readonly Message[] => [
      { role: 'assistant', content: [thought(`signed ${id}`), call(id, 'glob')] },
      results([id, 'found']),
    ];
    const read = async (model: Model, ...rounds: readonly (readonly Message[])[]) =>
      readEvents(
        model.stream({ ...request(), messages: [userText('Hi'), ...rounds.flat()] }, never),
      );
    const sentThoughts = () =>
      lastBody().messages.flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'thinking' ? [block['signature']] : [])),
      );

    it('is left out, then and from then on, but not what is thought after it', async () => {
      fake.push(refusal, { blocks: [text('ok')] }, { blocks: [text('ok')] });
      const model = claude();
      const events = await read(model, round('a'), round('b'));
      assert.equal(events.at(-1)?.type, 'end');
      assert.deepEqual(sentThoughts(), []);
      await read(model, round('a'), round('b'), round('c'));
      assert.deepEqual(sentThoughts(), ['signed c']);
      assert.deepEqual(slept, []);
    });

    it('stays left out by another model that is told of it', async () => {
      const staleThinking = createStaleThinking();
      fake.push(refusal, { blocks: [text('ok')] }, { blocks: [text('ok')] });
      await read(claude({ staleThinking }), round('a'));
      await read(claude({ staleThinking }), round('a'));
      assert.equal(fake.requests.length, 3);
    });

    it('is an error when there is nothing to leave out', async () => {
      fake.push(refusal, refusal, refusal);
      await assert.rejects(read(claude()), { kind: 'other' });
      await assert.rejects(read(claude(), round('a')), { kind: 'other' });
      assert.equal(fake.requests.length, 3);
    });
  });

  describe('a reply that breaks off', () => {
    const blocks = [text('Hello there, friend'), toolUse('t1', 'bash', { command: 'ls' })];

    // Event 4 comes after the first piece of text.
    for (const fault of [{ cutAfter: 4 }, { endAfter: 4 }]) {
      it(`is a network error and not asked for again (${Object.keys(fault)[0]})`, async () => {
        fake.push({ blocks, ...fault });
        const events: ModelEvent[] = [];
        const reading = (async () => {
          for await (const event of claude().stream(request(), never)) events.push(event);
        })();
        await assert.rejects(reading, { kind: 'network' });
        assert.deepEqual(events, [{ type: 'text', text: 'Hello th' }]);
        assert.equal(fake.requests.length, 1);
      });
    }

    it('tells what was counted of it, as the input is', async () => {
      fake.push({ blocks, cutAfter: 4, usage: { input_tokens: 70, output_tokens: 1 } });
      assert.deepEqual((await failure()).usage, {
        input: 70,
        output: 1,
        cacheRead: 0,
        cacheWrite: 0,
      });
    });

    it('has the kind of the error event that broke it', async () => {
      const errorEvent = { type: 'rate_limit_error', message: 'Slow down.' };
      fake.push({ blocks, errorEventAfter: 4 }, { blocks, errorEventAfter: 4, errorEvent });
      assert.equal((await failure()).kind, 'overloaded');
      assert.equal((await failure()).kind, 'rateLimit');
      assert.deepEqual(slept, []);
    });

    it('is ended by the watchdog when it stalls', async () => {
      fake.push({ blocks, stallAfter: 4 });
      const error = await failure({ watchdog: { firstByteMs: 5_000, idleMs: 50 } });
      assert.equal(error.kind, 'network');
      assert.match(error.message, /sent nothing for too long/);
      await fake.requests[0]?.hungUp;
    });

    it('is ended by the watchdog when its first byte does not come', async () => {
      const late = Promise.withResolvers<Step>();
      fake.push(() => late.promise);
      const error = await failure({ watchdog: { firstByteMs: 50, idleMs: 5_000 } });
      assert.equal(error.kind, 'network');
      assert.equal(fake.requests.length, 1);
      late.resolve({ blocks });
    });

    it('is not ended while pings keep it alive', async () => {
      // 400 ms without an event, but never 200 ms without a byte.
      fake.push({ blocks: [text('Hm.')], pings: 20, delayMs: 20 });
      const events = await ask({ watchdog: { firstByteMs: 5_000, idleMs: 200 } });
      assert.equal(events.at(-1)?.type, 'end');
    });
  });

  describe('a stop', () => {
    it('by a time limit ends a side question whose server only sends pings', async () => {
      fake.push({ blocks: [text('Too late.')], pings: 5_000, delayMs: 5 });
      const question = { model: claude(), system: '', prompt: 'Which?', schema: z.object({}) };
      const limit = AbortSignal.timeout(100);
      const asking = askQuestion({ ...question, maxOutputTokens: 100 }, limit);
      await assert.rejects(asking, { name: 'ModelError', kind: 'cancelled' });
      await fake.requests[0]?.hungUp;
    });

    it('in mid-answer cancels and hangs up', async () => {
      const hold = holdBefore(4);
      fake.push({ blocks: [text('Hello there')], hold });
      const controller = new AbortController();
      const reading = ask({}, controller.signal);
      await hold.reached;
      controller.abort();
      await assert.rejects(reading, { name: 'ModelError', kind: 'cancelled' });
      await fake.requests[0]?.hungUp;
    });

    it('in mid-answer tells what was counted by then', async () => {
      fake.push({ blocks: [text('Hello there')], hold: holdBefore(4) });
      const controller = new AbortController();
      const reading = (async () => {
        for await (const { type } of claude().stream(request(), controller.signal)) {
          if (type === 'text') controller.abort();
        }
      })();
      const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 };
      await assert.rejects(reading, { kind: 'cancelled', usage });
    });

    it('before the first request sends nothing', async () => {
      assert.equal((await failure({}, AbortSignal.abort())).kind, 'cancelled');
      assert.equal(fake.requests.length, 0);
    });

    it('while waiting for the next attempt ends the waiting', async () => {
      fake.push({ status: 529, error: overloaded });
      const controller = new AbortController();
      const sleep: ClaudeOptions['sleep'] = (_milliseconds, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('woken')));
          controller.abort();
        });
      assert.equal((await failure({ sleep }, controller.signal)).kind, 'cancelled');
      assert.equal(fake.requests.length, 1);
    });

    it('with the real clock wakes it too', async () => {
      fake.push({ status: 529, error: overloaded, headers: { 'retry-after': '50' } });
      const controller = new AbortController();
      const reading = (async () => {
        for await (const event of claude({ sleep: realSleep }).stream(
          request(),
          controller.signal,
        )) {
          if (event.type === 'retrying') controller.abort();
        }
      })();
      await assert.rejects(reading, { kind: 'cancelled' });
    });

    it('of reading hangs up, so that the model does not write on', async () => {
      const hold = holdBefore(5);
      fake.push({ blocks: [text('Hello there, friend')], hold });
      for await (const event of claude().stream(request(), never)) {
        assert.equal(event.type, 'text');
        await hold.reached;
        break;
      }
      await fake.requests[0]?.hungUp;
    });
  });

  describe('trying again', () => {
    it('is told, waits longer each time, and ends with the reply', async () => {
      const failed = { status: 529, error: overloaded };
      fake.push(failed, failed, failed, { blocks: [text('At last.')] });
      const events = await ask();
      assert.deepEqual(
        asTold(events.filter((event) => event.type === 'retrying')),
        [1000, 2000, 4000].map((delayMs, index) => ({
          type: 'retrying',
          attempt: index + 2,
          attempts: 4,
          delayMs,
          reason: 'overloaded',
        })),
      );
      assert.deepEqual(slept, [1000, 2000, 4000]);
      assert.equal(joined(events, 'text'), 'At last.');
    });

    it('stops after four attempts with the error', async () => {
      fake.push(...Array.from({ length: 4 }, () => ({ status: 529, error: overloaded })));
      assert.equal((await failure()).kind, 'overloaded');
      assert.equal(fake.requests.length, 4);
    });

    it('waits as long as the server asks for, up to a minute', async () => {
      const headers = { 'retry-after': '60' };
      fake.push({ status: 429, error: rateLimited, headers }, { blocks: [text('ok')] });
      await ask();
      assert.deepEqual(slept, [60_000]);
    });

    it('says when instead of waiting for an hour', async () => {
      fake.push({ status: 429, error: rateLimited, headers: { 'retry-after': '3600' } });
      const error = await failure();
      assert.equal(error.kind, 'rateLimit');
      assert.match(error.message, /Try again in 60 minutes\./);
      assert.deepEqual(slept, []);
    });

    it('follows a fault before the first event, also one inside of the stream', async () => {
      const blocks = [text('ok')];
      fake.push({ blocks, errorEventAfter: 0 }, { blocks, cutAfter: 0 }, { blocks });
      assert.equal(joined(await ask(), 'text'), 'ok');
      assert.equal(fake.requests.length, 3);
    });

    it('does not follow a connection that cannot be made safe', async () => {
      const error = await failure({ baseUrl: fake.url.replace('http:', 'https:') });
      assert.equal(error.kind, 'network');
      assert.match(error.message, /could not be made safe: .*Check the address/);
      assert.deepEqual(slept, []);
    });

    it('follows a connection that was refused, and tells of it', async () => {
      await fake.close();
      const error = await failure();
      assert.equal(error.kind, 'network');
      assert.match(error.message, /ECONNREFUSED/);
      assert.equal(slept.length, 3);
    });
  });

  describe('the key', () => {
    it('is never in an error, even when the server quotes it', async () => {
      const message = `bad key ${API_KEY} given`;
      fake.push({ status: 403, error: { type: 'permission_error', message } });
      const error = await failure();
      assert.equal(error.kind, 'auth');
      assert.match(error.message, /bad key \[key\] given/);
      assertHidden(error);
    });

    it('that no header can carry is refused before it is sent, without being quoted', async () => {
      const error = await failure({ apiKey: `${API_KEY}\nключ` });
      assert.equal(error.kind, 'auth');
      assertHidden(error);
      assert.equal(fake.requests.length, 0);
    });

    it('does not follow a redirect, nor does what is said', async () => {
      const other = await startFakeMessagesApi();
      for (const status of [301, 302, 303, 307, 308]) {
        const headers = { location: `${other.url}/proxy/v1/messages` };
        fake.push({ status, error: { type: 'moved', message: '' }, headers });
        const error = await failure();
        assert.match(error.message, /another address: http:\/\/127\.0\.0\.1:\d+\/proxy\. Set that/);
      }
      await other.close();
      assert.deepEqual(other.requests, []);
      assert.deepEqual(slept, []);
    });

    it('that is wrong is an auth error', async () => {
      const error = await failure({ apiKey: 'wrong-key-0123456789' });
      assert.equal(error.kind, 'auth');
      assert.match(error.message, /Set a valid key/);
    });

    it('that is missing is an auth error at Anthropic, and fine at a server that wants none', async () => {
      const error = await failure({ apiKey: ' ', baseUrl: undefined });
      assert.equal(error.kind, 'auth');
      fake.setApiKey(undefined);
      fake.push({ blocks: [text('ok')] });
      assert.equal(joined(await ask({ apiKey: '' }), 'text'), 'ok');
    });
  });

  it('names an HTML page instead of quoting it, in the cause too', async () => {
    const html = `<!DOCTYPE html><html><body>${'down '.repeat(200)}</body></html>`;
    fake.push(...Array.from({ length: 4 }, () => ({ status: 502, html })));
    const error = await failure();
    assert.equal(error.kind, 'network');
    assert.match(error.message, /error 502: an HTML page/);
    assert(errorText(error).length < 300, errorText(error));
  });

  describe('an image that the server refuses', () => {
    const picture = (data: string) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png', data },
    });
    const told = (image: ReturnType<typeof picture>): Message => ({
      role: 'user',
      content: [image, { type: 'text', text: 'Look.' }],
    });
    const older = told(picture('b2xk'));
    const newer = told(picture('bmV3'));
    const messages = [
      older,
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
      newer,
    ] as const;
    const refusal = {
      status: 400,
      error: { type: 'invalid_request_error', message: 'Could not process image' },
    };
    const answer = { blocks: [text('Hi.')] };
    const sent = () =>
      fake.messageRequests.map(({ body }) => {
        const all = JSON.stringify(body.messages);
        return ['b2xk', 'bmV3'].filter((data) => all.includes(data));
      });
    const send = (options: Partial<ClaudeOptions> = {}, given: readonly Message[] = messages) =>
      readEvents(claude(options).stream({ ...request(), messages: given }, never));

    it('is left out, the newest first, and so it is from then on', async () => {
      const refusedImages = createRefusedImages();
      fake.push(refusal, answer, answer);
      assert.equal((await send({ refusedImages })).at(-1)?.type, 'end');
      await send({ refusedImages });
      assert.deepEqual(sent(), [['b2xk', 'bmV3'], ['b2xk'], ['b2xk']]);
      assert.match(
        JSON.stringify(fake.messageRequests.at(-1)?.body),
        /An image stood here that the server refused/,
      );
    });

    it('is shown to another model', async () => {
      const refusedImages = createRefusedImages();
      fake.push(refusal, refusal, answer, answer);
      await send({ refusedImages });
      await send({ refusedImages, modelId: 'claude-other' });
      assert.deepEqual(sent().slice(2), [[], ['b2xk', 'bmV3']]);
    });

    it('is not what broke off a reply that had begun', async () => {
      const errorEvent = { type: 'api_error', message: 'Could not process image' };
      fake.push({ ...answer, errorEventAfter: 5, errorEvent });
      await assert.rejects(send(), { message: /Could not process image/ });
      assert.equal(fake.messageRequests.length, 1);
    });

    it('fails the request when it was not the image', async () => {
      fake.push(refusal, refusal, refusal);
      await assert.rejects(send(), { message: /Could not process image/ });
      assert.deepEqual(sent().at(-1), []);
    });
  });

  it('sends a note in place of each image to a model that sees none', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'eA==' },
    };
    const sent = async (options: Partial<ClaudeOptions>, more: Partial<ModelRequest>) => {
      fake.push({ blocks: [text('Hi.')] });
      const content = [image, { type: 'text', text: 'Look.' }] as const;
      const messages = [{ role: 'user', content }] as ModelRequest['messages'];
      await readEvents(claude(options).stream({ ...request(), messages, ...more }, never));
      return JSON.stringify(fake.messageRequests.at(-1)?.body.messages);
    };
    for (const more of [{}, { maxOutputTokens: 100 }]) {
      assert.match(
        await sent({ seesImages: false }, more),
        /"\(An image stands here that you cannot/,
      );
      assert.doesNotMatch(await sent({ seesImages: false }, more), /eA==/);
      assert.match(await sent({ seesImages: true }, more), /eA==/);
      assert.match(await sent({}, more), /eA==/);
    }
  });

  describe('the list of models', () => {
    it('has names, limits and abilities from the endpoint, without retired ones', async () => {
      fake.setModels([
        {
          id: 'claude-opus-9',
          display_name: 'Claude Opus 9',
          lifecycle: 'active',
          max_input_tokens: 1_000_000,
          max_tokens: 128_000,
          capabilities: {
            structured_outputs: { supported: true },
            image_input: { supported: true },
            thinking: { supported: true, types: { adaptive: { supported: true } } },
          },
        },
        { id: 'claude-1', display_name: 'Claude 1', lifecycle: 'retired' },
        { id: 'llama', object: 'model' },
        { object: 'no model' },
      ]);
      const models = await listClaudeModels({ apiKey: API_KEY, baseUrl: fake.url }, never);
      assert.deepEqual(models, [
        {
          id: 'claude-opus-9',
          name: 'Claude Opus 9',
          limits: { input: 1_000_000, output: 32_000 },
          structuredOutput: true,
          seesImages: true,
          thinking: 'adaptive',
          thinkingOff: 'impossible',
        },
        {
          id: 'llama',
          name: 'llama',
          limits: { input: 200_000, output: 32_000 },
          structuredOutput: false,
          seesImages: false,
          thinking: 'off',
          thinkingOff: 'impossible',
        },
      ]);
    });

    it('takes it from the name whether a model sees images when the server does not tell', async () => {
      const seeing = [
        'llava:13b',
        'qwen2.5vl:7b',
        'qwen/qwen3-vl-8b',
        'llama3.2-vision',
        'gemma3:4b',
      ];
      const others = [
        'llama3.3',
        'qwen3:8b',
        'gemma2:9b',
        'gpt-oss:20b',
        'deepseek-r1',
        'devstral',
      ];
      fake.setModels([...seeing, ...others].map((id) => ({ id })));
      const models = await listClaudeModels({ apiKey: API_KEY, baseUrl: fake.url }, never);
      assert.deepEqual(
        models.filter(({ seesImages }) => seesImages).map(({ id }) => id),
        seeing,
      );
    });

    it('fails as a model does', async () => {
      const wrong = listClaudeModels({ apiKey: 'wrong-key-0123456789', baseUrl: fake.url }, never);
      await assert.rejects(wrong, { name: 'ModelError', kind: 'auth' });
      const stopped = listClaudeModels({ apiKey: API_KEY, baseUrl: fake.url }, AbortSignal.abort());
      await assert.rejects(stopped, { kind: 'cancelled' });
    });

    it('has a cheapest model', () => {
      assert.match(cheapestModel(FALLBACK_MODELS)?.id ?? '', /haiku/);
      const [opus, sonnet] = FALLBACK_MODELS;
      assert(opus && sonnet);
      assert.equal(cheapestModel([opus, sonnet]), sonnet);
      assert.equal(cheapestModel([opus]), opus);
      assert.equal(cheapestModel([]), undefined);
    });

    it('has a model for daily coding', () => {
      const [opus, , haiku] = FALLBACK_MODELS;
      assert(opus && haiku);
      assert.match(agentModel(FALLBACK_MODELS)?.id ?? '', /sonnet/);
      assert.equal(agentModel([haiku, opus]), opus);
      assert.equal(agentModel([haiku]), haiku);
      assert.equal(agentModel([]), undefined);
    });
  });
});

function request(): ModelRequest {
  return { system: 'Be brief.', messages: [userText('Hi')], tools: [] };
}

/** The role and the words of each message. */
function shapes(messages: RequestBody['messages']): [role: string, words: string][] {
  return messages.map(({ role, content }) => [
    role,
    content.map((block) => block.text ?? block.type).join('|'),
  ]);
}

function joined(events: readonly ModelEvent[], type: 'text' | 'thinking'): string {
  return events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
}

function assertHidden(error: ModelError): void {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    assert(!`${link.message} ${link.stack}`.includes(API_KEY), `${link.name} holds the key`);
  }
}
