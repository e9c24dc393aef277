import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { MODEL_VENDOR } from '../../src/manifest.ts';
import type { Model } from '../../src/models/model.ts';
import type { ClaudeAccess, ClaudeCatalogue } from '../../src/vscode/models/claudeCatalogue.ts';
import {
  chooseModel,
  chooseModelOutsideChat,
  type ModelChoice,
} from '../../src/vscode/models/modelChoice.ts';
import { scriptedModel } from '../support/scriptedModel.ts';

/** Declared by fixtures/fake-lm. */
const VENDOR = 'memory-agent-test';

const READY: ClaudeAccess = { kind: 'ready', apiKey: 'k', baseUrl: undefined };
const MISSING: ClaudeAccess = { kind: 'missingKey' };
const PROBLEM: ClaudeAccess = { kind: 'problem', problem: 'No such address.' };

describe('modelChoice in a chat', () => {
  it('uses our models directly, and the cheapest for small questions', async () => {
    const choice = await chooseModel(picked(MODEL_VENDOR, 'big'), deps(READY, 'auto'));
    assert.deepEqual(names(choice), ['big with thinking', 'cheapest']);
  });

  it('uses the named model for small questions', async () => {
    const choice = await chooseModel(picked(MODEL_VENDOR, 'big'), deps(READY, 'small'));
    assert.deepEqual(names(choice), ['big with thinking', 'small']);
  });

  it('uses any other model through VS Code, for small questions too', async () => {
    for (const access of [READY, MISSING, PROBLEM]) {
      const choice = await chooseModel(picked('other', 'gpt'), deps(access, 'auto'));
      assert.deepEqual(names(choice), ['gpt', 'gpt']);
    }
  });

  it('uses the named Claude for small questions beside another model, where there is a key', async () => {
    const chat = picked('other', 'gpt');
    assert.deepEqual(names(await chooseModel(chat, deps(READY, 'small'))), ['gpt', 'small']);
    assert.deepEqual(names(await chooseModel(chat, deps(MISSING, 'small'))), ['gpt', 'gpt']);
  });

  it('says what is missing for one of our models', async () => {
    const chat = picked(MODEL_VENDOR, 'no-key');
    assert.deepEqual(await chooseModel(chat, deps(MISSING, 'auto')), MISSING);
    assert.deepEqual(await chooseModel(chat, deps(PROBLEM, 'auto')), PROBLEM);
  });
});

describe('modelChoice outside of a chat', () => {
  const disposables: vscode.Disposable[] = [];
  afterEach(() => {
    for (const disposable of disposables.splice(0)) disposable.dispose();
  });

  it('takes the cheapest Claude, or the named one', async () => {
    assert.deepEqual(names(await chooseModelOutsideChat(deps(READY, 'auto'))), [
      'cheapest',
      'cheapest',
    ]);
    assert.deepEqual(names(await chooseModelOutsideChat(deps(READY, 'small'))), ['small', 'small']);
  });

  it('takes a model of another vendor without a key', async () => {
    disposables.push(
      vscode.lm.registerLanguageModelChatProvider(VENDOR, {
        provideLanguageModelChatInformation: () => [
          {
            id: 'other-1',
            name: 'Other One',
            family: 'other',
            version: '1',
            maxInputTokens: 1000,
            maxOutputTokens: 100,
            capabilities: {},
          },
        ],
        provideLanguageModelChatResponse: () => Promise.resolve(),
        provideTokenCount: () => Promise.resolve(1),
      }),
    );
    await vscode.lm.selectChatModels({ vendor: VENDOR });
    const choice = await chooseModelOutsideChat(deps(MISSING, 'auto'));
    assert.deepEqual(names(choice), ['other-1', 'other-1']);
  });

  it('says what is missing when there is no model at all', async () => {
    assert.deepEqual(await chooseModelOutsideChat(deps(MISSING, 'auto')), MISSING);
    assert.deepEqual(await chooseModelOutsideChat(deps(PROBLEM, 'auto')), PROBLEM);
  });
});

function deps(access: ClaudeAccess, utilityModel: string) {
  const catalogue: ClaudeCatalogue = {
    access: () => Promise.resolve(access),
    models: () => Promise.resolve([]),
    model: (id) => named(`${id} with thinking`),
    plainModel: (id) => named(id),
    cheapest: () => named('cheapest'),
  };
  return { catalogue, utilityModel, log: silentLog };
}

function named(id: string): Promise<Model> {
  return Promise.resolve(scriptedModel([], { id }));
}

function names(choice: ModelChoice): readonly string[] {
  assert.ok(choice.kind === 'chosen');
  return [choice.model.id, choice.utility.id];
}

function picked(vendor: string, id: string): vscode.LanguageModelChat {
  return { vendor, id, name: id, maxInputTokens: 1000 } as vscode.LanguageModelChat;
}
