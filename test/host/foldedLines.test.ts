import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Todo, TurnEvent } from '../../src/agent/events.ts';
import { followFoldedLines } from '../../src/vscode/chat/foldedLines.ts';
import { aRecord } from '../support/records.ts';

const COMPACTED: TurnEvent = {
  type: 'compacted',
  stages: ['micro'],
  before: 20_000,
  after: 10_000,
  archive: '/folder/.transcripts/s.jsonl',
};
const CALL: TurnEvent = { type: 'toolStarted', id: 'a', name: 'bash' };
const RECALLED: TurnEvent = {
  type: 'recalled',
  receipt: {
    total: 1,
    chosenBy: { kind: 'all' },
    recalled: [
      {
        record: aRecord({ name: 'tabs' }),
        reason: { kind: 'all' },
        tokens: 90,
        isStanding: false,
      },
    ],
    leftOut: [],
    tokens: 90,
    lateAnswers: 0,
  },
};

describe('the end of an answer', () => {
  const linesOf = (...events: readonly TurnEvent[]) => {
    const folded = followFoldedLines();
    for (const event of events) folded.follow(event);
    return folded
      .lines()
      .map((line) => (line instanceof vscode.MarkdownString ? line.value : line))
      .join('');
  };

  it('tells once more of compactions before further steps, which VS Code folds', () => {
    assert.equal(
      linesOf(COMPACTED, CALL),
      '\n\n_This conversation was compacted during this answer. The steps above tell how._',
    );
    assert.match(linesOf(COMPACTED, CALL, CALL, COMPACTED, CALL), / compacted 2 times /);
  });

  it('tells once more what was recalled when steps followed', () => {
    assert.match(linesOf(RECALLED, CALL, COMPACTED, CALL), /^\n\n\[Recalled [^]*compacted/);
  });

  it('tells how the checklist stands when further steps, or only what moved, followed it', () => {
    const [first, second] = [todos('in_progress', 'pending'), todos('completed', 'pending')];
    assert.equal(
      linesOf(CALL, first, CALL),
      '\n\n**Checklist: 0 of 2 done**\n\n- [ ] **Look** (in progress)\n- [ ] Mend\n\n',
    );
    assert.match(linesOf(CALL, first, CALL, second), /Checklist: 1 of 2 done/);
    assert.equal(linesOf(CALL, first, CALL, { type: 'todos', todos: [] }), '');
  });

  it('tells of a long checklist what is at hand', () => {
    const list = Array.from({ length: 50 }, (_, index): Todo => {
      const status = index < 20 ? 'completed' : index === 20 ? 'in_progress' : 'pending';
      return { content: `Step ${index}`, status };
    });
    assert.equal(
      linesOf(CALL, { type: 'todos', todos: list }, CALL),
      '\n\n**Checklist: 20 of 50 done**\n\n- [ ] **Step 20** (in progress)\n- [ ] Step 21\n\n',
    );
  });

  it('repeats nothing that can be seen', () => {
    assert.equal(linesOf(CALL, COMPACTED), '');
    assert.equal(linesOf(CALL), '');
    const first = todos('in_progress', 'pending');
    assert.equal(linesOf(CALL, first), '');
    // All of it moved, so all of it was shown again.
    assert.equal(linesOf(CALL, first, CALL, todos('completed', 'in_progress')), '');
    assert.equal(linesOf(RECALLED), '');
  });
});

function todos(first: Todo['status'], second: Todo['status']): TurnEvent {
  const list = [
    { content: 'Look', status: first },
    { content: 'Mend', status: second },
  ];
  return { type: 'todos', todos: list };
}
