import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MeterReading } from '../../src/agent/meter.ts';
import { silentLog } from '../../src/base/log.ts';
import { SETTINGS_SECTION } from '../../src/manifest.ts';
import { userText, type Model, type Usage } from '../../src/models/model.ts';
import type { CountedRequest, Prices } from '../../src/models/prices.ts';
import { UsageLine, usageLineText } from '../../src/vscode/chat/usageLine.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { readEvents, scriptedModel } from '../support/scriptedModel.ts';

const USAGE: Usage = { input: 2_000, output: 678, cacheRead: 9_876, cacheWrite: 469 };
const NO_PRICES: Prices = new Map();

describe('the line on what an answer took', () => {
  const { Global } = vscode.ConfigurationTarget;
  const touched = new Set<string>();

  afterEach(async () => {
    for (const key of touched) await configuration().update(key, undefined, Global);
    touched.clear();
  });

  it('sums all requests up, with the share of the cache and the cost', () => {
    const line = textOf({ requests: [counted('claude-sonnet-5-5'), counted('claude-opus-5')] });
    assert.equal(
      line,
      '24,690 tokens in (80% from the cache), 1,356 out; requests: 2 · about $0.05',
    );
  });

  it('tells no cost where a price is not known, and no cache where none was used', () => {
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
    assert.equal(
      textOf({ requests: [{ ...counted('own-model'), usage }] }),
      '10 tokens in, 5 out; requests: 1',
    );
    const both = [counted('own-model'), counted('claude-opus-5')];
    assert.doesNotMatch(textOf({ requests: both }), /\$/);
  });

  it('shows no small cost as nothing, and nothing as nothing', () => {
    const usage = { input: 100, output: 1, cacheRead: 0, cacheWrite: 0 };
    const requests = [{ ...counted('claude-opus-5'), usage }];
    assert.match(textOf({ requests }), / · less than \$0\.01$/);
    const free: Prices = new Map([['claude', { input: 0, output: 0 }]]);
    assert.match(textOf({ requests }, free), / · about \$0\.00$/);
  });

  it('says that it is estimated where a model hides its usage', () => {
    const requests = [counted('claude-opus-5'), { ...counted('other'), estimated: true }];
    assert.equal(textOf({ requests }), 'about 24,690 tokens in, 1,356 out, estimated; requests: 2');
  });

  it('says that a reply which broke off is not in it', () => {
    const line = textOf({ requests: [counted('x')], brokenOff: 1 });
    assert.match(line, / · not counted: what broke off$/);
    assert.equal(textOf({ requests: [], brokenOff: 1 }), '');
  });

  it('stands at the end of an answer when the person wants it', async () => {
    await set('showUsage', true);
    const { text, models } = await answered(new UsageLine(silentLog), ['One.', 'Two.']);
    assert.match(text, /^\n\n_12,345 tokens in .*; requests: 1 · about \$0\.01_$/);
    assert.equal(models.model.id, 'claude-sonnet-5-5');
  });

  it('is not there otherwise, and the models are left as they are', async () => {
    const { text, models, model } = await answered(new UsageLine(silentLog), ['One.']);
    assert.equal(text, '');
    assert.equal(models.model, model);
  });

  it('goes by the prices of the person, and warns of a wrong one once, by its name', async () => {
    await set('showUsage', true);
    await set('prices', { 'claude-sonnet': { input: 1_000, output: 0 }, gpt: { input: 'dear' } });
    const warnings: string[] = [];
    const line = new UsageLine({ ...silentLog, warn: (text) => warnings.push(text) });
    assert.match((await answered(line, ['One.'])).text, /about \$3\.57/);
    assert.match((await answered(line, ['One.'])).text, /about \$3\.57/);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /memoryAgent\.prices: "gpt" is ignored/);
  });

  it('never ends a turn whose chat was closed', async () => {
    await set('showUsage', true);
    const metered = new UsageLine(silentLog).begin(both(scripted(['One.'])));
    await ask(metered.models.model);
    metered.tell({
      ...keptResponse().response,
      markdown: () => {
        throw new Error('Response stream has been closed');
      },
    });
  });

  async function set(key: string, value: unknown): Promise<void> {
    touched.add(key);
    await configuration().update(key, value, Global);
  }
});

async function answered(line: UsageLine, steps: readonly string[]) {
  const model = scripted(steps);
  const metered = line.begin(both(model));
  await ask(metered.models.model);
  const { response, text } = keptResponse();
  metered.tell(response);
  return { text: text(), models: metered.models, model };
}

function scripted(steps: readonly string[]) {
  const replies = steps.map((content) => ({ content, usage: USAGE }));
  return scriptedModel(replies, { id: 'claude-sonnet-5-5' });
}

function both(model: Model) {
  return { model, utility: model };
}

async function ask(model: Model): Promise<void> {
  const request = { system: '', messages: [userText('Hi')], tools: [] };
  await readEvents(model.stream(request, new AbortController().signal));
}

function textOf(reading: Partial<MeterReading>, prices = NO_PRICES): string {
  return usageLineText({ requests: [], brokenOff: 0, ...reading }, prices);
}

function counted(model: string): CountedRequest {
  return { model, usage: USAGE, estimated: false };
}

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION);
}
