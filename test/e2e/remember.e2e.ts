import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi, RequestBody } from '../support/fakeMessagesApi.ts';
import { holdBefore, text, toolUse, type ReplyStep } from '../support/messageEvents.ts';
import { readRequest, wordsToLookAt } from '../support/storyRequest.ts';
import { TeachableModel } from '../support/teachableModel.ts';
import { changeSettings } from './changeSettings.ts';
import { filesWith } from './filesWith.ts';
import { untilChatIsKept } from './keptChats.ts';
import { until } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

/** From pieces, so that no scanner takes this file for a leak. */
const SECRET = ['sk', 'ant', 'api03', 'Qk7w2Xz9Lm4Np8Rt6Vy3'].join('-');
const DAY_MS = 24 * 60 * 60 * 1000;
const STATUS_ITEM = 'memory-agent.memory-agent.memoryAgent.status';
const FAILURE = {
  status: 500,
  error: { type: 'api_error', message: 'Internal server error' },
  headers: { 'x-should-retry': 'false' },
};

/** More than fit in front of a request. */
const NOTES = {
  'deploy-day': 'Deploys go out on Thursday',
  'staging-host': 'Staging runs on the host beech',
  'invoice-format': 'Invoices are numbered by year',
  'test-database': 'Tests run against a database of their own',
  'code-owner': 'Rosa owns the parser',
  'api-version': 'The API keeps two versions alive',
};

