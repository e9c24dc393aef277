import assert from 'node:assert/strict';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import type { Change } from '../../../../src/memory/change.ts';
import type { MemoryScopes } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { outcomesOf } from '../../../../src/vscode/notices/changeOutcomes.ts';
import { TABS } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

describe('outcomesOf', () => {
  const temp = useTempFolder();
  let store: MemoryStore;
  let scopes: MemoryScopes;

  beforeEach(() => {
    store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
    scopes = scopesOf(store);
  });

  it('tells of a memory saved, updated and renamed that it was saved, under its last name', async () => {
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { description: 'Tabs it is' });
    const renamed = await store.rename(updated.record, 'indentation');
    assert.deepEqual(told([created, updated, renamed]), ['created indentation']);
  });

  it('tells of a memory renamed and then updated that it was renamed, from its first name', async () => {
    const { record } = await store.create(TABS);
    const renamed = await store.rename(record, 'indentation');
    const updated = await store.update(renamed.record, { description: 'Tabs it is' });
    const outcomes = outcomesOf([renamed, updated]);
    assert.deepEqual(told([renamed, updated]), ['renamed indentation']);
    assert.ok(outcomes[0]?.kind === 'renamed' && outcomes[0].before.name === 'tabs');
  });

  it('tells of a move as one, in the place it went to', async () => {
    const { record } = await store.create(TABS);
    const changes = await scopes.move(record, scopes.personal);
    assert.deepEqual(told(changes), ['moved tabs']);
    assert.equal(outcomesOf(changes)[0]?.record.path, changes[0].record.path);
  });

  it('tells of a move as one when the name was taken there', async () => {
    await scopes.personal.store.create({ ...TABS, body: 'Another text.' });
    const { record } = await store.create(TABS);
    assert.deepEqual(told(await scopes.move(record, scopes.personal)), ['moved tabs-2']);
  });

  it('tells of files of one name in two scopes apart', async () => {
    const here = await store.create(TABS);
    const there = await scopes.personal.store.create(TABS);
    assert.deepEqual(told([here, there]), ['created tabs', 'created tabs']);
  });

  it('takes a memory deleted and another saved in the same folder for what they are', async () => {
    const { record } = await store.create(TABS);
    const removed = await store.remove(record, 'test');
    const created = await store.create({ ...TABS, name: 'other' });
    assert.deepEqual(told([removed, created]), ['removed tabs', 'created other']);
  });

  it('gives with each outcome the changes that led to it, so that it can be undone by itself', async () => {
    const created = await store.create(TABS);
    const updated = await store.update(created.record, { description: 'Tabs it is' });
    const renamed = await store.rename(updated.record, 'indentation');
    const other = await store.create({ ...TABS, name: 'other', body: 'Another text.' });
    const moved = await scopes.move(other.record, scopes.personal);
    const outcomes = outcomesOf([created, other, updated, ...moved, renamed]);
    assert.deepEqual(
      outcomes.map(({ changes }) => changes),
      [
        [other, ...moved],
        [created, updated, renamed],
      ],
    );
  });
});

function told(changes: readonly Change[]): readonly string[] {
  return outcomesOf(changes).map(({ kind, record }) => `${kind} ${record.name}`);
}
