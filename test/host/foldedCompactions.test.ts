import assert from 'node:assert/strict';
import type { TurnEvent } from '../../src/agent/events.ts';
import { followCompactions } from '../../src/vscode/foldedCompactions.ts';

const COMPACTED: TurnEvent = {
  type: 'compacted',
  stages: ['micro'],
  before: 20_000,
  after: 10_000,
  archive: '/folder/.transcripts/s.jsonl',
};
const CALL: TurnEvent = { type: 'toolStarted', id: 'a', name: 'bash' };

describe('the compactions of an answer', () => {
  const lineOf = (...events: readonly TurnEvent[]) => {
    const compactions = followCompactions();
    for (const event of events) compactions.follow(event);
    return compactions.line();
  };

  it('are told once more at its end when steps followed, which VS Code folds', () => {
    assert.equal(
      lineOf(COMPACTED, CALL),
      '\n\n_This conversation was compacted during this answer. The steps above tell how._',
    );
    assert.match(lineOf(COMPACTED, CALL, CALL, COMPACTED, CALL) ?? '', / compacted 2 times /);
  });

  it('are not told twice where they can be seen', () => {
    assert.equal(lineOf(CALL, COMPACTED), undefined);
    assert.equal(lineOf(CALL), undefined);
  });
});
