import assert from 'node:assert/strict';
import path from 'node:path';
import type { TurnEvent } from '../../../src/agent/events.ts';
import { runTurn, type TurnRequest } from '../../../src/agent/turn.ts';
import { silentLog } from '../../../src/base/log.ts';
import { LateAnswers } from '../../../src/memory/recall/lateAnswers.ts';
import type { ApproveRecall, RecallOffer } from '../../../src/memory/recall/recallReview.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { ModelError, type Message } from '../../../src/models/model.ts';
import { newRecord } from '../../support/records.ts';
import { scopesOf } from '../../support/scopes.ts';
import { scriptedModel, type Step } from '../../support/scriptedModel.ts';
import { useTempFolder } from '../../support/tempFolder.ts';
import { turnDeps, turnRequest } from '../../support/turnRequests.ts';

const LONG = 'x'.repeat(7_900);

describe('recall in a turn', () => {
  const folder = useTempFolder();

  function setUp(side: readonly Step[] = []) {
    const storeIn = (name: string) =>
      new MemoryStore({ folder: path.join(folder.path, name), log: silentLog });
    const [store, other] = [storeIn('.memory'), storeIn('other')];
    const scopes = scopesOf(store);
    const deps = turnDeps(folder.path, scopes);
    const model = scriptedModel(['1', '2', '3', '4']);
    const utilityModel = scriptedModel(side);
    const controller = new AbortController();
    const run = async (text: string, more: Partial<TurnRequest> = {}) => {
      const events: TurnEvent[] = [];
      const result = await runTurn(
        deps,
        turnRequest({
          text,
          model,
          utilityModel,
          folders: [folder.path],
          extraction: 'off',
          ...more,
        }),
        (event) => events.push(event),
        controller.signal,
      );
      const receipts = events.flatMap((event) => (event.type === 'recalled' ? event.receipt : []));
      return { ...result, receipts, receipt: receipts[0], sent: contextOf(model.requests.at(-1)) };
    };
    return { store, other, scopes, model, utilityModel, controller, run };
  }

  it('comes with a receipt: what of how many, why, at what cost, and who chose', async () => {
    const { store, run } = setUp();
    const { record } = await store.create(newRecord('tabs', 'Use tabs.'));
    const { receipt, sent } = await run('go');
    assert.deepEqual(receipt && { ...receipt, tokens: 0, recalled: receipt.recalled.length }, {
      total: 1,
      chosenBy: { kind: 'all' },
      recalled: 1,
      leftOut: [],
      tokens: 0,
      lateAnswers: 0,
    });
    const [entry] = receipt?.recalled ?? [];
    assert.deepEqual(
      [entry?.record.path, entry?.reason, entry?.isStanding],
      [record.path, { kind: 'all' }, false],
    );
    assert.ok(entry && receipt && entry.tokens > 10 && entry.tokens < receipt.tokens);
    assert.ok(receipt.tokens < sent.length / 3);
  });

  it('tells of a record that stands in the chat that it costs nothing new', async () => {
    const { store, run } = setUp();
    await store.create(newRecord('tabs'));
    const first = await run('one');
    const { receipt } = await run('two', { previous: first.ref });
    assert.deepEqual([receipt?.tokens, receipt?.recalled[0]?.isStanding], [0, true]);
  });

  it('tells of a record that has changed, recalled or not', async () => {
    const { store, run } = setUp(['{"relevant":[]}']);
    const { record } = await store.create(newRecord('tabs'));
    const first = await run('one');
    for (let number = 0; number < 6; number++) await store.create(newRecord(`more-${number}`));
    await store.update(record, { body: 'Use tabs of width 3.' });
    const { receipt, sent } = await run('two', { previous: first.ref });
    assert.deepEqual(
      receipt?.recalled.map(({ record: { name }, reason, isStanding }) => [
        name,
        reason.kind,
        isStanding,
      ]),
      [['tabs', 'changed', false]],
    );
    assert.match(sent, /width 3/);
  });

  it('tells that nothing bears on the request, and nothing where there are no memories', async () => {
    const { store, run } = setUp(['{"relevant":[]}']);
    assert.deepEqual((await run('go')).receipts, []);
    for (let number = 0; number < 6; number++) await store.create(newRecord(`note-${number}`));
    const { receipt, sent } = await run('go');
    assert.deepEqual([receipt?.total, receipt?.recalled, receipt?.tokens, sent], [6, [], 0, '']);
  });

  it('names what does not fit, to the model and in the receipt', async () => {
    const { store, run } = setUp(['{"relevant":[0,1,2]}']);
    for (const name of ['a', 'b', 'c']) await store.create(newRecord(name, LONG));
    const { receipt, sent } = await run('go');
    assert.deepEqual(
      receipt?.recalled.map(({ record }) => record.name),
      ['a', 'b'],
    );
    assert.deepEqual(
      receipt.leftOut.map(({ record }) => record.name),
      ['c'],
    );
    assert.match(sent, /did not fit.*: c \(\.memory\/c\.md\)$/m);
  });

  it('tells the model which memories are personal, and of several folders which one it is', async () => {
    const { store, other, scopes, run } = setUp();
    await store.create(newRecord('tabs'));
    await scopes.personal.store.create(newRecord('quotes'));
    assert.match(
      (await run('go')).sent,
      /^## tabs \(user, \w+ \w+\)$[^]*^## quotes \(user, personal, /m,
    );
    await other.create(newRecord('ports'));
    scopes.setWorkspace([...scopes.workspace, { kind: 'workspace', name: 'api', store: other }]);
    assert.match((await run('go')).sent, /^## tabs \(user, work, [^]*^## ports \(user, api, /m);
  });

  it('leaves out what says itself that it is over, from the index too, and takes it back', async () => {
    const { store, model, run } = setUp();
    const offer = { ...newRecord('offer', 'Sale.'), type: 'project' } as const;
    const { record } = await store.create({ ...offer, expires: '2026-03-03T00:00:00.000Z' });
    const { receipts, sent } = await run('go');
    assert.deepEqual([receipts, sent], [[], '']);
    assert.doesNotMatch(model.requests[0]?.system ?? '', /offer/);
    await store.remove(record, 'test');
    const { record: lasting } = await store.create(offer);
    const first = await run('go');
    await store.remove(lasting, 'test');
    await store.create({ ...offer, expires: '2026-03-03T00:00:00.000Z' });
    const second = await run('on', { previous: first.ref });
    assert.match(second.sent, /The memory offer shown above no longer holds/);
  });

  it('counts late answers in the receipt', async () => {
    const { store, run } = setUp(['{"relevant":[]}']);
    for (let number = 0; number < 6; number++) await store.create(newRecord(`note-${number}`));
    const lateAnswers = new LateAnswers();
    lateAnswers.tellLate();
    assert.equal((await run('go', { lateAnswers })).receipt?.lateAnswers, 1);
  });

  it('makes no call, no words, no index and no event when it is off', async () => {
    const { store, model, utilityModel, run } = setUp();
    await store.create(newRecord('tabs'));
    const { receipts, sent } = await run('go', { recall: 'off', extraction: 'off' });
    assert.deepEqual([receipts, sent, utilityModel.requests], [[], '', []]);
    const [, ...sections] = model.requests[0]?.system.split('\n\n') ?? [];
    assert.doesNotMatch(sections.join('\n').replaceAll(folder.path, ''), /memor|remember/i);
    assert.ok(sections.length > 0);
  });

  describe('under review', () => {
    /** Approves those of these names, and keeps what was asked. */
    const approving = (...names: readonly string[]) => {
      const asked: RecallOffer[] = [];
      const approveRecall: ApproveRecall = async (proposal) => {
        asked.push(proposal);
        return [...proposal.proposed, ...proposal.leftOut]
          .map(({ record }) => record)
          .filter(({ name }) => names.includes(name));
      };
      return { asked, review: { recall: 'review', approveRecall } as const };
    };

    it('sends what the person approved, and no index', async () => {
      const { store, model, run } = setUp();
      await store.create(newRecord('tabs'));
      await store.create(newRecord('quotes'));
      const { asked, review } = approving('tabs');
      const { receipt, sent } = await run('go', review);
      assert.deepEqual(
        asked.map(({ proposed }) => proposed.map(({ record, reason }) => [record.name, reason])),
        [
          [
            ['quotes', { kind: 'all' }],
            ['tabs', { kind: 'all' }],
          ],
        ],
      );
      assert.deepEqual(
        receipt?.recalled.map(({ record }) => record.name),
        ['tabs'],
      );
      assert.match(sent, /About tabs/);
      assert.doesNotMatch(JSON.stringify(model.requests), /quotes/);
    });

    it('sends nothing when the person approves nothing, or cannot be asked', async () => {
      const { store, model, run } = setUp();
      await store.create(newRecord('tabs'));
      assert.equal((await run('go', approving().review)).sent, '');
      assert.equal((await run('go', { recall: 'review' })).sent, '');
      assert.doesNotMatch(JSON.stringify(model.requests), /tabs/);
    });

    it('asks only when something new would be sent', async () => {
      const { store, run } = setUp();
      await store.create(newRecord('tabs'));
      const { asked, review } = approving('tabs');
      const first = await run('one', review);
      const { receipt } = await run('two', { ...review, previous: first.ref });
      assert.equal(asked.length, 1);
      assert.equal(receipt?.recalled[0]?.isStanding, true);
    });

    it('asks about a standing text that has changed, and without consent takes it back', async () => {
      const { store, run } = setUp();
      const { record } = await store.create(newRecord('tabs'));
      const first = await run('one', approving('tabs').review);
      const second = await store.update(record, { body: 'Width 3.' });
      const yes = approving('tabs');
      const agreed = await run('two', { ...yes.review, previous: first.ref });
      assert.match(agreed.sent, /has changed since[^]*Width 3\./);
      assert.equal(yes.asked.length, 1);

      await store.update(second.record, { body: 'Width 5.' });
      const refused = await run('three', { ...approving().review, previous: agreed.ref });
      assert.match(refused.sent, /The memory tabs shown above no longer holds/);
      assert.doesNotMatch(refused.sent, /Width 5/);
      assert.deepEqual(refused.receipt?.recalled, []);
    });

    it('offers what did not fit, sends it when it is wanted, and names it nowhere else', async () => {
      const { store, utilityModel, run } = setUp();
      for (const name of ['a', 'b', 'c']) await store.create(newRecord(name, `Port. ${LONG}`));
      const without = approving('a');
      const first = await run('which port?', without.review);
      // The catalogue would be sent before the person has seen any of it.
      assert.deepEqual(utilityModel.requests, []);
      assert.deepEqual(
        without.asked[0]?.leftOut.map(({ record }) => record.name),
        ['c'],
      );
      assert.doesNotMatch(first.sent, /c\.md/);
      assert.deepEqual(
        first.receipt?.leftOut.map(({ record }) => record.name),
        ['c'],
      );
      const { sent, receipt } = await run('which port?', approving('a', 'c').review);
      assert.match(sent, /^## c \(/m);
      assert.deepEqual(receipt?.leftOut, []);
    });

    it('ends as cancelled when the turn is stopped while the person is asked', async () => {
      const { store, model, controller, run } = setUp();
      await store.create(newRecord('tabs'));
      const { outcome, receipts } = await run('go', {
        recall: 'review',
        approveRecall: async () => {
          controller.abort();
          throw new ModelError('cancelled', 'Cancelled.');
        },
      });
      assert.deepEqual([outcome, receipts, model.requests], [{ kind: 'cancelled' }, [], []]);
    });
  });
});

/** What stands in front of the newest words of the person. */
function contextOf(request: { readonly messages: readonly Message[] } | undefined): string {
  const [block] = request?.messages.at(-1)?.content ?? [];
  return block?.type === 'context' ? block.text : '';
}
