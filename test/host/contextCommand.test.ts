import assert from 'node:assert/strict';
import type { SessionRequest, TurnDeps } from '../../src/agent/turn.ts';
import { silentLog } from '../../src/base/log.ts';
import { Archive } from '../../src/context/archive.ts';
import { Compactor } from '../../src/context/compactor.ts';
import { userText } from '../../src/models/model.ts';
import type { TurnRef } from '../../src/sessions/session.ts';
import { SessionStore } from '../../src/sessions/sessionStore.ts';
import { compactChat } from '../../src/vscode/compactCommand.ts';
import { showContext } from '../../src/vscode/contextCommand.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { call, calls, fakeTool, results, says } from '../support/conversation.ts';
import { scriptedModel } from '../support/scriptedModel.ts';
import { useTempFolder } from '../support/tempFolder.ts';

const LIMITS = { input: 100_000, output: 20_000 };

describe('/context', () => {
  const temp = useTempFolder();
  let deps: TurnDeps;
  /** Fails the test when it is asked anything. */
  const model = scriptedModel([], { name: 'Model *1*', limits: LIMITS });

  beforeEach(() => {
    deps = {
      sessions: new SessionStore(),
      compactor: new Compactor({ log: silentLog }),
      archive: new Archive({ root: temp.path, pointers: 'relative' }),
      memory: undefined,
      log: silentLog,
      now: () => new Date(),
    };
  });

  it('shows of a new chat what a first request holds, without asking a model', async () => {
    const text = await context({ tools: [fakeTool('grep', async () => '')] });
    assert.match(text, /^Nothing was said in this chat yet\. A first request holds:\n\n/);
    assert.match(text, /\*\*About [\d,]+ of 100,000 tokens \([\d.]+%\)\*\* · Model \\\*1\\\*/);
    assert.match(text, /\n`█░{23}`\n/);
    assert.deepEqual(names(text), ['System prompt', 'Tools', 'Kept free for the answer', 'Free']);
    assert.match(text, /\| Kept free for the answer \| 20,000 \| 20% \|/);
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
      'Kept free for the answer',
      'Free',
    ]);
    assert.match(
      text,
      /\n- Last compaction \(now\): conversation summarised\. About 5,000 → 900 tokens\. \[Archive\]\(file:/,
    );
    assert.match(
      text,
      /\n- Tokens of the session: 1,000 in \(60% from the cache\), 50 out, 1 request\.$/,
    );
  });

  it('shows the text of a chat whose session is not known any more', async () => {
    const previous = { sessionId: 'gone', turnId: 'gone' };
    const text = await context({ previous, visibleHistory: [userText('Hello there.')] });
    assert.deepEqual(names(text).slice(0, 2), ['System prompt', 'Conversation']);
  });

  it('shows something sensible for a model that tells no size', async () => {
    const text = await context({
      model: scriptedModel([], { limits: { input: 0, output: 4096 } }),
    });
    assert.match(text, /of 200,000 tokens/);
  });

  it('tells of the setting that decides when compaction begins', async () => {
    const text = await context({ compaction: { maxTokens: 9_000, maxMessages: 0 } });
    assert.match(text, /begins at 9,000 tokens, by the setting/);
  });

  async function context(options: Partial<SessionRequest>): Promise<string> {
    const { response, text } = keptResponse();
    await showContext(deps, request(options), response);
    return text();
  }

  function request(options: Partial<SessionRequest>): SessionRequest {
    return {
      previous: undefined,
      unfinished: [],
      visibleHistory: [],
      model,
      utilityModel: model,
      tools: [],
      folders: [],
      recall: 'auto',
      extraction: 'auto',
      compaction: { maxTokens: 0, maxMessages: 0 },
      ...options,
    };
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

  describe('/compact', () => {
    it('says of a new chat that there is nothing yet', async () => {
      const { said: text, result } = await compact({});
      assert.equal(text, 'Nothing was said in this chat yet.');
      assert.deepEqual(result, {});
    });

    it('says that there is too little, and leaves a turn to go on from', async () => {
      const turn = await deps.sessions.begin({ request: 'Hello.' });
      turn.append(userText('Hello.'));
      turn.append(says('Hello.'));
      turn.end();
      const { said: text, result } = await compact({ previous: turn.ref });
      assert.match(text, /too little to summarise/);
      assert.equal(result.metadata?.['sessionId'], turn.ref.sessionId);
      assert.notEqual(result.metadata?.['turnId'], turn.ref.turnId);
      assert.equal(result.metadata?.['outcome'], undefined);
    });

    it('says why no summary came about, and that nothing was changed (C11)', async () => {
      const previous = await longTalk();
      const before = (await deps.sessions.find(previous, []))?.working();
      // An empty summary is no summary.
      const { result, progress } = await compact({ previous }, '', '');
      assert.deepEqual(progress, ['Summarising the conversation…']);
      assert.match(result.errorDetails?.message ?? '', /^The conversation was not summarised, and/);
      const ref = { sessionId: previous.sessionId, turnId: String(result.metadata?.['turnId']) };
      assert.deepEqual((await deps.sessions.find(ref, []))?.working(), before);
    });

    /** Each step answers one question of the summariser. */
    async function compact(options: Partial<SessionRequest>, ...steps: string[]) {
      const { response, text, progress } = keptResponse();
      const utilityModel = scriptedModel(steps, { limits: LIMITS });
      const result = await compactChat(
        {
          deps,
          request: { ...request(options), utilityModel },
          focus: 'names',
          response,
          emit: () => undefined,
        },
        new AbortController().signal,
      );
      return { said: text(), progress, result };
    }

    async function longTalk(): Promise<TurnRef> {
      const turn = await deps.sessions.begin({ request: 'Hello.' });
      for (let count = 0; count < 20; count++) {
        turn.append(userText(`Tell me about number ${count}. ${'It matters. '.repeat(50)}`));
        turn.append(says(`Number ${count} is a number. ${'So it is. '.repeat(50)}`));
      }
      turn.end();
      return turn.ref;
    }
  });
});
