import assert from 'node:assert/strict';
import type { Outcome } from '../../src/agent/loop.ts';
import type { TurnResult } from '../../src/agent/turn.ts';
import { silentLog } from '../../src/base/log.ts';
import { COMMANDS } from '../../src/manifest.ts';
import { ModelError, type ModelErrorKind } from '../../src/models/model.ts';
import type { NextStep } from '../../src/vscode/chat/followups.ts';
import { finishTurn } from '../../src/vscode/chat/turnOutcome.ts';
import { keptResponse } from '../support/chatResponse.ts';

const REF = { sessionId: 's', turnId: 't' };
const PICKER = 'workbench.action.chat.openModelPicker';
const NEW_CHAT = 'workbench.action.chat.newChat';

/** What helps, by kind, when a model of another vendor fails: words, a button, what to press next. */
const ADVICE: readonly (readonly [ModelErrorKind, RegExp, string[], NextStep['kind'][]])[] = [
  ['auth', /sign in to its provider again, or pick another model/, [PICKER], ['tryAgain']],
  ['rateLimit', /Wait a while, or pick another model/, [PICKER], ['tryAgain']],
  ['overloaded', /Wait a few minutes, or pick another model/, [PICKER], ['tryAgain']],
  ['overflow', /^This conversation has become too long .* new chat/, [NEW_CHAT], []],
  ['refused', /left out of the conversation\. Put it in other words/, [PICKER], []],
  ['network', /^What the vendor said\.$/, [], ['tryAgain']],
  ['other', /^What the vendor said\.$/, [PICKER, COMMANDS.showLog], ['tryAgain']],
];

describe('the end of an answer', () => {
  for (const [kind, advice, commands, steps] of ADVICE) {
    it(`says what the vendor said of ${kind} and what helps, and offers it`, () => {
      const { message, buttons, next } = failed(kind, { isOwnModel: false });
      assert.match(message, advice);
      assert.equal(message.split('What the vendor said.').length, 2, message);
      assert.deepEqual(buttons, commands);
      assert.deepEqual(next, steps);
    });
  }

  it('offers to set the key for a model that it opens, and for no other', () => {
    assert.deepEqual(failed('auth', { isOwnModel: true }).buttons, [COMMANDS.setApiKey]);
    assert.deepEqual(failed('network', { isOwnModel: true }).buttons, []);
  });

  it('says that what was said is kept, and offers to go on, only where something was', () => {
    const kept = /What was said and done so far is kept/;
    const begun = failed('network', { isBegun: true });
    assert.match(begun.message, kept);
    assert.deepEqual(begun.next, ['continue']);
    assert.doesNotMatch(failed('network', {}).message, kept);
    assert.doesNotMatch(failed('overflow', { isBegun: true }).message, kept);
  });

  it('lets no word of a server act as a link', () => {
    const error = new ModelError('network', 'See [this](http://elsewhere.example).');
    const { result } = ended({ kind: 'failed', error }, {});
    assert.doesNotMatch(result.errorDetails?.message ?? '', /\]\(/);
  });

  it('lets the next request go on from a failed turn, but not from a refused one', () => {
    const { metadata } = failed('network', {});
    assert.deepEqual(metadata, { ...REF, nextSteps: [{ kind: 'tryAgain' }] });
    assert.deepEqual(failed('refused', {}).metadata, { noTurn: true, refused: true });
  });

  it('lets the next request go on from the work of a turn that was refused in the end', () => {
    const error = new ModelError('refused', 'Why.');
    const { result } = ended({ kind: 'failed', error }, { work: { files: ['x.ts'] } });
    assert.deepEqual(result.metadata, { ...REF, refused: true, files: ['x.ts'] });
    assert.match(result.errorDetails?.message ?? '', /^Why\.\n\nWhat it had done stays/);
  });

  it('says at the round limit how it can go on', () => {
    const { text, result } = ended({ kind: 'roundLimit', rounds: 7 }, {});
    assert.match(text, /I stopped after 7 rounds .*`memoryAgent\.maxRounds`\. Press \*Continue\*/);
    assert.deepEqual(result, { metadata: { ...REF, nextSteps: [{ kind: 'continue' }] } });
    assert.match(ended({ kind: 'roundLimit', rounds: 1 }, {}).text, /after one round of/);
  });

  it('says nothing of a turn that was completed or stopped', () => {
    const nothing = { completed: { ...REF, nextSteps: [] }, cancelled: REF };
    for (const kind of ['completed', 'cancelled'] as const) {
      const { text, result, buttons } = ended({ kind }, {});
      assert.deepEqual([text, buttons], ['', []]);
      assert.deepEqual(result, { metadata: nothing[kind] });
    }
  });
});

interface End {
  readonly isOwnModel?: boolean;
  readonly isBegun?: boolean;
  readonly work?: TurnResult['work'];
}

function failed(kind: ModelErrorKind, end: End) {
  const error = new ModelError(kind, 'What the vendor said.', { cause: new Error('{"a": 1}') });
  const { result, buttons } = ended({ kind: 'failed', error }, end);
  const { metadata } = result;
  return {
    message: result.errorDetails?.message ?? '',
    metadata,
    buttons: buttons.map(({ command }) => command),
    next: (metadata?.['nextSteps'] ?? []).map(({ kind: step }: NextStep) => step),
  };
}

function ended(outcome: Outcome, { isOwnModel = true, isBegun = false, work }: End) {
  const { response, text, buttons } = keptResponse();
  const result = { ref: REF, outcome, work, learning: undefined };
  const turn = { result, isOwnModel, isBegun, steps: [] };
  return { result: finishTurn(response, turn, silentLog), text: text(), buttons };
}
