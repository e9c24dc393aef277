import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TurnEvent } from '../../src/agent/events.ts';
import type { RecallReceipt } from '../../src/memory/recall/recallReceipt.ts';
import { registerRecallReceipts } from '../../src/vscode/chat/recallReceiptLink.ts';
import { showEvent } from '../../src/vscode/chat/turnDisplay.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { aRecord } from '../support/records.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

describe('what a chat shows of a turn', () => {
  it('is one line for a compaction of several stages, with a link to the archive', () => {
    assert.equal(
      shown({
        type: 'compacted',
        stages: ['micro', 'summarise'],
        before: 142_003,
        after: 61_000,
        archive: '/folder/a (b)/.transcripts/s.jsonl',
      }),
      '\n\n_Compacted: older tool results moved to the archive and the conversation summarised. ' +
        'About 142,003 → 61,000 tokens. ' +
        '[Archive](file:///folder/a%20%28b%29/.transcripts/s.jsonl)_\n\n',
    );
  });

  it('names the three parts that fill the window most when compacting is no use', () => {
    const { response, text: said, buttons } = keptResponse();
    const event: TurnEvent = {
      type: 'compactionGivenUp',
      parts: [
        { part: 'system', tokens: 900 },
        { part: 'tools', tokens: 3_000 },
        { part: 'history', tokens: 90_000 },
        { part: 'toolResults', tokens: 40_000 },
      ],
    };
    showEvent(response, event, undefined);
    const text = said();
    assert.match(text, /^\n\nCompacting no longer helps\. What fills most/);
    assert.match(
      text,
      /Conversation: about 90,000 tokens\n- Tool results: about 40,000 tokens\n- Tools: about 3,000 tokens\n\n/,
    );
    assert.doesNotMatch(text, /System prompt/);
    assert.match(text, /start a new chat/);
    assert.equal(buttons[0]?.command, 'workbench.action.chat.newChat');
  });

  it('is nothing for the figures of the status bar and for running tools', () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, requests: 1 };
    assert.equal(shown({ type: 'answered', tokens: 1, limit: 2, usage }), '');
    assert.equal(shown({ type: 'toolStarted', id: 'a', name: 'grep' }), '');
  });
});

describe('what a chat shows of a task', () => {
  const title = 'Find *the* port';

  it('is what holds it up, with its title', () => {
    const { response, progress, text } = keptResponse();
    const event = {
      type: 'retrying',
      attempt: 1,
      attempts: 3,
      delayMs: 2_000,
      reason: 'The server is busy.',
    } as const;
    showEvent(response, { type: 'inTask', title, event }, undefined);
    assert.deepEqual(progress, [
      'Task `Find *the* port`: Trying again in 2 s: The server is busy. (attempt 1 of 3)',
    ]);
    assert.equal(text(), '');
  });

  it('is one line for what leaves its view, cannot be archived, or cannot be made smaller', () => {
    assert.match(
      shownInTask({
        type: 'compacted',
        stages: ['micro'],
        before: 9_000,
        after: 5_000,
        archive: '/folder/.transcripts/t.jsonl',
      }),
      /^\n\n_Task `Find \*the\* port`: Compacted: .* About 9,000 → 5,000 tokens\. \[Archive\]\(\S+\/t\.jsonl\)_\n\n$/,
    );
    assert.match(
      shownInTask({ type: 'archiveFailed', problem: 'The disk is full.' }),
      /^\n\n_The older part of the task `Find \*the\* port` could not .*: The disk is full\\\._\n\n$/,
    );
    assert.match(
      shownInTask({ type: 'compactionGivenUp', parts: [{ part: 'tools', tokens: 3_000 }] }),
      /^\n\n_Compacting no longer helps the task `Find \*the\* port`, which .*_\n\n$/,
    );
  });

  it('is nothing of its words, its tools and its figures', () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, requests: 1 };
    for (const event of [
      { type: 'text', text: 'words' },
      { type: 'thinking', text: 'thoughts' },
      { type: 'toolStarted', id: 'a', name: 'grep' },
      { type: 'answered', tokens: 1, limit: 2, usage },
      { type: 'compactionNear', tokens: 1, limit: 2 },
    ] as const)
      assert.equal(shownInTask(event), '', event.type);
  });

  function shownInTask(event: TurnEvent): string {
    return shown({ type: 'inTask', title, event });
  }
});

