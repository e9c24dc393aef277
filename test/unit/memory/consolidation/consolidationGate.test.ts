import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { applyConsolidation } from '../../../../src/memory/consolidation/consolidation.ts';
import { isConsolidationDue } from '../../../../src/memory/consolidation/consolidationGate.ts';
import { planConsolidation } from '../../../../src/memory/consolidation/consolidationPlan.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { CHANGES, RECORDS } from '../../../support/consolidationCase.ts';
import { newRecord } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const never = new AbortController().signal;

describe('isConsolidationDue', () => {
  const temp = useTempFolder();
  const newStore = () =>
    new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
  const isDue = (store = newStore()) => isConsolidationDue(store, silentLog);

  /** Looks through ten records, with an answer. */
  async function lookedThrough(answer: object): Promise<MemoryStore> {
    const store = newStore();
    await store.createAll(RECORDS);
    const model = scriptedModel([JSON.stringify(answer)]);
    const options = { store, model, log: silentLog, unattended: true };
    const { changes } = await planConsolidation(options, never);
    await applyConsolidation(changes, { store, log: silentLog });
    return store;
  }

  it('is not, and makes nothing, where there is no folder', async () => {
    assert.equal(await isDue(), false);
    assert.deepEqual(await fs.readdir(temp.path), []);
  });

  it('is from ten records on', async () => {
    await newStore().createAll(RECORDS.slice(1));
    assert.equal(await isDue(), false);
    await newStore().create(RECORDS[0]!);
    assert.equal(await isDue(), true);
  });

  it('is again when five records have changed since, also after a reload', async () => {
    const store = await lookedThrough({});
    assert.equal(await isDue(), false);
    for (const name of ['a', 'b', 'c', 'd']) await store.create(newRecord(name));
    const { records } = await store.list();
    const a = records.find(({ file }) => file === 'a.md')!;
    await store.update(a, { body: 'Changed twice, and one record all the same.' });
    assert.equal(await isDue(), false);
    await store.create(newRecord('e'));
    assert.equal(await isDue(), true);
  });

  it('does not count what a consolidation changed, nor what was removed or undone', async () => {
    const store = await lookedThrough(CHANGES);
    for (const name of ['a', 'b', 'c', 'd']) await store.create(newRecord(name));
    assert.deepEqual([...(await store.consolidations.changed())], ['a.md', 'b.md', 'c.md', 'd.md']);
    const e = await store.create(newRecord('e'));
    await store.undo(e);
    const f = await store.create(newRecord('f'));
    await store.remove(f.record, 'test');
    assert.equal(await isDue(), false);
  });

  it('counts what was changed while the model thought', async () => {
    const store = newStore();
    await store.createAll(RECORDS);
    const model = scriptedModel([
      async () => {
        await newStore().createAll(['a', 'b', 'c', 'd', 'e'].map((name) => newRecord(name)));
        return '{}';
      },
    ]);
    await planConsolidation({ store, model, log: silentLog, unattended: true }, never);
    assert.equal(await isDue(), true);
  });

  it('counts what was changed while the model thought also when the trash was emptied then', async () => {
    const store = newStore();
    await store.createAll(RECORDS);
    const model = scriptedModel([
      async () => {
        await newStore().createAll(['a', 'b', 'c', 'd', 'e'].map((name) => newRecord(name)));
        await newStore().emptyTrash();
        return '{}';
      },
    ]);
    await planConsolidation({ store, model, log: silentLog, unattended: true }, never);
    assert.equal(await isDue(), true);
  });

  it('counts on when the trash was emptied', async () => {
    const store = await lookedThrough({});
    for (const name of ['a', 'b', 'c', 'd']) await store.create(newRecord(name));
    await store.emptyTrash();
    assert.equal(await isDue(), false);
    await store.create(newRecord('e'));
    assert.equal(await isDue(), true);
  });

  it('is not while another window is at it', async () => {
    const store = newStore();
    await store.createAll(RECORDS);
    await newStore().consolidations.alone(async () => assert.equal(await isDue(store), false));
    assert.equal(await isDue(store), true);
  });
});

