import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { silentLog } from '../../../src/base/log.ts';
import { AlreadyUndoneError, StaleRecordError } from '../../../src/memory/change.ts';
import { MemoryScopes, type Scope } from '../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { TABS } from '../../support/records.ts';
import { undoLast } from '../../support/scopes.ts';
import { readTree, useTempFolder } from '../../support/tempFolder.ts';

describe('MemoryScopes', () => {
  const temp = useTempFolder();
  let active: string | undefined;
  /** Each change has a time of its own, so that it is clear which was the last. */
  let changes: number;
  let app: Scope;
  let lib: Scope;
  let scopes: MemoryScopes;

  beforeEach(() => {
    active = undefined;
    changes = 0;
    app = { kind: 'workspace', name: 'app', store: storeIn('app/.memory') };
    lib = { kind: 'workspace', name: 'lib', store: storeIn('lib/.memory') };
    scopes = new MemoryScopes({ personal: storeIn('personal'), activeFolder: () => active });
    scopes.setWorkspace([app, lib]);
  });

  function storeIn(folder: string): MemoryStore {
    const now = () => new Date(changes++);
    return new MemoryStore({ folder: path.join(temp.path, folder), log: silentLog, now });
  }

  const paths = async () =>
    (await scopes.list()).records.map((record) => path.relative(temp.path, record.path));

  it('lists the folders in their order, the personal memories last', async () => {
    await scopes.personal.store.create(TABS);
    await lib.store.create(TABS);
    await app.store.create({ ...TABS, name: 'quotes' });
    await fs.writeFile(path.join(lib.store.folder, 'bad.md'), 'no front matter');
    assert.deepEqual(await paths(), [
      'app/.memory/quotes.md',
      'lib/.memory/tabs.md',
      'personal/tabs.md',
    ]);
    const { damaged } = await scopes.list();
    assert.deepEqual(
      damaged.map((each) => scopes.scopeOf(each)?.name),
      ['lib'],
    );
  });

  it('puts a new record into the folder that the person works in, else the first', async () => {
    active = lib.store.folder;
    await scopes.create(TABS);
    active = path.join(temp.path, 'elsewhere');
    await scopes.create({ ...TABS, name: 'quotes' });
    assert.deepEqual(await paths(), ['app/.memory/quotes.md', 'lib/.memory/tabs.md']);
  });

  it('puts a new record among the personal ones when no folder is open', async () => {
    scopes.setWorkspace([]);
    await scopes.create(TABS);
    assert.deepEqual(await paths(), ['personal/tabs.md']);
  });

  it('changes a record where it lies, though another scope has a file of its name', async () => {
    await app.store.create(TABS);
    const { record } = await scopes.personal.store.create(TABS);
    await scopes.update(record, { body: 'Mine.' });
    const { records } = await scopes.list();
    assert.deepEqual(
      records.map(({ body }) => body),
      ['Use tabs.', 'Mine.'],
    );
    await scopes.remove(records[0]!, 'deleted');
    assert.deepEqual(await paths(), ['personal/tabs.md']);
  });

  it('says so when the folder of a record is no longer open', async () => {
    const { record } = await lib.store.create(TABS);
    scopes.setWorkspace([app]);
    await assert.rejects(scopes.update(record, { body: 'x' }), /tabs\.md .* no longer open/);
  });

  describe('move', () => {
    it('carries the file over byte for byte, and undo brings it back', async () => {
      const text = '---\r\ntype: user # mine\r\nodd: [1, 2]\r\n---\r\nBody without an end';
      await fs.mkdir(app.store.folder, { recursive: true });
      await fs.writeFile(path.join(app.store.folder, 'odd.md'), text);
      const [record] = (await app.store.list()).records;
      const [added, removed] = await scopes.move(record!, scopes.personal);
      assert.deepEqual([added.kind, removed.kind], ['created', 'removed']);
      assert.deepEqual(await paths(), ['personal/odd.md']);
      assert.equal(await fs.readFile(added.record.path, 'utf8'), text);

      const undone = await undoLast(scopes);
      assert.equal(undone?.steps.length, 2);
      assert.deepEqual(await paths(), ['app/.memory/odd.md']);
      assert.equal(await fs.readFile(record!.path, 'utf8'), text);
    });

    it('is not taken back by half, in a window without the folder that the record came from', async () => {
      await scopes.personal.store.create({ ...TABS, name: 'quotes' });
      const { record } = await app.store.create(TABS);
      await scopes.move(record, scopes.personal);
      scopes.setWorkspace([lib]);
      // What was changed before it still is.
      assert.equal((await undoLast(scopes))?.steps.length, 1);
      assert.equal(await undoLast(scopes), undefined);
      assert.deepEqual(await paths(), ['personal/tabs.md']);
      scopes.setWorkspace([app]);
      assert.equal((await undoLast(scopes))?.steps.length, 2);
      assert.deepEqual(await paths(), ['app/.memory/tabs.md']);
    });

    it('of several is taken back by no half, whichever folder is not open', async () => {
      const created = await app.store.createAll([TABS, { ...TABS, name: 'quotes' }]);
      const records = created.map(({ record }) => record);
      const { done } = await scopes.moveAll(records, lib, 'move');
      for (const open of [app, lib]) {
        scopes.setWorkspace([open]);
        const before = await readTree(temp.path);
        await assert.rejects(
          scopes.undoChange({ id: 'move' }),
          /tabs\.md was moved to or from a folder that is not open here\. Open that folder too/,
        );
        const kept = await scopes.undoAll(done.flat());
        assert.equal(kept.length, 2);
        assert.match(String(kept[0]?.error), /belongs to a folder that is no longer open/);
        assert.deepEqual(await readTree(temp.path), before);
      }
      scopes.setWorkspace([app, lib]);
      assert.deepEqual(await scopes.undoAll(done.flat()), []);
      assert.deepEqual(await paths(), ['app/.memory/quotes.md', 'app/.memory/tabs.md']);
    });

    it('of several is not taken back for some of them, where one of their folders is not open', async () => {
      for (const { store } of [app, lib]) await store.create(TABS);
      const { records } = await scopes.list();
      await scopes.moveAll(records, scopes.personal, 'move');
      scopes.setWorkspace([lib]);
      const before = await readTree(temp.path);
      await assert.rejects(scopes.undoChange({ id: 'move' }), /was moved to or from a folder/);
      assert.deepEqual(await readTree(temp.path), before);
      assert.notEqual((await scopes.lastChange())?.id, 'move');
    });

    it('of one that cannot go leaves it where it is, and takes the others', async () => {
      const created = await app.store.createAll([TABS, { ...TABS, name: 'quotes' }]);
      const records = created.map(({ record }) => record);
      await fs.appendFile(records[0]!.path, 'Mine.');
      const { done, failures } = await scopes.moveAll(records, lib, 'move');
      assert.deepEqual([done.length, failures.length], [1, 1]);
      assert.deepEqual(await paths(), ['app/.memory/tabs.md', 'lib/.memory/quotes.md']);
    });

    it('gives it a suffix where its name is taken', async () => {
      await scopes.personal.store.create(TABS);
      const { record } = await app.store.create({ ...TABS, body: 'Others.' });
      const [added] = await scopes.move(record, scopes.personal);
      assert.deepEqual(await paths(), ['personal/tabs-2.md', 'personal/tabs.md']);
      assert.deepEqual([added.record.name, added.record.body], ['tabs-2', 'Others.']);
    });

    it('leaves a record alone that has changed in the meantime', async () => {
      const { record } = await app.store.create(TABS);
      await fs.appendFile(record.path, 'And more.');
      await assert.rejects(scopes.move(record, scopes.personal), StaleRecordError);
      assert.deepEqual(await paths(), ['app/.memory/tabs.md']);
    });
  });

  it('can take back the change before one that a person has changed since', async () => {
    await app.store.create(TABS);
    const { record } = await scopes.personal.store.create({ ...TABS, name: 'quotes' });
    await fs.appendFile(record.path, 'By hand.');
    const last = await scopes.lastChange();
    await assert.rejects(scopes.undoChange(last!), /quotes\.md has changed in the meantime/);
    assert.equal((await scopes.lastChange())?.id, last?.id);
    await scopes.undoChange((await scopes.lastChange(new Set([last!.id])))!);
    assert.deepEqual(await paths(), ['personal/quotes.md']);
  });

  describe('undoes', () => {
    it('takes back the last change, then the one before, in whatever scope', async () => {
      await app.store.create(TABS);
      await scopes.personal.store.create({ ...TABS, name: 'quotes' });
      const { record } = await lib.store.create(TABS);
      await lib.store.remove(record, 'deleted');
      await undoLast(scopes);
      assert.deepEqual(await paths(), [
        'app/.memory/tabs.md',
        'lib/.memory/tabs.md',
        'personal/quotes.md',
      ]);
      await undoLast(scopes);
      assert.deepEqual(await paths(), ['app/.memory/tabs.md', 'personal/quotes.md']);
      await undoLast(scopes);
      assert.deepEqual(await paths(), ['app/.memory/tabs.md']);
      await undoLast(scopes);
      assert.deepEqual(await paths(), []);
      assert.equal(await undoLast(scopes), undefined);
    });
  });

  it('takes a change back once, and says so when it is asked to again', async () => {
    const created = await scopes.create(TABS);
    await scopes.update(created.record, { body: 'Tabs!' }, 'update');
    await scopes.undoChange({ id: 'update' });
    await scopes.update(created.record, { body: 'Tabs!' });
    const before = await readTree(temp.path);
    await assert.rejects(scopes.undoChange({ id: 'update' }), AlreadyUndoneError);
    assert.deepEqual(await readTree(temp.path), before);
    await app.store.emptyTrash();
    await assert.rejects(scopes.undoChange({ id: 'update' }), /cannot be undone here any more/);
  });

  it('tells how far it has come with taking back, over all scopes', async () => {
    const created = await app.store.createAll([TABS, { ...TABS, name: 'quotes' }]);
    const records = created.map(({ record }) => record);
    await scopes.moveAll(records, lib, 'move');
    const told: string[] = [];
    await scopes.undoChange({ id: 'move' }, (done, total) => told.push(`${done}/${total}`));
    assert.deepEqual(told, ['1/4', '2/4', '3/4', '4/4']);
  });

  it('takes a change back in each scope as far as it can, and says what stays', async () => {
    const records = [];
    for (const { store } of scopes.all) records.push((await store.create(TABS)).record);
    const group = 'all';
    for (const record of records) await scopes.update(record, { type: 'project' }, group);
    await fs.appendFile(records[0]!.path, 'Mine.');
    await assert.rejects(scopes.undoChange({ id: group }), /^[^.]*tabs\.md has changed/);
    const types = (await scopes.list()).records.map(({ type }) => type);
    assert.deepEqual(types, ['project', TABS.type, TABS.type]);
  });

  it('tells of changes in every scope, also after the folders changed, and of that', async () => {
    let told = 0;
    const unsubscribe = scopes.onDidChange(() => told++);
    await scopes.create(TABS);
    await scopes.personal.store.create(TABS);
    assert.equal(told, 2);
    scopes.setWorkspace([lib]);
    assert.equal(told, 3);
    await lib.store.create(TABS);
    await app.store.create({ ...TABS, name: 'unseen' });
    assert.equal(told, 4);
    unsubscribe();
    await lib.store.create(TABS);
    assert.equal(told, 4);
  });
});
