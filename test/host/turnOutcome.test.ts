import assert from 'node:assert/strict';
import type { Outcome } from '../../src/agent/loop.ts';
import type { TurnResult } from '../../src/agent/turn.ts';
import { silentLog } from '../../src/base/log.ts';
import { COMMANDS } from '../../src/manifest.ts';
import { ModelError, type ModelErrorKind } from '../../src/models/model.ts';
import { finishTurn } from '../../src/vscode/chat/turnOutcome.ts';
import { keptResponse } from '../support/chatResponse.ts';

const REF = { sessionId: 's', turnId: 't' };

/** What helps, by kind, when a model of another vendor fails. */
const ADVICE: readonly (readonly [ModelErrorKind, RegExp])[] = [
  ['auth', /sign in to its provider again, or pick another model/],
  ['rateLimit', /Wait a while, or pick another model/],
  ['overloaded', /Wait a few minutes, or pick another model/],
  ['overflow', /Start a new chat/],
  ['refused', /put it in other words, or pick another model/],
  ['network', /What is shown of it is kept, and you can ask to go on/],
  ['other', /^What the vendor said\.$/],
];

describe('the end of an answer', () => {
  for (const [kind, advice] of ADVICE) {
    it(`says what helps against ${kind}, and what the vendor said`, () => {
      const { message } = failed(kind, { isOwnModel: false });
      assert.match(message, advice);
      assert.match(message, /What the vendor said\./);
    });
  }

  it('offers to set the key for a model that it opens, and for no other', () => {
    const commands = (isOwnModel: boolean) =>
      failed('auth', { isOwnModel }).buttons.map(({ command }) => command);
    assert.deepEqual(commands(true), [COMMANDS.setApiKey]);
    assert.deepEqual(commands(false), []);
    assert.deepEqual(failed('network', { isOwnModel: true }).buttons, []);
  });

  it('lets the next request go on from a failed turn, but not from a refused one', () => {
    assert.deepEqual(failed('network', {}).metadata, { ...REF, outcome: 'failed' });
    assert.deepEqual(failed('refused', {}).metadata, {
      noTurn: true,
      refused: true,
      outcome: 'failed',
    });
  });

  it('lets the next request go on from the work of a turn that was refused in the end', () => {
    const error = new ModelError('refused', 'Why.');
    const { result } = ended({ kind: 'failed', error }, true, { files: ['x.ts'] });
    assert.deepEqual(result.metadata, {
      ...REF,
      refused: true,
      files: ['x.ts'],
      outcome: 'failed',
    });
    assert.match(result.errorDetails?.message ?? '', /What it had done stays.*\(Why\.\)$/);
  });

  it('says at the round limit how it can go on', () => {
    const { text, result } = ended({ kind: 'roundLimit', rounds: 7 }, true);
    assert.match(text, /I stopped after 7 rounds .*`memoryAgent\.maxRounds`\. Press \*Continue\*/);
    assert.deepEqual(result, { metadata: { ...REF, outcome: 'roundLimit' } });
    assert.match(ended({ kind: 'roundLimit', rounds: 1 }, true).text, /after one round of/);
  });

  it('says nothing of a turn that was completed or stopped', () => {
    for (const kind of ['completed', 'cancelled'] as const) {
      const { text, result, buttons } = ended({ kind }, true);
      assert.deepEqual([text, buttons], ['', []]);
      assert.deepEqual(result, { metadata: { ...REF, outcome: kind } });
    }
  });
});

function failed(kind: ModelErrorKind, { isOwnModel = true }: { readonly isOwnModel?: boolean }) {
  const error = new ModelError(kind, 'What the vendor said.');
  const { result, buttons } = ended({ kind: 'failed', error }, isOwnModel);
  return { message: result.errorDetails?.message ?? '', metadata: result.metadata, buttons };
}

function ended(outcome: Outcome, isOwnModel: boolean, work?: TurnResult['work']) {
  const { response, text, buttons } = keptResponse();
  const turn = { result: { ref: REF, outcome, work, learning: undefined }, isOwnModel };
  const result = finishTurn(response, turn, silentLog);
  return { result, text: text(), buttons };
}
