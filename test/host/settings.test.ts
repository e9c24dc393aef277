import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { API_KEY_SECRET, SETTINGS, SETTINGS_SECTION } from '../../src/manifest.ts';
import { promptForApiKey } from '../../src/vscode/models/apiKeyPrompt.ts';
import {
  ApiKey,
  onDidChangeSettings,
  personalExpiryDays,
  readBaseUrl,
  readPrices,
  readSessionLimits,
  readSettings,
} from '../../src/vscode/host/settings.ts';
import { registerSettingProblems } from '../../src/vscode/notices/settingProblems.ts';
import { inputProblem, useWindowStubs } from '../support/windowStubs.ts';

describe('settings', () => {
  const { Global } = vscode.ConfigurationTarget;
  const touched = new Set<string>();
  const stub = useWindowStubs();

  afterEach(async () => {
    for (const key of touched) await configuration().update(key, undefined, Global);
    touched.clear();
  });

  it('are the defaults when nothing is set', () => {
    const { extraction, recall, notices, utilityModel, maxRounds, expireProjectAfterDays } =
      SETTINGS;
    assert.deepEqual(readSettings(), {
      extraction,
      recall,
      notices,
      utilityModel,
      maxRounds,
      expireProjectAfterDays,
      editorContext: SETTINGS.editorContext,
      showUsage: false,
      compaction: { maxTokens: 0, maxMessages: 0 },
    });
    assert.deepEqual(readSessionLimits(), { maxAgeDays: 180, maxBytes: 500 * 1024 * 1024 });
  });

  it('are what the person has set', async () => {
    await set('maxRounds', 7);
    await set('recall', 'off');
    await set('extraction', 'review');
    await set('notices', 'statusBar');
    await set('utilityModel', 'claude-haiku');
    const { maxRounds, recall, extraction, notices, utilityModel } = readSettings();
    assert.deepEqual(
      { maxRounds, recall, extraction, notices, utilityModel },
      {
        maxRounds: 7,
        recall: 'off',
        extraction: 'review',
        notices: 'statusBar',
        utilityModel: 'claude-haiku',
      },
    );
  });

  for (const [key, value] of [
    ['maxRounds', 0],
    ['maxRounds', 1001],
    ['maxRounds', 1.5],
    ['maxRounds', '7'],
    ['expireProjectAfterDays', -1],
    ['expireProjectAfterDays', 1.5],
    ['recall', 'sometimes'],
    ['extraction', true],
    ['notices', 'toast'],
    ['utilityModel', ' '],
  ] as const) {
    it(`count ${JSON.stringify(value)} for ${key} as not set`, async () => {
      await set(key, value);
      assert.equal(readSettings()[key], SETTINGS[key]);
    });
  }

  for (const [value, maxTokens, maxMessages] of [
    [64_000, 64_000, 64_000],
    [3, 8_000, 10],
    [12, 8_000, 12],
    [0, 0, 0],
    [-1, 0, 0],
    [20.5, 0, 0],
    ['50', 0, 0],
  ] as const) {
    it(`take ${JSON.stringify(value)} for a compaction as what makes sense`, async () => {
      await set('context.maxTokens', value);
      await set('context.maxMessages', value);
      assert.deepEqual(readSettings().compaction, { maxTokens, maxMessages });
    });
  }

  it('that cannot hold are named once, in one message, with what counts in their place', async () => {
    await set('maxRounds', 5000);
    await set('recall', 'sometimes');
    await set('showUsage', 'yes');
    await set('sessions.keepDays', -1);
    const warned = stub('showWarningMessage');
    await withProblems(memento(), async () => undefined);
    assert.deepEqual(warned, [
      [
        [
          'The setting memoryAgent.recall is "sometimes", which is none of "auto", "review", "off". "auto" is used instead.',
          'The setting memoryAgent.maxRounds is 5000, which is not a whole number from 1 to 1000. 100 is used instead.',
          'The setting memoryAgent.sessions.keepDays is -1, which is not a whole number of at least 0. 180 is used instead.',
          'The setting memoryAgent.showUsage is "yes", which is neither true nor false. false is used instead.',
        ].join(' '),
        'Open Settings',
      ],
    ]);
  });

  it('that cannot hold are told of when they come, and not again in another window', async () => {
    const warned = stub('showWarningMessage');
    const kept = memento();
    await withProblems(kept, async () => {
      assert.deepEqual(warned, []);
      await set('notices', 'toast');
      while (warned.length === 0) await new Promise(setImmediate);
    });
    assert.match(String(warned[0]?.[0]), /memoryAgent\.notices is "toast"/);
    await withProblems(kept, async () => undefined);
    assert.equal(warned.length, 1);
  });

  it('that are empty or right are not complained of', async () => {
    const warned = stub('showWarningMessage');
    await set('utilityModel', '');
    await set('maxRounds', 1000);
    await withProblems(memento(), async () => undefined);
    assert.deepEqual(warned, []);
  });

  it('keep conversations as long and as many as the person says, or all', async () => {
    await set('sessions.keepDays', 0);
    await set('sessions.maxMegabytes', 2);
    assert.deepEqual(readSessionLimits(), { maxAgeDays: 0, maxBytes: 2 * 1024 * 1024 });
    await set('sessions.keepDays', -5);
    await set('sessions.maxMegabytes', 'all');
    assert.deepEqual(readSessionLimits(), { maxAgeDays: 180, maxBytes: 500 * 1024 * 1024 });
  });

  it('tell of a change', async () => {
    const changed = Promise.withResolvers<void>();
    const subscription = onDidChangeSettings(changed.resolve);
    await set('maxRounds', 8);
    await changed.promise;
    subscription.dispose();
  });

  it('take the address from the setting, else the environment, else none', async () => {
    const environment = { ANTHROPIC_BASE_URL: 'https://env.example/' };
    assert.deepEqual(readBaseUrl({}), { ok: true, url: undefined });
    assert.deepEqual(readBaseUrl({ ANTHROPIC_BASE_URL: ' ' }), { ok: true, url: undefined });
    assert.deepEqual(readBaseUrl(environment), { ok: true, url: 'https://env.example' });
    await set('baseUrl', 'http://localhost:11434');
    assert.deepEqual(readBaseUrl(environment), { ok: true, url: 'http://localhost:11434' });
  });

  it('never fall back from a wrong address to another one', async () => {
    await set('baseUrl', 'localhost');
    const address = readBaseUrl({ ANTHROPIC_BASE_URL: 'https://env.example' });
    assert.ok(!address.ok);
    assert.match(address.problem, /memoryAgent\.baseUrl is not a web address/);
  });

  it('take neither an address, nor what is to be deleted, nor prices from a workspace', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = path.join(folder, '.vscode', 'settings.json');
    await fs.mkdir(path.dirname(file), { recursive: true });
    const values = {
      'memoryAgent.baseUrl': 'https://evil.example',
      'memoryAgent.expireProjectAfterDays': 1,
      'memoryAgent.sessions.keepDays': 1,
      'memoryAgent.sessions.maxMegabytes': 1,
      'memoryAgent.prices': { claude: { input: 0, output: 0 } },
      'memoryAgent.maxRounds': 9,
    };
    const changed = Promise.withResolvers<void>();
    const subscription = onDidChangeSettings(changed.resolve);
    try {
      await fs.writeFile(file, JSON.stringify(values));
      await changed.promise;
      assert.equal(readSettings().maxRounds, 9);
      assert.deepEqual(readBaseUrl({}), { ok: true, url: undefined });
      assert.equal(readSettings().expireProjectAfterDays, 1);
      assert.equal(personalExpiryDays(), 0);
      assert.equal(readPrices(), undefined);
      assert.deepEqual(readSessionLimits(), { maxAgeDays: 180, maxBytes: 500 * 1024 * 1024 });
    } finally {
      subscription.dispose();
      await fs.rm(path.dirname(file), { recursive: true });
    }
  });

  async function withProblems(memento: vscode.Memento, work: () => Promise<void>): Promise<void> {
    const problems = registerSettingProblems({ memento, log: silentLog, settleMs: 0 });
    try {
      await work();
    } finally {
      problems.dispose();
    }
  }

  async function set(key: keyof typeof SETTINGS, value: unknown): Promise<void> {
    touched.add(key);
    await configuration().update(key, value, Global);
  }
});