describe('what a person says', () => {
  const model = new TeachableModel();
  const used = useWindow({
    api: { respond: model.respond },
    environmentKey: 'any-key',
    settings: { 'files.autoSave': 'off' },
    chatModel: 'Claude Auto',
    fill: (workspace) => {
      fs.mkdirSync(path.join(workspace, '.memory'));
      for (const [name, description] of Object.entries(NOTES))
        fs.writeFileSync(path.join(workspace, '.memory', `${name}.md`), note(name, description));
    },
  });
  const { workspace } = used;
  let window: Workbench;
  let api: FakeMessagesApi;
  before(async () => {
    ({ window, api } = used);
    await window.openView('Memory Agent');
  });
  beforeEach(async () => {
    await window.clearNotifications();
  });

  it('is answered with a line on what was recalled, which shows the memories, why, and how old they are', async () => {
    model.choose('deploy-day', 'staging-host');
    const answer = await window.chat.send('@memory When do we deploy to staging?');
    const shown = await window.chat.answerText(answer);
    assert.match(shown, /^Recalled 2 of 6 memories · about \d+ tokens$/m);
    assert.equal(shown.split('Recalled').length, 2);

    await answer.getByText(/^Recalled 2 of 6 memories/).click();
    await window.quickInput.getByPlaceholder('The model chose them for this request.').waitFor();
    await window.quickInput.getByText(/^Recalled 2 of 6 memories · about \d+ tokens$/).waitFor();
    const options = await window.quickInput.getByRole('option').allInnerTexts();
    assert.equal(options.length, 2);
    const first = options[0]?.replaceAll(/\s+/g, ' ') ?? '';
    assert.match(first, /^deploy-day ?Deploys go out on Thursday/);
    assert.match(first, /chosen by the model for this request · 3 days ago · about \d+ tokens$/);
    await window.pick('staging-host');
    await window.frontTab('staging-host.md').waitFor();
  });

  it('is looked at after a reload when the model failed before, and saved once', async () => {
    const words = 'I prefer dark roast coffee';
    model.teach({ quote: words, name: 'coffee' });
    model.failLearning(FAILURE);
    await window.chat.ask(`@memory ${words}.`);
    await untilFailedToLearn(1);
    assert.equal(has('coffee'), false);

    model.failLearning(undefined);
    await reload();
    await window.notification('Remembered “coffee”').waitFor();
    assert.ok(has('coffee'));
    await window.chat.ask('@memory Which port does the service use?');
    await untilLookedAt('Which port does the service use?');
    assert.equal(looksAt(words), 2);
    assert.deepEqual(filesNamed(/coffee/), ['coffee.md']);
  });

  it('is looked at with the next turn when the model was overloaded before', async () => {
    const words = 'I prefer green tea over black tea';
    model.teach({ quote: words, name: 'tea' });
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    model.failLearning({ ...FAILURE, status: 529, error });
    await window.chat.ask(`@memory ${words}.`);
    await untilFailedToLearn(2);
    model.failLearning(undefined);
    await window.chat.ask('@memory How do I start the service?');
    await window.notification('Remembered “tea”').waitFor();
    assert.equal(looksAt(words), 2);
    assert.deepEqual(filesNamed(/tea/), ['tea.md']);
  });

  it('corrects a memory, which a notice tells and shows as a difference', async () => {
    const words = 'Deploys go out on Tuesday now';
    model.teach({ quote: words, name: 'deploy-day', type: 'project', target: 'deploy-day.md' });
    await window.chat.ask(`@memory ${words}.`);
    const told = await window.notificationText('deploy-day');
    assert.equal(told, `Updated memory “deploy-day”: ${words}.`);
    await window.pressInNotification('deploy-day', 'Review');
    await window.frontTab('deploy-day (Before ↔ Now)').waitFor();
    const editors = window.page.locator('.part.editor .monaco-diff-editor');
    await editors.locator('.original').getByText('Thursday').first().waitFor();
    await editors.locator('.modified').getByText('Tuesday').first().waitFor();
  });

  it('is saved without the secret in it, of which a notice tells the kind alone', async () => {
    const words = 'I prefer tabs for indentation';
    const key = `My key is ${SECRET}`;
    model.teach({ quote: words, name: 'indentation' }, { quote: key, name: 'my-key' });
    await window.chat.ask(`@memory ${words}. ${key}.`);
    const told = await window.notificationText('indentation');
    assert.match(told, /^Remembered “indentation”: I prefer tabs for indentation\. Not saved, /);
    assert.match(told, /an Anthropic key/);
    assert.doesNotMatch(told, /sk-ant/);
    assert.ok(has('indentation'));
    assert.deepEqual(filesWith(workspace, SECRET), []);
  });

  it('is not lost in silence when they asked for it and it was refused', async () => {
    const words = 'Remember that the build is frozen until Friday';
    model.teach({ quote: words, name: 'frozen', type: 'project' });
    await window.chat.ask(`@memory ${words}.`);
    const told = await window.notificationText('Not remembered');
    assert.equal(
      told,
      `Not remembered, since it holds for a while only: “${words}”. Say until which date, or write it behind /remember.`,
    );
    assert.equal(has('frozen'), false);
  });

  it('is told of in the status bar alone, or not at all, as the setting says', async () => {
    const quiet = { quote: 'I prefer short names for branches', name: 'branches' };
    const silent = { quote: 'I prefer long names for tests', name: 'test-names' };
    model.teach(quiet, silent);
    await changeSettings(window, workspace, { 'memoryAgent.notices': 'statusBar' });
    await window.chat.ask(`@memory ${quiet.quote}.`);
    await window.statusMessage(`Remembered “branches”: ${quiet.quote}.`).waitFor();
    assert.equal(await window.notification('branches').count(), 0);
    assert.match(await window.statusHover(STATUS_ITEM, 'branches'), /Remembered “branches”.*Show/s);

    await changeSettings(window, workspace, { 'memoryAgent.notices': 'none' });
    await window.chat.ask(`@memory ${silent.quote}.`);
    await window.treeRow('test-names').waitFor();
    await window.page.getByText('Looking for what to remember…').waitFor({ state: 'detached' });
    assert.equal(await window.page.getByText(/Remembered “test-names”/).count(), 0);
    // It would have told of it.
    await window.runCommand('memoryAgent.showLastNotice', 'Memory: Show Last Notice');
    await window.notification('Remembered “test-names”').waitFor();
    await changeSettings(window, workspace, { 'memoryAgent.notices': 'notification' });
  });

  it('is told of in one notice when the agent saved a part of it and the rest was learned after it', async () => {
    const now = 'We release from the branch stable';
    const later = 'I prefer squash merges';
    const input = {
      name: 'release-branch',
      type: 'project',
      description: now,
      body: now,
      quote: now,
    };
    model.teach({ quote: later, name: 'squash-merges' });
    model.reply(
      { blocks: [toolUse('toolu_save', 'save_memory', input)] },
      { blocks: [text('It is saved.')] },
    );
    await window.chat.ask(`@memory Save right now: ${now}. ${later}.`);
    const told = await window.notificationText('squash-merges');
    assert.equal(told, '2 memories saved: release-branch, squash-merges');
    assert.equal(await window.page.locator('.notification-toast').count(), 1);
    assert.ok(has('release-branch') && has('squash-merges'));
  });

  it('is learned from also when the answer was stopped', async () => {
    const words = 'I prefer answers in two sentences';
    const hold = holdBefore(4);
    model.teach({ quote: words, name: 'short-answers' });
    model.reply({ blocks: [text('A long answer that nobody reads to its end.')], hold });
    await window.chat.send(`@memory ${words}.`);
    await hold.reached;
    await window.chat.stop();
    await window.notification('Remembered “short-answers”').waitFor();
    assert.ok(has('short-answers'));
  });

  it('is never mixed with what the assistant said, which is proposed and not saved', async () => {
    const found = 'The queue holds at most 500 messages';
    model.teach({ quote: found, name: 'queue-limit', type: 'project', from: 'assistant' });
    model.reply({ blocks: [text(`I looked into it. ${found}.`)] });
    await window.chat.ask('@memory How large may the queue become?');
    const told = await window.notificationText('queue-limit');
    assert.equal(told, `Proposed “queue-limit” for review: ${found}.`);
    assert.equal(has('queue-limit'), false);
    await window.rowIn('To Review', 'queue-limit').waitFor();
    await window.pressInTreeRow('queue-limit', 'Reject');
    await window.rowIn('To Review', 'queue-limit').waitFor({ state: 'detached' });
  });

  it('is saved before a compaction takes it away, which is announced once in a chat', async () => {
    const words = 'I prefer YAML over JSON';
    const near = 'This conversation has filled';
    model.teach({ quote: words, name: 'yaml' });
    await changeSettings(window, workspace, { 'memoryAgent.context.maxTokens': 12_000 });
    await window.chat.startNew();
    model.reply(atLength('first'), atLength('second'), counted('Third.', 10_900));
    await window.chat.ask('@memory tell me of the first');
    await window.chat.ask('@memory tell me of the second');
    const third = await window.chat.send('@memory tell me of the third');
    assert.match(await window.chat.answerText(third), new RegExp(`${near} 9\\d% of its room`));
    model.reply(counted('Fourth.', 11_000));
    const fourth = await window.chat.send('@memory tell me of the fourth');
    assert.doesNotMatch(await window.chat.answerText(fourth), new RegExp(near));

    await untilChatIsKept(window.page, used.home, ['Third.', 'Fourth.']);
    await reload();
    model.reply(counted('Fifth.', 11_990));
    const fifth = await window.chat.send('@memory tell me of the fifth');
    assert.doesNotMatch(await window.chat.answerText(fifth), new RegExp(near));
    await untilLookedAt('tell me of the fifth');

    const before = api.messageRequests.length;
    const sixth = await window.chat.send(`@memory ${words}. Tell me of the sixth`);
    assert.match(await window.chat.answerText(sixth), /Compacted: the conversation summarised/);
    await window.notification('Remembered “yaml”').waitFor();
    const kinds = api.messageRequests.slice(before).map(({ body }) => readRequest(body).kind);
    // A summary is no question about memories.
    const wanted = kinds.filter((kind) => kind === 'extraction' || kind === 'other');
    assert.deepEqual(wanted, ['extraction', 'other']);
  });

  function has(name: string): boolean {
    return fs.existsSync(path.join(workspace, '.memory', `${name}.md`));
  }

  function filesNamed(name: RegExp): readonly string[] {
    return fs.readdirSync(path.join(workspace, '.memory')).filter((file) => name.test(file));
  }

  /** How often the model was asked what there is to remember in these words. */
  function looksAt(words: string): number {
    return api.messageRequests.filter(({ body }) => isAbout(body, words)).length;
  }

  async function untilLookedAt(words: string): Promise<void> {
    await api.waitForRequest(() => looksAt(words) > 0);
  }

  /** Of which the person is not told. */
  async function untilFailedToLearn(times: number): Promise<void> {
    await until(() => (logOf(used.home).split('[learning]').length > times ? true : undefined));
  }

  async function reload(): Promise<void> {
    await window.reload();
    await window.chat.open();
    await window.chat.untilModel('Claude Auto');
  }
});

function isAbout(body: RequestBody, words: string): boolean {
  return wordsToLookAt(body).some((said) => said.includes(words));
}

function note(name: string, description: string): string {
  const created = new Date(Date.now() - 3 * DAY_MS).toISOString();
  return `---\nname: ${name}\ndescription: ${description}\ntype: project\ncreated: ${created}\n---\n\n${description}.\n`;
}

/** About 3,000 tokens, which are not counted. */
function atLength(service: string): ReplyStep {
  const words = `The ${service} service: ${'word '.repeat(2_100)}`.trim();
  return { blocks: [text(words)], usage: { input_tokens: 0, output_tokens: 0 }, chunk: 500 };
}

function counted(words: string, tokens: number): ReplyStep {
  return { blocks: [text(words)], usage: { input_tokens: tokens, output_tokens: 10 } };
}

/** What the extension has logged in all windows. */
function logOf(home: string): string {
  const logs = path.join(home, 'user-data', 'logs');
  const files = fs.readdirSync(logs, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /memory-agent\.memory-agent.*\.log$/.test(file))
    .map((file) => fs.readFileSync(path.join(logs, file), 'utf8'))
    .join('');
}
