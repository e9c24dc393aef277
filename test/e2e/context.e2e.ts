import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi, RequestBody } from '../support/fakeMessagesApi.ts';
import { text, toolUse, type ReplyStep } from '../support/messageEvents.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const MODEL = 'Claude Sonnet';
const UTILITY = 'claude-haiku-test';
/** System prompt and tools take some 2,000 of them, each file 1,150, each long answer 3,000. */
const MAX_TOKENS = 10_000;
const FILES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((name) => `${name}.txt`);
const LINES = 72;
const STATUS_ITEM = 'memory-agent.memory-agent.memoryAgent.status';

/** No figures, so that the sizes are the estimated ones. */
const UNCOUNTED = { usage: { input_tokens: 0, output_tokens: 0 }, chunk: 500 };
const COUNTED = {
  chunk: 500,
  usage: { input_tokens: 1_500, cache_read_input_tokens: 4_500, output_tokens: 200 },
};
const SUMMARY = {
  goal: 'The person wants the ports of all services to be listed.',
  decisions: ['The list is sorted by port, since it is read that way.'],
  done: ['Told of the first services at length.'],
  remaining: ['List the others.'],
  facts: ['The first service listens on 8081.'],
};

describe('a conversation that outgrows the window', () => {
  const used = useWindow({
    api: {
      models: [
        { id: 'claude-sonnet-test', display_name: MODEL },
        { id: UTILITY, display_name: 'Claude Haiku' },
      ],
    },
    environmentKey: 'any-key',
    settings: {
      'memoryAgent.extraction': 'off',
      'memoryAgent.recall': 'off',
      'memoryAgent.context.maxTokens': MAX_TOKENS,
      'chat.agent.collapseCompletedResponses': false,
    },
    fill: (workspace) => {
      for (const file of FILES) fs.writeFileSync(path.join(workspace, file), linesOf(file));
    },
    chatModel: 'Claude Auto',
  });
  const { workspace } = used;
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });
  afterEach(async () => {
    await window.chat.startNew();
  });

  it('moves old tool results to an archive that the person and the model can open', async () => {
    const reads = FILES.map((file, index) =>
      toolUse(`toolu_${index}`, 'read_file', { path: file }),
    );
    let pointer = '';
    api.push(
      ...reads.map((call) => ({ blocks: [call], ...UNCOUNTED })),
      (body) => {
        pointer = pointerIn(body, 'toolu_0');
        return { blocks: [toolUse('toolu_again', 'read_file', { path: pointer })], ...UNCOUNTED };
      },
      { blocks: [text('I have read all.')], ...UNCOUNTED },
    );
    const answer = await window.chat.send('@memory read the files');
    const shown = await window.chat.answerText(answer);
    assert.match(shown, /I have read all\./);
    assert.equal(shown.split('Compacted: older tool results moved to the archive').length, 2);

    const whole = linesOf('one.txt').trim();
    assert.equal(fs.readFileSync(path.join(workspace, pointer), 'utf8'), whole);
    assert.equal(resultOf(lastRequest(api), 'toolu_again'), whole);
    await answer.getByRole('link', { name: 'Archive' }).click();
    await window.frontTab(/^[0-9a-f]{32}\.txt/).waitFor();
    await window.editorShowing(/one\.txt,\s+line\s+1:/).waitFor();
  });

  it('has what was said summed up, and keeps the current request word for word', async () => {
    await fillWithWords();
    api.push(summary(), { blocks: [text('Going on.')], ...UNCOUNTED });
    const request = 'and now the  fourth service, "verbatim"?';
    const answer = await window.chat.send(`@memory ${request}`);
    assert.match(await window.chat.answerText(answer), /Compacted: the conversation summarised/);

    const [asked, next] = lastRequests(api, 2);
    assert.equal(asked?.model, UTILITY);
    assert.match(JSON.stringify(asked?.messages), /first service: word/);
    assert.equal(next?.messages.length, 1);
    const said = next?.messages[0]?.content.map((block) => block.text ?? '') ?? [];
    assert.ok(said.includes(request), said.join('\n'));
    const [sum = ''] = said.filter((words) => words.startsWith('<conversation_summary>'));
    assert.match(sum, /The first service listens on 8081\./);
    const [transcript = ''] = /\.transcripts\/[\w-]+\.jsonl/.exec(sum) ?? [];
    const kept = fs.readFileSync(path.join(workspace, transcript), 'utf8');
    for (const service of ['first', 'second', 'third']) assert.ok(kept.includes(words(service)));
  });

  it('goes on without a summary when the model declines to write one', async () => {
    await fillWithWords();

    const refused = { goal: 'I’m sorry, but I can’t help with that.' };
    api.push(json(refused), { blocks: [text('Still here.')], ...UNCOUNTED });
    const answer = await window.chat.send('@memory and the fourth?');
    const shown = await window.chat.answerText(answer);
    assert.match(shown, /Compacted: the older part of the conversation moved to the archive/);
    assert.match(shown, /Still here\./);
    const sent = JSON.stringify(lastRequest(api).messages);
    assert.match(sent, /\[Moved out of this conversation: \d+ messages/);
    assert.match(sent, /and the fourth\?/);
    assert.doesNotMatch(sent, /sorry/);
  });

  it('is summed up on request, by slash command and from the palette, and /context tells of it', async () => {
    await sayAtLength('first');
    await sayAtLength('second');
    api.push(summary());
    const compacted = await window.chat.ask('@memory /compact the port numbers');
    assert.match(compacted, /Compacted: the conversation summarised/);
    const [asked] = lastRequests(api, 1);
    assert.equal(asked?.model, UTILITY);
    const prompt = asked?.messages[0]?.content[0]?.text ?? '';
    assert.match(prompt, /<summary_focus>\nthe port numbers\n<\/summary_focus>/);

    api.push({ blocks: [text(words('third'))], ...COUNTED });
    await window.chat.ask('@memory tell me of the third');
    assert.match(JSON.stringify(lastRequest(api).messages), /<conversation_summary>/);
    const before = api.messageRequests.length;
    api.push(summary());
    await window.chat.type('@memory what I have not sent');
    await window.page.keyboard.press('Escape');
    await window.runCommand('memoryAgent.compactSession', 'Memory: Compact Session');
    await window.chat.lastAnswer.getByText('Compacted: the conversation summarised').waitFor();
    await window.chat.untilDone(window.chat.lastAnswer);
    await window.chat.untilTyped('@memory what I have not sent');
    assert.equal(api.messageRequests.length, before + 1);

    const shown = await window.chat.ask('@memory /context');
    for (const part of ['System prompt', 'Tools', 'Summaries', 'Conversation', 'Free']) {
      assert.match(shown, new RegExp(`^${part}\\s+[\\d,]+\\s+[\\d.]+%`, 'm'));
    }
    assert.match(shown, /Compaction begins at 10,000 tokens, by the setting/);
    assert.match(shown, /Last compaction.*: the conversation summarised\. About .* Archive/);
    assert.match(shown, /Tokens of this conversation: 6,000 in \(75% from the cache\), 200 out/);
    assert.equal(api.messageRequests.length, before + 1);
  });

  it('tells in the status bar how full the window is', async () => {
    api.push({ blocks: [text('Hello.')], ...COUNTED });
    await window.chat.ask('@memory hello');
    const hover = await window.statusHover(STATUS_ITEM, 'Context');
    assert.match(hover, /Context: [\d,]+ tokens; compaction begins at 10,000 \(\d+%\)/);
    assert.match(hover, /Tokens of this conversation: 6,000 in \(75% from the cache\), 200 out/);
  });

  async function fillWithWords(): Promise<void> {
    for (const service of ['first', 'second', 'third']) await sayAtLength(service);
  }

  async function sayAtLength(service: string): Promise<void> {
    api.push({ blocks: [text(words(service))], ...UNCOUNTED });
    await window.chat.ask(`@memory tell me of the ${service}`);
  }
});

