import assert from 'node:assert/strict';
import type { SessionRequest, SessionDeps } from '../../src/agent/sessionDeps.ts';
import { userText } from '../../src/models/model.ts';
import type { TurnRef } from '../../src/sessions/session.ts';
import { showContext } from '../../src/vscode/chat/contextCommand.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { call, calls, fakeTool, results, says } from '../support/conversation.ts';
import { useTempFolder } from '../support/tempFolder.ts';
import { LIMITS, sessionRequest, sessionDeps } from './sessionRequests.ts';

describe('/context', () => {
  const temp = useTempFolder();
  let deps: SessionDeps;

  beforeEach(() => {
    deps = sessionDeps(temp.path);
  });

  it('shows of a new chat what a first request holds, without asking a model', async () => {
    const text = await context({ tools: [fakeTool('grep', async () => '')] });
    assert.match(text, /^Nothing has been said in this chat yet\. A first request holds:\n\n/);
    assert.match(text, /\*\*About [\d,]+ of 100,000 tokens \([\d.]+%\)\*\* · Model \\\*1\\\*/);
    assert.match(text, /\n`█░{23}`\n/);
    assert.deepEqual(names(text), ['System prompt', 'Tools', 'For the answer', 'Free']);
    assert.match(text, /\| For the answer \| 20,000 \| 20\.0% \|/);
    assert.match(text, /\n- Compaction begins at 64,000 tokens\.$/);
  });

  it('adds up to the window', async () => {
    const text = await context({ previous: await said() });
    const tokens = [...text.matchAll(/^\| .* \| ([\d,]+) \| .* \|$/gm)].map(([, figure = '']) =>
      Number(figure.replaceAll(',', '')),
    );
    assert.equal(
      tokens.reduce((sum, part) => sum + part, 0),
      LIMITS.input,
    );
  });

  it('shows the parts and the tokens of a session, and when it was compacted', async () => {
    const text = await context({ previous: await said(), unfinished: [] });
    assert.deepEqual(names(text), [
      'System prompt',
      'Summaries',
      'Conversation',
      'Tool results',
      'For the answer',
      'Free',
    ]);
    assert.match(
      text,
      /\n- Last compaction \(just now\): the conversation summarised\. About 5,000 → 900 tokens\. \[Archive\]\(file:/,
    );
    assert.match(
      text,
      /\n- Tokens of this conversation: 1,000 in \(60% from the cache\), 50 out; requests: 1$/,
    );
  });

  it('shows the text of a chat whose session is not known any more', async () => {
    const previous = { sessionId: 'gone', turnId: 'gone' };
    const text = await context({ previous, visibleHistory: [userText('Hello there.')] });
    assert.deepEqual(names(text).slice(0, 2), ['System prompt', 'Conversation']);
  });

  it('tells what was attached apart from what was said', async () => {
    const attachment = { type: 'attachment', name: 'a.ts', text: 'line '.repeat(90) } as const;
    const { content } = userText('Look.');
    const text = await context({
      visibleHistory: [{ role: 'user', content: [attachment, ...content] }],
    });
    assert.deepEqual(names(text).slice(0, 3), ['System prompt', 'Attachments', 'Conversation']);
  });

  it('offers to compact once half of the room is filled, and not before', async () => {
    const visibleHistory = [userText('word '.repeat(4_000))];
    const steps = (maxTokens: number) =>
      stepsAfter({ visibleHistory, compaction: { maxTokens, maxMessages: 0 } });
    assert.deepEqual(await steps(9_000), [{ kind: 'compact' }]);
    assert.deepEqual(await steps(90_000), []);
  });

  it('tells of the setting only where it decides when compaction begins', async () => {
    const first = await context({ compaction: { maxTokens: 9_000, maxMessages: 0 } });
    assert.match(first, /\n- Compaction begins at 9,000 tokens, by the setting `memoryAgent/);
    const second = await context({ compaction: { maxTokens: 200_000, maxMessages: 0 } });
    assert.match(second, /\n- Compaction begins at 100,000 tokens\.$/);
  });

  async function context(options: Partial<SessionRequest>): Promise<string> {
    const { response, text } = keptResponse();
    await showContext(deps, sessionRequest(options), response);
    return text();
  }

  async function stepsAfter(options: Partial<SessionRequest>) {
    return showContext(deps, sessionRequest(options), keptResponse().response);
  }

  /** A turn that was compacted and then answered. */
  async function said(): Promise<TurnRef> {
    const turn = await deps.sessions.begin({ request: 'Look.' });
    turn.setSystemPrompt('You are an agent.');
    turn.append(userText('Look.'));
    turn.compacted(
      [{ role: 'user', content: [{ type: 'context', text: 'Summary of it.', records: {} }] }],
      {
        stages: ['summarise'],
        before: 5_000,
        after: 900,
        archive: `${temp.path}/t.jsonl`,
        at: new Date(),
      },
    );
    turn.append(calls(call('c1', 'grep')));
    turn.append(results(['c1', 'found '.repeat(50)]));
    turn.append(says('There it is.'));
    const usage = { input: 100, cacheRead: 600, cacheWrite: 300, output: 50 };
    turn.answered({ model: 'another', estimate: 1_000, usage });
    turn.end();
    return turn.ref;
  }

  function names(text: string): string[] {
    return [...text.matchAll(/^\| (.*?) \| [\d,]+ \|/gm)].map(([, name = '']) => name);
  }
});