describe('API key', () => {
  const stub = useWindowStubs();
  const environment = { ANTHROPIC_API_KEY: ' from-environment ' };

  it('is the stored one, else that of the environment', async () => {
    const apiKey = new ApiKey(memorySecrets(), environment);
    assert.deepEqual(await both(apiKey), ['from-environment', 'environment']);
    await apiKey.set('stored');
    assert.deepEqual(await both(apiKey), ['stored', 'secret']);
    await apiKey.clear();
    assert.deepEqual(await both(apiKey), ['from-environment', 'environment']);
    assert.deepEqual(await both(new ApiKey(memorySecrets(), {})), [undefined, undefined]);
  });

  it('tells of its own changes only', async () => {
    const secrets = memorySecrets();
    const apiKey = new ApiKey(secrets, {});
    let fired = 0;
    const subscription = apiKey.onDidChange(() => fired++);
    await secrets.store('another', 'value');
    assert.equal(fired, 0);
    await apiKey.set('stored');
    assert.equal(fired, 1);
    subscription.dispose();
  });

  it('is asked for behind dots and stored without the spaces around it', async () => {
    const secrets = memorySecrets();
    const asked = stub('showInputBox', () => ' sk-key\n');
    stub('setStatusBarMessage');
    await promptForApiKey(new ApiKey(secrets, {}));
    assert.equal(await secrets.get(API_KEY_SECRET), 'sk-key');
    const { password, prompt } = (asked[0]?.[0] ?? {}) as vscode.InputBoxOptions;
    assert.equal(password, true);
    assert.match(String(prompt), /\(https:\/\/console\.anthropic\.com/);
    assert.match(inputProblem(asked, ' ') ?? '', /Enter a key/);
    assert.match(inputProblem(asked, 'sk key') ?? '', /no spaces/);
    assert.equal(inputProblem(asked, ' sk-key '), undefined);
  });

  it('is kept when the person leaves', async () => {
    const secrets = memorySecrets();
    await secrets.store(API_KEY_SECRET, 'stored');
    stub('showInputBox');
    await promptForApiKey(new ApiKey(secrets, {}));
    assert.equal(await secrets.get(API_KEY_SECRET), 'stored');
  });

  for (const [answer, left] of [
    ['Remove', undefined],
    [undefined, 'stored'],
  ]) {
    it(`is ${left ? 'kept' : 'removed'} after an empty answer and ${String(answer)}`, async () => {
      const secrets = memorySecrets();
      await secrets.store(API_KEY_SECRET, 'stored');
      const asked = stub('showInputBox', () => '');
      stub('showWarningMessage', () => answer);
      stub('setStatusBarMessage');
      await promptForApiKey(new ApiKey(secrets, {}));
      assert.equal(await secrets.get(API_KEY_SECRET), left);
      assert.equal(inputProblem(asked, ''), undefined);
    });
  }
});

/** The real one belongs to an extension's context, which a test does not have. */
function memorySecrets(): vscode.SecretStorage {
  const values = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  return {
    onDidChange: changed.event,
    get: async (key) => values.get(key),
    store: async (key, value) => {
      values.set(key, value);
      changed.fire({ key });
    },
    delete: async (key) => {
      values.delete(key);
      changed.fire({ key });
    },
  };
}

/** The real one belongs to an extension's context. */
function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  const get = (key: string, otherwise?: unknown): unknown => values.get(key) ?? otherwise;
  return {
    keys: () => [...values.keys()],
    get,
    update: async (key, value) => void values.set(key, value),
  };
}

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION);
}

async function both(apiKey: ApiKey): Promise<unknown[]> {
  return [await apiKey.get(), await apiKey.source()];
}
