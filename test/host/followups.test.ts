import assert from 'node:assert/strict';
import { followupsOf, nextSteps } from '../../src/vscode/chat/followups.ts';

describe('what can be pressed next', () => {
  it('is a prompt, or a command of the chat, and never the command of the answer', () => {
    const metadata = nextSteps({ kind: 'continue' }, { kind: 'showAll' }, { kind: 'compact' });
    assert.deepEqual(
      followupsOf({ metadata }).map(({ command, prompt }) => [command, prompt]),
      [
        ['', 'Continue'],
        ['recall', ''],
        ['compact', ''],
      ],
    );
  });

  it('says the words of the request again, or asks about them', () => {
    const asked = nextSteps(
      { kind: 'askAgain', words: 'Which port?' },
      { kind: 'sumUp', words: 'deploying  to\nstaging' },
    );
    assert.deepEqual(
      followupsOf({ metadata: asked }).map(({ prompt, label }) => [prompt, label]),
      [
        ['Which port?', 'Ask again'],
        [
          'What do you remember about deploying  to\nstaging? Sum it up.',
          'Sum up what you remember about “deploying to staging”',
        ],
      ],
    );
  });

  it('is three at most', () => {
    const many = nextSteps(
      { kind: 'continue' },
      { kind: 'showAll' },
      { kind: 'compact' },
      { kind: 'help' },
    );
    assert.equal(followupsOf({ metadata: many }).length, 3);
  });

  it('is nothing behind an answer that left nothing, or something else', () => {
    assert.deepEqual(followupsOf({}), []);
    assert.deepEqual(followupsOf({ metadata: { nextSteps: [{ kind: 'unheardOf' }] } }), []);
  });
});
