import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RecallOffer } from '../../src/memory/recall/recallReview.ts';
import { approveRecall } from '../../src/vscode/chat/approveRecall.ts';
import { useListStub, type ShownList } from '../support/listStubs.ts';
import { aRecord } from '../support/records.ts';

const modified = Date.now() - 3 * 24 * 60 * 60 * 1000;
const tabs = aRecord({ name: 'tabs', description: 'Use $(tab) [tabs](x)', modified });
const quotes = aRecord({ name: '引号', description: '用单引号', modified });
const long = aRecord({ name: 'long', modified });

const PROPOSAL: RecallOffer = {
  proposed: [
    { record: tabs, reason: { kind: 'words', words: ['tabs', 'indent'] } },
    { record: quotes, reason: { kind: 'changed' } },
  ],
  leftOut: [{ record: long, reason: { kind: 'model' } }],
};
const never = new AbortController().signal;

describe('choosing what may be sent', () => {
  const withList = useListStub();

  it('shows what was chosen ticked, with why and how old, and below it what did not fit', async () => {
    let shown: Pick<ShownList, 'items' | 'selectedItems'> | undefined;
    withList((list) => {
      shown = { items: list.items, selectedItems: list.selectedItems };
      list.accept();
    });
    assert.deepEqual(await approveRecall(PROPOSAL, never), [tabs, quotes]);
    assert.deepEqual(
      shown?.items.map(({ label, description, detail }) => [label, description, detail]),
      [
        [
          'tabs',
          'Use $\u2060(tab) [tabs]\u2060(x)',
          'shares the words “tabs”, “indent” · 3 days ago',
        ],
        ['引号', '用单引号', 'has changed since it was shown in this chat · 3 days ago'],
        ['Bears on the request too', undefined, undefined],
        ['long', 'About long', 'chosen by the model for this request · 3 days ago'],
      ],
    );
    assert.deepEqual(shown.selectedItems, shown.items.slice(0, 2));
  });

  it('returns what is ticked on Enter, also what did not fit', async () => {
    withList((list) => {
      list.select(...list.items.filter(({ label }) => label === 'tabs' || label === 'long'));
      list.accept();
    });
    assert.deepEqual(await approveRecall(PROPOSAL, never), [tabs, long]);
  });

  it('returns nothing when the person leaves', async () => {
    withList((list) => list.leave());
    assert.deepEqual(await approveRecall(PROPOSAL, never), []);
  });

  it('goes away and ends as cancelled when the turn is stopped', async () => {
    const controller = new AbortController();
    let hidden = false;
    withList((list) => {
      list.onDidHide(() => {
        hidden = true;
      });
      controller.abort();
    });
    await assert.rejects(approveRecall(PROPOSAL, controller.signal), {
      name: 'ModelError',
      kind: 'cancelled',
    });
    assert.ok(hidden);
  });

  it('does not ask in a turn that was stopped before', async () => {
    withList(() => assert.fail('the person was asked'));
    await assert.rejects(approveRecall(PROPOSAL, AbortSignal.abort()), { kind: 'cancelled' });
  });

  it('takes VS Code’s own list', async () => {
    const controller = new AbortController();
    const asking = approveRecall(PROPOSAL, controller.signal);
    controller.abort();
    await assert.rejects(asking, { kind: 'cancelled' });
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  });
});
