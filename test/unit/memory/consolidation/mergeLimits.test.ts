import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { applyConsolidation } from '../../../../src/memory/consolidation/consolidation.ts';
import {
  planConsolidation,
  type ConsolidationPlan,
} from '../../../../src/memory/consolidation/consolidationPlan.ts';
import { shareWithGit } from '../../../../src/memory/folder/gitSharing.ts';
import type { NewRecord } from '../../../../src/memory/record.ts';
import { useMemoryStore } from '../../../support/memoryFolder.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';

const NEVER = new AbortController().signal;
const SERVER = aProject('server', 'The server listens on port 8080.');
const PROXY = aProject('proxy', 'The server stands behind nginx.');
const BOTH = {
  ...aProject('server', 'The server listens on port 8080 and stands behind nginx.'),
  files: ['server.md', 'proxy.md'],
  reason: 'They belong together.',
};

describe('limits of a consolidation', () => {
  const at = useMemoryStore();

  async function plan(
    records: readonly NewRecord[],
    changeSet: object,
    unattended = true,
  ): Promise<ConsolidationPlan> {
    for (const record of records) await at.store.create(record);
    return planAgain(changeSet, unattended);
  }

  function planAgain(changeSet: object, unattended = true): Promise<ConsolidationPlan> {
    const answer = JSON.stringify(changeSet);
    const model = scriptedModel([answer, answer]);
    return planConsolidation({ store: at.store, model, log: silentLog, unattended }, NEVER);
  }

  it('keep what is private out of a memory that git takes', async () => {
    for (const record of [SERVER, PROXY]) await at.store.create(record);
    await shareWithGit(at.store.folder, 'server.md');
    const { changes, refused } = await planAgain({ merge: [BOTH] }, false);
    assert.deepEqual(changes, []);
    assert.match(
      String(refused[0]?.problem),
      /server\.md is shared with git and proxy\.md is private/,
    );
    await shareWithGit(at.store.folder, 'proxy.md');
    assert.equal((await planAgain({ merge: [BOTH] }, false)).changes.length, 1);
  });

  it('hold also when a memory was shared after it was planned', async () => {
    const { changes } = await plan([SERVER, PROXY], { merge: [BOTH] });
    await shareWithGit(at.store.folder, 'server.md');
    const applied = await applyConsolidation(changes, { store: at.store, log: silentLog });
    assert.deepEqual([changes.length, applied.changes, applied.left], [1, [], changes]);
  });

  it('keep what holds for good out of a memory that runs out', async () => {
    const records = [{ ...SERVER, expires: '2030-01-01' }, PROXY];
    const { changes, refused } = await plan(records, { merge: [BOTH] });
    assert.deepEqual(changes, []);
    assert.match(String(refused[0]?.problem), /run out at different times/);
  });

  it('let memories that run out on one day become one', async () => {
    const records = [SERVER, PROXY].map((record) => ({ ...record, expires: '2030-01-01' }));
    assert.equal((await plan(records, { merge: [BOTH] })).changes.length, 1);
  });

  it('leave what a person is like and wants what it is, so that it never runs out', async () => {
    const wish: NewRecord = { ...PROXY, type: 'feedback' };
    const { changes } = await plan([SERVER, wish], { merge: [BOTH] });
    assert.deepEqual(
      changes.map((change) => change.kind === 'merge' && change.fields.type),
      ['feedback'],
    );
  });

  const wish: NewRecord = { ...aProject('tabs', 'Indent with tabs.'), type: 'user' };
  const newer: NewRecord = { ...aProject('spaces', 'Indent with spaces now.'), type: 'user' };

  it('let nothing that only the person said go by itself', async () => {
    for (const supersededBy of [undefined, 'server.md']) {
      const retire = [{ file: 'tabs.md', reason: 'Of no use.', supersededBy }];
      const { changes, refused } = await plan([wish, SERVER, PROXY], { retire });
      assert.deepEqual(changes, []);
      assert.match(String(refused[0]?.problem), /only a person may retire it/);
    }
    const retire = [{ file: 'tabs.md', reason: 'Of no use.' }];
    assert.equal((await planAgain({ retire }, false)).changes.length, 1);
  });

  it('let go what another memory is about, and facts of a project', async () => {
    const retire = [
      { file: 'tabs.md', reason: 'Corrected.', supersededBy: 'spaces.md' },
      { file: 'server.md', reason: 'It was shut down.' },
    ];
    const { changes } = await plan([wish, newer, SERVER, PROXY], { retire });
    assert.equal(changes.length, 2);
  });
});

function aProject(name: string, body: string): NewRecord {
  return { name, description: 'A note', type: 'project', body };
}