describe('the authors of memories', () => {
  const temp = useTempFolder();
  const folder = () => path.join(temp.path, '.memory');
  const newStore = () => new MemoryStore({ folder: folder(), log: silentLog });

  /** The files whose text is ours, as a window that opens now sees it. */
  async function ours(): Promise<readonly string[]> {
    const store = newStore();
    const { isOurs } = await store.consolidations.authors();
    return (await store.list()).records.filter(isOurs).map(({ file }) => file);
  }

  async function find(file: string) {
    return (await newStore().list()).records.find((record) => record.file === file)!;
  }

  const byHand = () => fs.appendFile(path.join(folder(), 'a.md'), 'By hand.\n');

  it('are we, of what we wrote, renamed and brought back', async () => {
    const store = newStore();
    await store.createAll([newRecord('a'), newRecord('b'), newRecord('c')]);
    await store.update(await find('a.md'), { body: 'Another.' });
    await store.rename(await find('b.md'), 'd');
    await store.remove(await find('c.md'), 'test');
    await store.restore((await store.trashed()).find(({ file }) => file === 'c.md')!);
    assert.deepEqual(await ours(), ['a.md', 'c.md', 'd.md']);
    await store.undoGroup((await store.lastGroup())!);
    assert.deepEqual(await ours(), ['a.md', 'd.md']);
  });

  it('are others, of what was edited, came with a clone, or was copied by hand', async () => {
    await newStore().createAll([newRecord('a'), newRecord('b')]);
    await byHand();
    await fs.copyFile(path.join(folder(), 'b.md'), path.join(folder(), 'copy.md'));
    await fs.writeFile(
      path.join(folder(), 'cloned.md'),
      '---\nname: cloned\ntype: user\n---\n\nX.\n',
    );
    assert.deepEqual(await ours(), ['b.md']);
  });

  it('stay others when we pin, rename or bring back what they wrote', async () => {
    const store = newStore();
    await store.create(newRecord('a'));
    await byHand();
    await store.update(await find('a.md'), { pinned: true });
    assert.deepEqual(await ours(), []);
    await store.rename(await find('a.md'), 'b');
    assert.deepEqual(await ours(), []);
    await store.remove(await find('b.md'), 'test');
    await store.restore((await store.trashed()).find(({ file }) => file === 'b.md')!);
    assert.deepEqual(await ours(), []);
  });

  it('stay others when what they wrote is moved here from another scope', async () => {
    const store = newStore();
    const personal = new MemoryStore({ folder: path.join(temp.path, 'personal'), log: silentLog });
    const scopes = scopesOf(store, personal);
    const text = '---\nname: a\ntype: user\n---\n\nBy hand.\n';
    await writeTree(temp.path, { 'personal/a.md': text });
    const [record] = (await personal.list()).records;
    await scopes.move(record!, scopes.workspace[0]!);
    assert.deepEqual(await ours(), []);
  });

  it('are we again of what a person had consolidated, and they when that is undone', async () => {
    const store = newStore();
    await store.createAll([newRecord('a'), newRecord('b')]);
    await byHand();
    const update = { ...newRecord('a', 'About a, by hand, in one sentence.'), file: 'a.md' };
    const model = scriptedModel([JSON.stringify({ update: [update] })]);
    const options = { store, model, log: silentLog, unattended: false };
    const { changes } = await planConsolidation(options, never);
    await applyConsolidation(changes, { store, log: silentLog });
    assert.deepEqual(await ours(), ['a.md', 'b.md']);
    await store.undoGroup((await store.lastGroup())!);
    assert.deepEqual(await ours(), ['b.md']);
  });

  it('are known after the trash was emptied', async () => {
    const store = newStore();
    await store.createAll([newRecord('a'), newRecord('b'), newRecord('c')]);
    await byHand();
    await store.remove(await find('c.md'), 'test');
    await store.emptyTrash();
    assert.deepEqual(await ours(), ['b.md']);
    const journal = await fs.readFile(path.join(folder(), '.trash', 'journal.jsonl'), 'utf8');
    assert.doesNotMatch(journal, /c\.md/);
  });
});
