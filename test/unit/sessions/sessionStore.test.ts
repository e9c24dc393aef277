import assert from 'node:assert/strict';
import { userText } from '../../../src/models/model.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { says } from '../../support/conversation.ts';

describe('SessionStore', () => {
  it('goes on from the turn before, in the same session', async () => {
    const sessions = new SessionStore();
    const first = await sessions.begin();
    first.append(userText('one'));
    first.append(says('1'));
    const second = await sessions.begin({ previous: first.ref });
    second.append(userText('two'));
    assert.equal(second.ref.sessionId, first.ref.sessionId);
    assert.deepEqual(second.log(), [userText('one'), says('1'), userText('two')]);
  });

  it('keeps what only the model sees out of the log', async () => {
    const turn = await new SessionStore().begin();
    const shown = { ...userText('one'), content: [context('memory'), ...userText('one').content] };
    turn.append(userText('one'), shown);
    turn.appendWorking({ role: 'user', content: [context('go on')] });
    assert.deepEqual(turn.log(), [userText('one')]);
    assert.deepEqual(turn.working(), [shown, { role: 'user', content: [context('go on')] }]);
  });

  it('keeps the log whole when the working history is compacted', async () => {
    const turn = await new SessionStore().begin();
    turn.append(userText('one'));
    turn.compacted([], { stages: ['snip'], before: 2, after: 1, archive: '/a', at: new Date() });
    assert.deepEqual(turn.log(), [userText('one')]);
    assert.deepEqual(turn.working(), []);
  });

  it('begins with the seed when the turn before is not known', async () => {
    const turn = await new SessionStore().begin({
      previous: { sessionId: 's', turnId: 'gone' },
      seed: [userText('seen')],
    });
    assert.deepEqual(turn.log(), [userText('seen')]);
  });

  it('knows how much of the log was learned from, also when that ends after the next turn began', async () => {
    const sessions = new SessionStore();
    const first = await sessions.begin({ seed: [userText('from the chat')] });
    assert.equal(first.learned(), 1);
    first.append(userText('one'));
    const second = await sessions.begin({ previous: first.ref });
    second.append(userText('two'));
    assert.equal(second.learned(), 1);
    first.markLearned();
    assert.equal(second.learned(), 2);
    second.markLearned();
    assert.equal(second.learned(), 3);
  });

  it('tells which sessions are at work in this window, each once', async () => {
    const sessions = new SessionStore();
    const first = await sessions.begin();
    const second = await sessions.begin({ previous: first.ref });
    const other = await sessions.begin();
    assert.deepEqual(sessions.runningSessions(), [first.ref.sessionId, other.ref.sessionId]);
    first.end();
    other.end();
    assert.deepEqual(sessions.runningSessions(), [second.ref.sessionId]);
  });
});

function context(text: string) {
  return { type: 'context', text, records: {} } as const;
}