function linesOf(file: string): string {
  const lines = Array.from(
    { length: LINES },
    (_, index) => `${file}, line ${index + 1}: ${'x'.repeat(40)}`,
  );
  return `${lines.join('\n')}\n`;
}

/** About 3,000 tokens in one line. */
function words(service: string): string {
  return `The ${service} service: ${'word '.repeat(2_100)}`.trim();
}

function summary(): ReplyStep {
  return json(SUMMARY);
}

function json(value: object): ReplyStep {
  return { blocks: [text(JSON.stringify(value))], ...UNCOUNTED };
}

function lastRequest(api: FakeMessagesApi): RequestBody {
  const [request] = lastRequests(api, 1);
  assert.ok(request, 'nothing was asked');
  return request;
}

function lastRequests({ messageRequests }: FakeMessagesApi, count: number): readonly RequestBody[] {
  return messageRequests.slice(-count).map(({ body }) => body);
}

function resultOf({ messages }: RequestBody, id: string): string {
  const blocks = messages.flatMap(({ content }) => content);
  const result = blocks.find((block) => block['tool_use_id'] === id);
  const [part] = (result?.content ?? []) as readonly { readonly text?: string }[];
  return part?.text ?? '';
}

/** Where the text of an archived result is, as the model is told. */
function pointerIn(body: RequestBody, id: string): string {
  const result = resultOf(body, id);
  const [, pointer] = /^\[Archived: (\S+), \d+ characters/.exec(result) ?? [];
  assert.ok(pointer, `not archived: ${result}`);
  return pointer;
}
