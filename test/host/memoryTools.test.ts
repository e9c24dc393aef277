import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { Learning } from '../../src/agent/learning/learning.ts';
import type { Learned } from '../../src/agent/learning/learned.ts';
import { silentLog } from '../../src/base/log.ts';
import { MEMORY_TOOLS, TOOL_PREFIX } from '../../src/manifest.ts';
import type { Mode } from '../../src/memory/mode.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { recallTool, saveTool } from '../../src/vscode/tools/memoryTools.ts';
import { TABS } from '../support/records.ts';
import { scopesOf } from '../support/scopes.ts';
import { useTempFolder } from '../support/tempFolder.ts';

const SAVE = { description: 'Prefers tabs', type: 'user', body: 'Use tabs.\n```\n[x](y)' };

describe('the tools for other agents', () => {
  const temp = useTempFolder();
  let store: MemoryStore;
  let trusted: boolean;
  let recall: Mode;
  let extraction: Mode;
  let told: Partial<Learned>[];
  let tools: Record<'recall' | 'save', vscode.LanguageModelTool<object>>;

  beforeEach(() => {
    store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
    const scopes = scopesOf(store);
    const learning = new Learning({ scopes, log: silentLog });
    trusted = true;
    recall = 'auto';
    extraction = 'auto';
    told = [];
    const deps = {
      memory: () => (trusted ? { scopes, learning } : undefined),
      recall: () => recall,
      extraction: () => extraction,
      folder: () => temp.path,
      now: () => new Date(),
      log: silentLog,
      tell: (learned: Partial<Learned>) => void told.push(learned),
    };
    tools = { recall: recallTool(deps), save: saveTool(deps) };
  });

  it('are all that may be referenced, and say what they do', () => {
    const ours = vscode.lm.tools.filter(({ name }) =>
      Object.values<string>(MEMORY_TOOLS).includes(name),
    );
    assert.deepEqual(ours.map(({ name }) => name).toSorted(), ['memoryRecall', 'memorySave']);
    for (const { description, inputSchema } of ours) {
      assert.match(description, /remembered/);
      assert.match(JSON.stringify(inputSchema), /"description"/);
    }
    assert.ok(vscode.lm.tools.some(({ name }) => name === `${TOOL_PREFIX}save_memory`));
  });

  it('ask before a memory is saved, and show its name, type, text and place as they are', async () => {
    const { title, text } = await question('save', SAVE);
    assert.equal(title, 'Save this memory?');
    assert.equal(
      text,
      [
        'Another agent wants this to be remembered in later conversations:',
        '- Name: `prefers-tabs`\n- Type: `user`\n- Description: `Prefers tabs`\n- Where: the memories of this workspace',
        '````markdown\nUse tabs.\n```\n[x](y)\n````',
      ].join('\n\n'),
    );
    const personal = await question('save', { ...SAVE, scope: 'personal' });
    assert.match(personal.text, /- Where: your personal memories, which go with you/);
    const short = await question('save', { ...SAVE, body: undefined });
    assert.match(
      short.text,
      /- Description, which is the text too: `Prefers tabs`\n- Where: [^\n]+$/,
    );
    assert.deepEqual((await store.list()).records, []);
  });

  it('save what was shown, and the person is told', async () => {
    assert.match(await call('save', SAVE), /^Saved: prefers-tabs \(\.memory\/prefers-tabs\.md\)/);
    assert.deepEqual(
      told.flatMap(({ saved = [] }) => saved.map(({ record }) => record.source)),
      ['agent'],
    );
  });

  it('save what the person made of the text in the question', async () => {
    await tools.save.prepareInvocation?.({ input: SAVE }, live());
    assert.match(await invoke('save', { ...SAVE, body: 'Use spaces.' }), /^Saved/);
    assert.equal((await store.list()).records[0]?.body, 'Use spaces.');
  });

  it('ask about nothing that is refused in any case, and save nothing unasked when it could be saved by then', async () => {
    trusted = false;
    assert.equal(await asks('save', SAVE), false);
    trusted = true;
    await assert.rejects(invoke('save', SAVE), /has not trusted this workspace/);
    const change = await store.create({ ...TABS, name: 'prefers-tabs' });
    assert.equal(await asks('save', SAVE), false);
    await store.remove(change.record, 'test');
    assert.match(await invoke('save', SAVE), /^Nothing was saved: there is a memory of this name/);
    assert.deepEqual((await store.list()).records, []);
  });

  it('propose without a question where the person reviews all, and only propose, whatever the setting is by then', async () => {
    extraction = 'review';
    assert.equal(await asks('save', SAVE), false);
    extraction = 'auto';
    assert.match(await invoke('save', SAVE), /^Not saved yet/);
    assert.equal((await store.proposals.list()).length, 1);
    assert.equal(told[0]?.proposed?.length, 1);
    assert.deepEqual((await store.list()).records, []);
  });

  it('refuse a secret, and tell the person of its kind', async () => {
    const secret = ['sk', 'ant', 'api03', 'a1B2'.repeat(12)].join('-');
    const input = { ...SAVE, body: `The key is ${secret}` };
    await assert.rejects(call('save', input), /secrets are not saved/);
    assert.equal(told[0]?.refusedSecrets?.length, 1);
    assert.doesNotMatch(JSON.stringify(told), new RegExp(secret));
  });

  it('save nothing when the call was stopped', async () => {
    const stop = new vscode.CancellationTokenSource();
    await tools.save.prepareInvocation?.({ input: SAVE }, stop.token);
    stop.cancel();
    const options = { input: SAVE, toolInvocationToken: undefined };
    await assert.rejects(Promise.resolve(tools.save.invoke(options, stop.token)));
    assert.deepEqual((await store.list()).records, []);
  });

  it('give memories without a question where they are sent by themselves', async () => {
    await store.create(TABS);
    assert.equal(await asks('recall', { query: 'tabs' }), false);
    assert.match(await call('recall', { query: 'tabs' }), /## tabs[^]*Use tabs\./);
    recall = 'off';
    await assert.rejects(call('recall', { query: 'tabs' }), /turned recall off/);
  });

  it('ask a person who reviews what is sent, and give just what was shown', async () => {
    recall = 'review';
    const { record } = await store.create(TABS);
    const { title, text } = await question('recall', { query: 'tabs' });
    assert.equal(title, 'Give these memories to another agent?');
    assert.match(text, /looks for `tabs`[^]*\n- `tabs` — Prefers tabs$/);
    await store.update(record, { body: 'Use tabs, and a secret of mine.' });
    await store.create({ ...TABS, name: 'more-tabs', body: 'More tabs.' });
    const given = await invoke('recall', { query: 'tabs' });
    assert.match(given, /Use tabs\./);
    assert.doesNotMatch(given, /secret of mine|more-tabs/);
    const list = await question('recall', {});
    assert.match(list.text, /list of your memories[^]*- `more-tabs` — Prefers tabs/);
  });

  it('give nothing that a person who reviews has not seen', async () => {
    await store.create(TABS);
    await tools.recall.prepareInvocation?.({ input: { query: 'tabs' } }, live());
    recall = 'review';
    await assert.rejects(invoke('recall', { query: 'tabs' }), /has not seen those/);
    await question('recall', { query: 'tabs' });
    await assert.rejects(invoke('recall', { query: 'prefers' }), /has not seen those/);
  });

  it('tell a person who reviews of no question where nothing is found or asked wrongly', async () => {
    recall = 'review';
    await store.create(TABS);
    assert.equal(await asks('recall', { query: 'zebra' }), false);
    assert.match(await call('recall', { query: 'zebra' }), /^None of 1 memories/);
    assert.equal(await asks('recall', { query: 1 }), false);
    await assert.rejects(call('recall', { query: 1 }), /Invalid input/);
  });

  async function prepared(tool: 'recall' | 'save', input: object) {
    const made = await tools[tool].prepareInvocation?.({ input }, live());
    return made?.confirmationMessages;
  }

  async function asks(tool: 'recall' | 'save', input: object): Promise<boolean> {
    return (await prepared(tool, input)) !== undefined;
  }

  async function question(tool: 'recall' | 'save', input: object) {
    const messages = await prepared(tool, input);
    assert.ok(messages?.message instanceof vscode.MarkdownString);
    return { title: messages.title, text: messages.message.value };
  }

  async function invoke(tool: 'recall' | 'save', input: object): Promise<string> {
    const options = { input, toolInvocationToken: undefined };
    const result = await tools[tool].invoke(options, live());
    const [part] = result?.content ?? [];
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return part.value;
  }

  async function call(tool: 'recall' | 'save', input: object): Promise<string> {
    await prepared(tool, input);
    return invoke(tool, input);
  }
});

function live(): vscode.CancellationToken {
  return new vscode.CancellationTokenSource().token;
}
