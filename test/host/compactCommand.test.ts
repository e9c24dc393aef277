import assert from 'node:assert/strict';
import type { SessionRequest, SessionDeps } from '../../src/agent/sessionDeps.ts';
import { userText } from '../../src/models/model.ts';
import type { TurnRef } from '../../src/sessions/session.ts';
import { compactChat } from '../../src/vscode/chat/compactCommand.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { says } from '../support/conversation.ts';
import { scriptedModel } from '../support/scriptedModel.ts';
import { useTempFolder } from '../support/tempFolder.ts';
import { LIMITS, sessionRequest, sessionDeps } from './sessionRequests.ts';

describe('/compact', () => {
  const temp = useTempFolder();
  let deps: SessionDeps;

  beforeEach(() => {
    deps = sessionDeps(temp.path);
  });

  it('says of a new chat that there is nothing yet', async () => {
    const { text, result } = await compact({});
    assert.equal(text, 'Nothing has been said in this chat yet.');
    assert.deepEqual(result, {});
  });

  it('says that there is too little, and leaves a turn to go on from', async () => {
    const turn = await deps.sessions.begin({ request: 'Hello.' });
    turn.append(userText('Hello.'));
    turn.append(says('Hello.'));
    turn.end();
    const { text, result } = await compact({ previous: turn.ref });
    assert.match(text, /too little to summarise/);
    assert.equal(result.metadata?.['sessionId'], turn.ref.sessionId);
    assert.notEqual(result.metadata?.['turnId'], turn.ref.turnId);
    assert.equal(result.metadata?.['outcome'], undefined);
  });

  it('says why no summary came about, and that nothing was changed', async () => {
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
        request: sessionRequest({ ...options, utilityModel }),
        focus: 'names',
        response,
        emit: () => undefined,
      },
      new AbortController().signal,
    );
    return { text: text(), progress, result };
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
