import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import type { ClaudeModelInfo } from '../../src/models/claudeModels.ts';
import { ModelError, userText, type ModelErrorKind } from '../../src/models/model.ts';
import type { ClaudeAccess, ClaudeCatalogue } from '../../src/vscode/models/claudeCatalogue.ts';
import { createLmModel } from '../../src/vscode/models/lmModel.ts';
import { createModelProvider } from '../../src/vscode/models/modelProvider.ts';
import { call, results } from '../support/conversation.ts';
import {
  readEvents,
  scriptedModel,
  type ScriptedModel,
  type Step,
} from '../support/scriptedModel.ts';
import { LOOKS_AND_READS, READ, useDisposables, VENDOR } from './chatModels.ts';

/** One pixel. A real image, since VS Code may scale images down on their way. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const READY: ClaudeAccess = { kind: 'ready', apiKey: 'k', baseUrl: undefined };

describe('modelProvider', () => {
  const disposables = useDisposables();

  it('offers the models of the catalogue with their limits, and one that chooses among them', async () => {
    const { chats } = await offered(READY);
    assert.deepEqual(
      chats.map(({ id, name, maxInputTokens }) => ({ id, name, maxInputTokens })),
      [
        { id: 'auto', name: 'Claude Auto', maxInputTokens: 200_000 },
        { id: 'claude-big', name: 'Claude Big', maxInputTokens: 200_000 },
        { id: 'claude-small', name: 'Claude Small', maxInputTokens: 200_000 },
      ],
    );
  });

  it('offers one entry without a key, whose use says what to do', async () => {
    const { chats, claude } = await offered({ kind: 'missingKey' });
    assert.deepEqual(
      chats.map(({ id, name }) => [id, name]),
      [['no-key', 'Claude (set an API key)']],
    );
    assert.match(await answer(chats[0]), /Memory: Set Anthropic API Key/);
    assert.deepEqual(claude.requests, []);
  });

  it('offers the models also when the address is wrong, and says so on use', async () => {
    const { chats } = await offered({ kind: 'problem', problem: 'No such address.' });
    assert.equal(chats.length, 3);
    await assert.rejects(answer(chats[0]), /No such address/);
  });

  it('asks for the models again when the access changed', async () => {
    const { chats, change } = await offered({ kind: 'missingKey' });
    assert.equal(chats.length, 1);
    const changed = new Promise<void>((resolve) => {
      disposables.push(vscode.lm.onDidChangeChatModels(() => resolve()));
    });
    change(READY);
    await changed;
    assert.equal((await vscode.lm.selectChatModels({ vendor: VENDOR })).length, 3);
  });

  it('answers with text and tool calls, and leaves out thinking', async () => {
    const { chats } = await offered(READY, [
      [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'Look.' },
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
      ],
    ]);
    const events = await readEvents(ask(chats[0]));
    assert.deepEqual(events.at(-1), LOOKS_AND_READS);
  });

  it('never passes on a tool call of an answer that was cut', async () => {
    const { chats } = await offered(READY, [
      {
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'tool_use', id: 'c1', name: 'read_file', input: {} },
        ],
        stopReason: 'max_tokens',
      },
    ]);
    const end = (await readEvents(ask(chats[0]))).at(-1);
    assert.deepEqual(end, {
      type: 'end',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Look.' }] },
      stopReason: 'end_turn',
      usage: undefined,
    });
  });

  it("turns VS Code's messages into ours: roles alternate, and results come first", async () => {
    const { chats, claude } = await offered(READY, ['ok']);
    const [chat] = chats;
    assert.ok(chat);
    const response = await chat.sendRequest(
      [
        user('One.'),
        user('Two.'),
        assistant([new vscode.LanguageModelToolCallPart('c1', 'read_file', { path: 'a' })]),
        user('Go on.'),
        user([
          new vscode.LanguageModelToolResultPart('c1', [new vscode.LanguageModelTextPart('A')]),
        ]),
        assistant(''),
      ],
      { tools: [READ] },
    );
    for await (const part of response.text) assert.ok(part.length > 0);
    assert.deepEqual(claude.requests, [
      {
        system: '',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'One.' },
              { type: 'text', text: 'Two.' },
            ],
          },
          {
            role: 'assistant',
            content: [call('c1', 'read_file', { path: 'a' })],
          },
          {
            role: 'user',
            content: [...results(['c1', 'A']).content, { type: 'text', text: 'Go on.' }],
          },
        ],
        tools: [
          {
            name: 'read_file',
            description: 'Reads.',
            inputSchema: { type: 'object', properties: {} },
          },
        ],
      },
    ]);
  });

  it('passes images on', async function () {
    const { chats, claude } = await offered(READY, ['ok']);
    // Not in the API of the oldest VS Code we run in.
    const DataPart: unknown = Reflect.get(vscode, 'LanguageModelDataPart');
    if (typeof DataPart !== 'function') this.skip();
    const image: unknown = Reflect.construct(DataPart, [Buffer.from(DOT, 'base64'), 'image/png']);
    const message = user([image as vscode.LanguageModelTextPart]);
    const response = await chats[0]?.sendRequest([message]);
    for await (const part of response?.text ?? []) assert.equal(part.length > 0, true);
    assert.deepEqual(claude.requests[0]?.messages, [
      {
        role: 'user',
        content: [
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: DOT },
          },
        ],
      },
    ]);
  });

  const kinds: readonly [ModelErrorKind, code: string][] = [
    ['auth', 'NoPermissions'],
    ['refused', 'Blocked'],
    ['rateLimit', 'Blocked'],
  ];
  for (const [kind, code] of kinds) {
    it(`fails with ${code} for a failure of kind ${kind}`, async () => {
      const { chats } = await offered(READY, [new ModelError(kind, 'What happened.')]);
      const error = await rejection(sent(chats[0]));
      assert.ok(error instanceof vscode.LanguageModelError);
      assert.deepEqual([error.code, error.message], [code, 'What happened.']);
    });
  }

  it('fails with the words of every other failure', async () => {
    const { chats } = await offered(READY, [
      new ModelError('overflow', 'prompt is too long: 9 tokens > 8 maximum'),
    ]);
    const error = await rejection(sent(chats[0]));
    assert.ok(error instanceof Error);
    assert.equal(error.message, 'prompt is too long: 9 tokens > 8 maximum');
  });

  it('stops the model when the request is cancelled', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { chats } = await offered(READY, [
      (_request, signal) => {
        started.resolve();
        signal.addEventListener('abort', () => stopped.resolve());
        return new Promise(() => {});
      },
    ]);
    const source = new vscode.CancellationTokenSource();
    const work = sent(chats[0], source.token);
    await started.promise;
    source.cancel();
    assert.ok((await rejection(work)) instanceof Error);
    await stopped.promise;
  });

  it('counts tokens by script', async () => {
    const { chats } = await offered(READY);
    assert.equal(await chats[0]?.countTokens('a'.repeat(360)), 100);
    assert.equal(await chats[0]?.countTokens('数'.repeat(100)), 111);
    const message = user('a'.repeat(360));
    assert.equal(await chats[0]?.countTokens(message), 100);
  });

  async function offered(access: ClaudeAccess, steps: readonly Step[] = []) {
    const claude = scriptedModel(steps);
    let now = access;
    const changed = new vscode.EventEmitter<void>();
    const provider = createModelProvider(
      catalogue(() => now, claude),
      changed.event,
      silentLog,
    );
    disposables.push(vscode.lm.registerLanguageModelChatProvider(VENDOR, provider), changed);
    const chats = await vscode.lm.selectChatModels({ vendor: VENDOR });
    const change = (next: ClaudeAccess) => {
      now = next;
      changed.fire();
    };
    return { chats, claude, change };
  }
});

function catalogue(access: () => ClaudeAccess, claude: ScriptedModel): ClaudeCatalogue {
  const model = () => Promise.resolve(claude);
  return {
    access: () => Promise.resolve(access()),
    models: () =>
      Promise.resolve([info('claude-big', 'Claude Big'), info('claude-small', 'Claude Small')]),
    model,
    plainModel: model,
    cheapest: model,
  };
}

type Content<T> = string | T[];

function user(
  content: Content<vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart>,
): vscode.LanguageModelChatMessage {
  return vscode.LanguageModelChatMessage.User(content);
}

function assistant(
  content: Content<vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart>,
): vscode.LanguageModelChatMessage {
  return vscode.LanguageModelChatMessage.Assistant(content);
}

function info(id: string, name: string): ClaudeModelInfo {
  const limits = { input: 200_000, output: 32_000 };
  const thinking = { thinking: 'adaptive', thinkingOff: 'disabled' } as const;
  return { id, name, limits, structuredOutput: true, seesImages: true, ...thinking };
}

function ask(chat: vscode.LanguageModelChat | undefined) {
  assert.ok(chat);
  const request = { system: '', messages: [userText('Hello.')], tools: [READ] };
  return createLmModel(chat, silentLog).stream(request, new AbortController().signal);
}

async function answer(chat: vscode.LanguageModelChat | undefined): Promise<string> {
  const events = await readEvents(ask(chat));
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

async function sent(
  chat: vscode.LanguageModelChat | undefined,
  token?: vscode.CancellationToken,
): Promise<void> {
  assert.ok(chat);
  const messages = [user('Hello.')];
  const response = await chat.sendRequest(messages, {}, token);
  for await (const part of response.stream) assert.ok(part);
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('It did not throw.'),
    (error: unknown) => error,
  );
}