describe('what a chat shows of a recall', () => {
  const stub = useWindowStubs();
  const modified = Date.now() - 3 * 24 * 60 * 60 * 1000;
  const tabs = aRecord({ name: 'tabs", [x](command:y) $(z)', file: '缩进 (a).md', modified });
  const quotes = aRecord({ name: 'quotes', modified });
  const long = aRecord({ name: 'long', modified });
  const receipt: RecallReceipt = {
    total: 1_042,
    chosenBy: { kind: 'words', because: 'late' },
    recalled: [
      {
        record: tabs,
        reason: { kind: 'words', words: ['tabs', '缩进'] },
        tokens: 1_210,
        isStanding: false,
      },
      { record: quotes, reason: { kind: 'words', words: ['a'] }, tokens: 40, isStanding: true },
    ],
    leftOut: [{ record: long, reason: { kind: 'words', words: ['tabs'] } }],
    tokens: 1_310,
    lateAnswers: 2,
  };

  it('is one line, which holds nothing of the memories but behind its one command', () => {
    const { line, references } = recallOf(receipt);
    assert.match(
      line.value,
      /^\[Recalled 2 of 1,042 memories · about 1,310 tokens · 1 did not fit\]\(command:_memoryAgent\.showRecall\?[\w%.-]+ "Show which ones, and why"\)\n\n$/,
    );
    assert.deepEqual(line.isTrusted, { enabledCommands: ['_memoryAgent.showRecall'] });
    assert.ok(!line.supportHtml);
    assert.deepEqual(references, [tabs.path, quotes.path]);
  });

  it('says of all memories, of the only one, and of those that cost nothing new', () => {
    const [entry] = receipt.recalled;
    assert.ok(entry);
    const few = { ...receipt, leftOut: [], recalled: [entry] };
    assert.match(
      recallOf({ ...few, total: 1, tokens: 60 }).line.value,
      /^\[Recalled your only memory · about 60 tokens\]/,
    );
    assert.match(
      recallOf({ ...few, recalled: [entry, entry], total: 2, tokens: 0 }).line.value,
      /^\[Recalled all 2 memories · already in this chat\]/,
    );
  });

  it('is nothing when nothing bears on the request', () => {
    const { response, text } = keptResponse();
    const empty = { ...receipt, recalled: [], leftOut: [] };
    showEvent(response, { type: 'recalled', receipt: empty }, undefined);
    assert.equal(text(), '');
  });

  it('opens as a list with why, age, tokens and what did not fit, from which a memory opens', async () => {
    const command = /command:([\w.]+)\?(\S+)/.exec(recallOf(receipt).line.value);
    const [argument] = JSON.parse(decodeURIComponent(command?.[2] ?? ''));
    const asked = stub('showQuickPick');
    await withCommand(() => vscode.commands.executeCommand(command?.[1] ?? '', argument));
    const [items, options] = asked[0] ?? [];
    assert.deepEqual(
      (items as vscode.QuickPickItem[]).map(({ label, description, detail }) => [
        label,
        description,
        detail,
      ]),
      [
        [
          'tabs", [x]\u2060(command:y) $\u2060(z)',
          'About tabs", [x]\u2060(command:y) $\u2060(z)',
          'shares the words “tabs”, “缩进” · 3 days ago · about 1,210 tokens',
        ],
        [
          'quotes',
          'About quotes',
          'shares the word “a” · 3 days ago · about 40 tokens · already in this chat',
        ],
        ['Did not fit', undefined, undefined],
        ['long', 'About long', 'shares the word “tabs” · 3 days ago'],
      ],
    );
    const { title, placeHolder } = options as vscode.QuickPickOptions;
    assert.match(title ?? '', /^Recalled 2 of 1,042/);
    assert.equal(
      placeHolder,
      'Chosen by shared words: the model that chooses was too slow (late answers in this window: 2).',
    );
  });

  it('takes no other argument from anyone', async () => {
    const asked = stub('showQuickPick');
    await assert.rejects(
      withCommand(() => vscode.commands.executeCommand('_memoryAgent.showRecall', { title: 1 })),
    );
    assert.deepEqual(asked, []);
  });
});

/** The line and the references of it. */
function recallOf(receipt: RecallReceipt) {
  const lines: vscode.MarkdownString[] = [];
  const references: string[] = [];
  const response = {
    markdown: (line: vscode.MarkdownString) => lines.push(line),
    reference: (uri: vscode.Uri) => references.push(uri.fsPath),
  };
  showEvent(
    response as unknown as vscode.ChatResponseStream,
    { type: 'recalled', receipt },
    undefined,
  );
  const [line] = lines;
  assert.ok(line);
  assert.equal(lines.length, 1);
  return { line, references };
}

/** The extension under test has the command already; where it was not activated it is made here. */
async function withCommand(run: () => Thenable<unknown>): Promise<void> {
  const known = await vscode.commands.getCommands();
  const made = known.includes('_memoryAgent.showRecall') ? undefined : registerRecallReceipts();
  try {
    await run();
  } finally {
    made?.dispose();
  }
}

function shown(event: TurnEvent): string {
  const { response, text } = keptResponse();
  showEvent(response, event, undefined);
  return text();
}
