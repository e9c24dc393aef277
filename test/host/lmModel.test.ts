import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import * as z from 'zod/mini';
import { ask } from '../../src/models/ask.ts';
import {
  ModelError,
  userText,
  type Message,
  type ModelErrorKind,
  type ModelEvent,
  type ModelRequest,
} from '../../src/models/model.ts';
import { createLmModel } from '../../src/vscode/models/lmModel.ts';
import { call, calls, results } from '../support/conversation.ts';
import { readEvents } from '../support/scriptedModel.ts';
import { LOOKS_AND_READS, READ, useDisposables, VENDOR } from './chatModels.ts';

/** VS Code looks into it. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Respond = vscode.LanguageModelChatProvider['provideLanguageModelChatResponse'];
type Sent = readonly vscode.LanguageModelChatRequestMessage[];

describe('lmModel', () => {
  const disposables = useDisposables();

  it('streams text and ends with the whole message, without usage', async () => {
    const model = await modelThat(say('one ', 'two'));
    assert.deepEqual(await events(model, request(userText('Count.'))), [
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two' },
      {
        type: 'end',
        message: { role: 'assistant', content: [{ type: 'text', text: 'one two' }] },
        stopReason: 'end_turn',
        usage: undefined,
      },
    ]);
  });

  it('takes the name and the input limit from the chat model', async () => {
    const model = await modelThat(say('x'));
    assert.deepEqual([model.id, model.name, model.limits.input], ['test-1', 'Test One', 1000]);
  });

  it('takes a usual input limit for a chat model that tells none', async () => {
    const { limits } = await modelThat(say('x'), { maxInputTokens: 0 });
    assert.equal(limits.input, 200_000);
  });

  it('ends with tool_use when the model calls a tool', async () => {
    const model = await modelThat((_model, _messages, _options, progress) => {
      progress.report(new vscode.LanguageModelTextPart('Look.'));
      progress.report(new vscode.LanguageModelToolCallPart('c1', 'read_file', { path: 'a' }));
      return Promise.resolve();
    });
    const end = (await events(model, request(userText('Read a.')))).at(-1);
    assert.deepEqual(end, LOOKS_AND_READS);
  });

  it('sends the system prompt in the first user message, and the tools in automatic mode', async () => {
    const sent: { messages: Sent; options: vscode.ProvideLanguageModelChatResponseOptions }[] = [];
    const model = await modelThat((_model, messages, options, progress) => {
      sent.push({ messages, options });
      progress.report(new vscode.LanguageModelTextPart('ok'));
      return Promise.resolve();
    });
    await events(model, { ...request(userText('Hello.')), tools: [READ] });
    assert.deepEqual(shapes(sent[0]?.messages), [['user', ['Be brief.', 'Hello.']]]);
    assert.equal(sent[0]?.options.toolMode, vscode.LanguageModelChatToolMode.Auto);
    assert.deepEqual(
      sent[0].options.tools?.map((tool) => tool.name),
      ['read_file'],
    );
  });

  it('sends calls and results in pairs, context as text, and no thinking', async () => {
    const sent: Sent[] = [];
    const model = await modelThat((_model, messages, _options, progress) => {
      sent.push(messages);
      progress.report(new vscode.LanguageModelTextPart('ok'));
      return Promise.resolve();
    });
    const history: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'context', text: 'Today is Monday.', records: {} },
          { type: 'text', text: 'Read a and b.' },
        ],
      },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'x' },
          call('c1', 'read_file', { path: 'a' }),
          call('c2', 'read_file', { path: 'b' }),
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [{ type: 'text', text: 'A' }],
            is_error: false,
          },
          {
            type: 'tool_result',
            tool_use_id: 'c2',
            content: [{ type: 'text', text: 'no b' }],
            is_error: true,
          },
        ],
      },
    ];
    await events(model, request(...history));
    assert.deepEqual(shapes(sent[0]), [
      ['user', ['Be brief.', 'Today is Monday.', 'Read a and b.']],
      ['assistant', ['call c1 {"path":"a"}', 'call c2 {"path":"b"}']],
      ['user', ['result c1: A', 'result c2: The call failed: no b']],
    ]);
  });

  it('sends the newest 20 images, and says where the older ones stood', async () => {
    let sent: readonly unknown[] = [];
    const respond: Respond = (_model, messages, _options, progress) => {
      sent = messages.flatMap(({ content }): readonly unknown[] => content);
      progress.report(new vscode.LanguageModelTextPart('ok'));
      return Promise.resolve();
    };
    const source = { type: 'base64', media_type: 'image/png', data: ONE_PIXEL } as const;
    const image = { type: 'image', source } as const;
    const content = Array.from({ length: 22 }, () => image);
    const sees = { toolCalling: true, imageInput: true };
    const model = await modelThat(respond, { capabilities: sees });
    await events(model, request({ role: 'user', content }));
    const texts = sent.filter((part) => part instanceof vscode.LanguageModelTextPart);
    const notes = texts.filter(({ value }) => value === '(An older image stood here.)');
    assert.deepEqual([notes.length, sent.length - texts.length], [2, 20]);
  });

  it('sends images as they are to a model that sees them, and says so to one that does not', async () => {
    const sent: Sent[] = [];
    const respond: Respond = (_model, messages, _options, progress) => {
      sent.push(messages);
      progress.report(new vscode.LanguageModelTextPart('ok'));
      return Promise.resolve();
    };
    const source = { type: 'base64', media_type: 'image/png', data: ONE_PIXEL } as const;
    const image = { type: 'image', source } as const;
    const history: Message[] = [
      { role: 'user', content: [image, { type: 'text', text: 'What is it?' }] },
      calls(call('c1', 'read_file', {})),
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [image], is_error: false }],
      },
    ];
    const sees = { toolCalling: true, imageInput: true };
    await events(await modelThat(respond, { capabilities: sees }), request(...history));
    const parts = sent[0]?.flatMap(({ content }): readonly unknown[] => content) ?? [];
    const result = parts.find((part) => part instanceof vscode.LanguageModelToolResultPart);
    for (const shown of [parts[1], result?.content[0]]) {
      assert.ok(typeof shown === 'object' && shown !== null);
      assert.ok('mimeType' in shown && 'data' in shown && shown.data instanceof Uint8Array);
      assert.equal(shown.mimeType, 'image/png');
      // VS Code may write it anew, in another size.
      assert.equal(Buffer.from(shown.data).toString('latin1', 1, 4), 'PNG');
    }
    for (const disposable of disposables.splice(0)) disposable.dispose();
    await events(await modelThat(respond), request(...history));
    const note = '[An image stands here that cannot be passed on to this model.]';
    assert.deepEqual(shapes(sent[1]), [
      ['user', ['Be brief.', note, 'What is it?']],
      ['assistant', ['call c1 {}']],
      ['user', [`result c1: ${note}`]],
    ]);
  });

  it('sends no half characters', async () => {
    const sent: Sent[] = [];
    const descriptions: string[] = [];
    const model = await modelThat((_model, messages, options, progress) => {
      sent.push(messages);
      descriptions.push(...(options.tools ?? []).map((tool) => tool.description));
      progress.report(new vscode.LanguageModelTextPart('ok'));
      return Promise.resolve();
    });
    const half = 'a\ud83d';
    const history: Message[] = [
      userText(half),
      calls(call('c1', 'read_file', { deep: [half] })),
      results(['c1', half]),
    ];
    const tools = [{ ...READ, description: half }];
    await events(model, { system: half, messages: history, tools });
    assert.deepEqual(shapes(sent[0]), [
      ['user', ['a\ufffd', 'a\ufffd']],
      ['assistant', ['call c1 {"deep":["a\ufffd"]}']],
      ['user', ['result c1: a\ufffd']],
    ]);
    assert.deepEqual(descriptions, ['a\ufffd']);
  });

  const failures: readonly [what: string, error: Error, kind: ModelErrorKind][] = [
    ['no permission', vscode.LanguageModelError.NoPermissions('Not allowed.'), 'auth'],
    ['a blocked request', vscode.LanguageModelError.Blocked('Filtered.'), 'refused'],
    ['a used-up quota', vscode.LanguageModelError.Blocked('Quota exceeded.'), 'rateLimit'],
    ['a model that is gone', vscode.LanguageModelError.NotFound('Gone.'), 'other'],
    ['a vendor’s quota', named('ChatQuotaExceeded', 'No more.'), 'rateLimit'],
    ['a filtered reply', new Error('Response got filtered.'), 'refused'],
    ['a key that a vendor refuses', new Error('401 Incorrect API key provided'), 'auth'],
    ['a dead connection', new Error('connect ECONNREFUSED 127.0.0.1:1'), 'network'],
    ['a long prompt', new Error('token count of 9 exceeds the limit of 8'), 'overflow'],
    ['any other error', new Error('Broken pipe organ.'), 'other'],
  ];
  for (const [what, error, kind] of failures) {
    it(`throws a ModelError of kind ${kind} for ${what}`, async () => {
      const model = await modelThat(() => Promise.reject(error));
      const thrown = await failure(events(model, request(userText('x'))));
      assert.equal(thrown.kind, kind);
      assert.match(thrown.message, /Test One/);
      assert.ok(thrown.cause instanceof Error);
    });
  }

  it('takes what came of a reply that was cut at its output limit, without its calls', async () => {
    const shown = Promise.withResolvers<void>();
    const model = await modelThat(async (_model, _messages, _options, progress) => {
      progress.report(new vscode.LanguageModelTextPart('Half'));
      progress.report(new vscode.LanguageModelToolCallPart('c1', 'read_file', { path: 'a' }));
      await shown.promise;
      throw new Error('Response too long.');
    });
    const seen: ModelEvent[] = [];
    await collect(model.stream(request(userText('x')), live()), seen, () => shown.resolve());
    assert.deepEqual(seen.at(-1), {
      type: 'end',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Half' }] },
      stopReason: 'max_tokens',
      usage: undefined,
    });
  });

  it('says that another model is to be picked where there is none', async () => {
    const text = 'Request Failed: 400 {"error":{"code":"model_not_supported"}}';
    const model = await modelThat(() => Promise.reject(new Error(text)));
    const { kind, message } = await failure(events(model, request(userText('x'))));
    assert.equal(kind, 'other');
    assert.match(message, /^Test One is not available.*Pick another model/);
  });

  it('gives what came before an error in mid-stream', async () => {
    const shown = Promise.withResolvers<void>();
    const model = await modelThat(async (_model, _messages, _options, progress) => {
      progress.report(new vscode.LanguageModelTextPart('half'));
      await shown.promise;
      throw new Error('cut');
    });
    const seen: ModelEvent[] = [];
    const stream = model.stream(request(userText('x')), live());
    await failure(collect(stream, seen, () => shown.resolve()));
    assert.deepEqual(seen, [{ type: 'text', text: 'half' }]);
  });

  it('cancels the request on abort, and ends at once although the vendor goes on', async () => {
    const cancelled = Promise.withResolvers<void>();
    const model = await modelThat((_model, _messages, _options, progress, token) => {
      token.onCancellationRequested(() => cancelled.resolve());
      progress.report(new vscode.LanguageModelTextPart('half'));
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const thrown = await failure(
      collect(model.stream(request(userText('x')), controller.signal), seen, () =>
        controller.abort(),
      ),
    );
    assert.equal(thrown.kind, 'cancelled');
    assert.deepEqual(seen, [{ type: 'text', text: 'half' }]);
    await cancelled.promise;
  });

  it('lets a time limit end a side question to a vendor that never answers', async () => {
    const model = await modelThat(() => new Promise(() => {}));
    const question = { model, system: '', prompt: 'Which?', schema: z.object({}) };
    const asking = ask({ ...question, maxOutputTokens: 100 }, AbortSignal.timeout(100));
    const thrown = await failure(asking);
    assert.equal(thrown.kind, 'cancelled');
  });

  it('takes an answer that a vendor ends quietly on abort for cancelled', async () => {
    const model = await modelThat((_model, _messages, _options, progress, token) => {
      progress.report(new vscode.LanguageModelTextPart('half'));
      return new Promise((resolve) => token.onCancellationRequested(() => resolve()));
    });
    const controller = new AbortController();
    const stream = model.stream(request(userText('x')), controller.signal);
    const thrown = await failure(collect(stream, [], () => controller.abort()));
    assert.equal(thrown.kind, 'cancelled');
  });

  async function modelThat(
    respond: Respond,
    more: Partial<vscode.LanguageModelChatInformation> = {},
  ) {
    const provider = vscode.lm.registerLanguageModelChatProvider(VENDOR, {
      provideLanguageModelChatInformation: () => [
        {
          id: 'test-1',
          name: 'Test One',
          family: 'test',
          version: '1',
          maxInputTokens: 1000,
          maxOutputTokens: 100,
          capabilities: { toolCalling: true },
          ...more,
        },
      ],
      provideLanguageModelChatResponse: respond,
      provideTokenCount: () => Promise.resolve(1),
    });
    disposables.push(provider);
    const [chat] = await vscode.lm.selectChatModels({ vendor: VENDOR });
    assert.ok(chat);
    return createLmModel(chat, silentLog);
  }
});

function say(...words: readonly string[]): Respond {
  return (_model, _messages, _options, progress) => {
    for (const word of words) progress.report(new vscode.LanguageModelTextPart(word));
    return Promise.resolve();
  };
}

function request(...messages: readonly Message[]): ModelRequest {
  return { system: 'Be brief.', messages, tools: [] };
}

function live(): AbortSignal {
  return new AbortController().signal;
}

async function events(model: ReturnType<typeof createLmModel>, request: ModelRequest) {
  return readEvents(model.stream(request, live()));
}

async function collect(
  stream: AsyncIterable<ModelEvent>,
  seen: ModelEvent[],
  onEvent: () => void,
): Promise<void> {
  for await (const event of stream) {
    seen.push(event);
    onEvent();
  }
}

async function failure(work: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await work.then(
    () => 'It did not throw.',
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

/** Role and parts in a form that reads well in a failed comparison. */
function shapes(messages: Sent | undefined): [role: string, parts: string[]][] {
  return (messages ?? []).map(({ role, content }) => [
    role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
    content.map(shape),
  ]);
}

function shape(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return `call ${part.callId} ${JSON.stringify(part.input)}`;
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return `result ${part.callId}: ${part.content.map(shape).join('')}`;
  }
  return `unknown ${JSON.stringify(part)}`;
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
