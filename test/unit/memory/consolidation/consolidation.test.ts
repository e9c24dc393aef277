import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import type { Change } from '../../../../src/memory/change.ts';
import {
  applyConsolidation,
  consolidateMemories,
} from '../../../../src/memory/consolidation/consolidation.ts';
import { planConsolidation } from '../../../../src/memory/consolidation/consolidationPlan.ts';
import { recoverConsolidation } from '../../../../src/memory/consolidation/consolidationRecovery.ts';
import { newConsolidationId } from '../../../../src/memory/folder/journal.ts';
import type { NewRecord } from '../../../../src/memory/record.ts';
import { indexText } from '../../../../src/memory/folder/memoryIndex.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { AFTERWARDS, CHANGES, RECORDS } from '../../../support/consolidationCase.ts';
import { newRecord } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const never = new AbortController().signal;

describe('applyConsolidation', () => {
  const folder = useTempFolder();

  /** A plan for the records of the case, which are on the disk. */
  async function setUp({ isBeingEdited }: { isBeingEdited?: (file: string) => boolean } = {}) {
    const place = path.join(folder.path, '.memory');
    const store = new MemoryStore({
      folder: place,
      log: silentLog,
      ...(isBeingEdited && { isBeingEdited }),
    });
    for (const record of RECORDS) await store.create(record);
    const errors: string[] = [];
    const told: string[] = [];
    const log = {
      ...silentLog,
      info: (line: string) => told.push(line),
      error: (line: string) => errors.push(line),
    };
    const plan = async (changeSet: object = CHANGES) => {
      const model = scriptedModel([JSON.stringify(changeSet)]);
      const options = { store, model, log, unattended: false };
      const { changes, refused } = await planConsolidation(options, never);
      assert.deepEqual(refused, []);
      return changes;
    };
    const apply = (changes: Awaited<ReturnType<typeof plan>>, group?: string) =>
      applyConsolidation(changes, { store, log, ...(group !== undefined && { group }) });
    const bodies = async () =>
      Object.fromEntries((await store.list()).records.map(({ file, body }) => [file, body]));
    return { store, errors, told, plan, apply, bodies, before: await recordFiles(store) };
  }

  it('merges, updates and retires what was planned, and keeps the rest as it is', async () => {
    const { store, told, plan, apply, bodies, before } = await setUp();
    const { changes, left } = await apply(await plan());
    assert.deepEqual(left, []);
    assert.deepEqual(await bodies(), AFTERWARDS);
    const files = await recordFiles(store);
    for (const file of ['standup.md', 'database.md', 'reviews.md'])
      assert.equal(files[file], before[file]);
    for (const file of ['tabs.md', 'server.md', 'quotes.md'])
      assert.match(files[file] ?? '', /^source: consolidation$/m);
    const index = await fs.readFile(store.indexPath, 'utf8');
    assert.doesNotMatch(index, /indentation|deadline|port/);
    assert.deepEqual(
      changes.map(({ kind, record }) => `${kind} ${record.file}`),
      [
        'updated tabs.md',
        'removed indentation.md',
        'removed spaces.md',
        'updated server.md',
        'removed port.md',
        'updated quotes.md',
        'removed deadline.md',
      ],
    );
    assert.deepEqual(told.slice(1), [
      '[consolidation] merged tabs.md, indentation.md, spaces.md into tabs.md: They say the same.',
      '[consolidation] merged port.md, server.md into server.md: One says more.',
      '[consolidation] updated quotes.md: Clearer.',
      '[consolidation] retired deadline.md: It has passed.',
    ]);
    assert.equal(await store.consolidations.begun(), undefined);
  });

  it('keeps each old text in the trash, with the reason', async () => {
    const { store, plan, apply, before } = await setUp();
    await apply(await plan());
    const trashed = await store.trashed();
    assert.deepEqual(
      trashed.map(({ file, kind, reason }) => `${kind} ${file}, ${reason}`).toSorted(),
      [
        'removed deadline.md, consolidation: It has passed.',
        'removed indentation.md, consolidation: They say the same.',
        'removed port.md, consolidation: One says more.',
        'removed spaces.md, consolidation: They say the same.',
        'replaced quotes.md, consolidation: Clearer.',
        'replaced server.md, consolidation: One says more.',
        'replaced tabs.md, consolidation: They say the same.',
      ],
    );
    for (const { path, file } of trashed)
      assert.equal(await fs.readFile(path, 'utf8'), before[file]);
  });

  it('is undone as one change, in another window after later changes too', async () => {
    const { store, plan, apply, before } = await setUp();
    await apply(await plan());
    const other = new MemoryStore({ folder: store.folder, log: silentLog });
    await other.create(newRecord('later'));
    const scopes = scopesOf(other);
    const last = await scopes.lastConsolidation();
    assert.equal(last?.steps.length, 7);
    await scopes.undoChange(last);
    const { 'later.md': _later, ...files } = await recordFiles(other);
    assert.deepEqual(files, before);
    assert.equal(await scopes.lastConsolidation(), undefined);
  });

  it('is undone with that of another store of the same group', async () => {
    const { store, plan, apply, before } = await setUp();
    const group = newConsolidationId();
    await apply(await plan(), group);
    const personal = new MemoryStore({ folder: `${store.folder}-personal`, log: silentLog });
    for (const record of RECORDS) await personal.create(record);
    const original = await recordFiles(personal);
    const model = scriptedModel([JSON.stringify(CHANGES)]);
    const options = { store: personal, model, log: silentLog, unattended: true };
    const { changes } = await planConsolidation(options, never);
    await applyConsolidation(changes, { store: personal, log: silentLog, group });
    const scopes = scopesOf(store, personal);
    await scopes.undoChange((await scopes.lastConsolidation())!);
    assert.deepEqual(await recordFiles(store), before);
    assert.deepEqual(await recordFiles(personal), original);
  });

  it('does what a person picked, and nothing else', async () => {
    const { plan, apply, bodies } = await setUp();
    const [, , update] = await plan();
    await apply([update!]);
    const expected = Object.fromEntries(RECORDS.map(({ name, body }) => [`${name}.md`, body]));
    assert.deepEqual(await bodies(), { ...expected, 'quotes.md': AFTERWARDS['quotes.md'] });
  });

  it('writes nothing when nothing was picked', async () => {
    const { store, apply } = await setUp();
    const before = await readTree(store.folder);
    assert.deepEqual(await apply([]), { changes: [], left: [] });
    assert.deepEqual(await readTree(store.folder), before);
  });

  it('leaves a change whose record was edited or deleted in the meantime, and does the rest', async () => {
    const { store, told, plan, apply, bodies } = await setUp();
    const changes = await plan();
    await fs.appendFile(path.join(store.folder, 'spaces.md'), 'Except in YAML.\n');
    await fs.rm(path.join(store.folder, 'port.md'));
    const { left } = await apply(changes);
    assert.deepEqual(left, changes.slice(0, 2));
    const { 'port.md': _port, ...expected } = Object.fromEntries(
      RECORDS.map(({ name, body }) => [`${name}.md`, body]),
    );
    delete expected['deadline.md'];
    assert.deepEqual(await bodies(), {
      ...expected,
      'spaces.md': 'Never indent with spaces.\nExcept in YAML.',
      'quotes.md': AFTERWARDS['quotes.md'],
    });
    assert.match(told.join('\n'), /left tabs\.md, indentation\.md, spaces\.md: changed/);
  });

  it('keeps a record that another window wrote while the model thought', async () => {
    const { store, plan, apply } = await setUp();
    const changes = await plan();
    const other = new MemoryStore({ folder: store.folder, log: silentLog });
    await other.create(newRecord('quotes-too', 'Use double quotes in JSON.'));
    const text = await fs.readFile(path.join(store.folder, 'quotes-too.md'), 'utf8');
    await apply(changes);
    assert.equal((await recordFiles(store))['quotes-too.md'], text);
  });

  it('leaves a change whose name another record has by now', async () => {
    const { store, plan, apply } = await setUp();
    const changes = await plan({ update: [{ ...CHANGES.update[0], name: 'strings' }] });
    await store.create(newRecord('strings', 'Strings are long.'));
    assert.deepEqual((await apply(changes)).left, changes);
  });

  it('leaves a change that lets a fact go which no other record holds by now', async () => {
    const { store, plan, apply } = await setUp();
    await store.create(newRecord('style', 'Use single quotes for strings. Keep lines short.'));
    const changes = await plan({
      update: [{ ...newRecord('style', 'Keep lines short everywhere.'), file: 'style.md' }],
    });
    const { records } = await store.list();
    await store.remove(
      records.find(({ file }) => file === 'quotes.md')!,
      'test',
    );
    assert.deepEqual((await apply(changes)).left, changes);
  });

  it('leaves a change that needs another one which was not picked, or can no longer be made', async () => {
    const { store, plan, apply } = await setUp();
    await store.create(newRecord('style', 'Keep lines short. Commit messages are German.'));
    // The second takes over what the first lets go.
    const changes = await plan({
      update: [
        { ...newRecord('style', 'Keep lines short everywhere.'), file: 'style.md' },
        {
          ...newRecord('reviews', 'Reviews need two approvals. Commit messages are German.'),
          file: 'reviews.md',
        },
      ],
    });
    assert.deepEqual((await apply([changes[0]!])).left, [changes[0]]);
    const reviews = path.join(store.folder, 'reviews.md');
    const text = await fs.readFile(reviews, 'utf8');
    await fs.appendFile(reviews, 'By hand.\n');
    assert.deepEqual((await apply(changes)).left, changes);
    await fs.writeFile(reviews, text);
    assert.deepEqual((await apply(changes)).left, []);
  });

  it('leaves a record that has changes in an editor', async () => {
    const { plan, apply, bodies } = await setUp({
      isBeingEdited: (file) => file.endsWith('indentation.md'),
    });
    const changes = await plan();
    assert.deepEqual((await apply(changes)).left, [changes[0]]);
    assert.equal((await bodies())['tabs.md'], 'Indent with tabs in every file.');
  });

  it('leaves a record whose front matter cannot be edited, and does the rest', async () => {
    const { store, apply, plan } = await setUp();
    const odd = '---\n{name: odd, description: Of odd, type: user}\n---\n\nSomething odd.\n';
    await writeTree(store.folder, { 'odd.md': odd });
    const update = { ...newRecord('odd', 'Something very odd.'), file: 'odd.md' };
    const changes = await plan({ update: [update, ...CHANGES.update] });
    assert.deepEqual((await apply(changes)).left, [changes[0]]);
    assert.equal((await recordFiles(store))['odd.md'], odd);
  });

  it('leaves notes, links and damaged files in the folder alone', async () => {
    const { store, plan, apply } = await setUp();
    const mine = { 'notes.txt': 'Mine.', 'notes.md': 'No front matter.', 'sub/deep.md': 'Deep.' };
    await writeTree(store.folder, mine);
    await writeTree(folder.path, { 'outside.md': 'Outside.' });
    await fs.symlink('../outside.md', path.join(store.folder, 'link.md'));
    await apply(await plan());
    const tree = await readTree(store.folder);
    for (const [file, text] of Object.entries(mine)) assert.equal(tree[file], text);
    assert.equal(tree['link.md'], 'link to ../outside.md');
    assert.equal(await fs.readFile(path.join(folder.path, 'outside.md'), 'utf8'), 'Outside.');
  });

  it('takes everything back when a write fails half way', async () => {
    const { store, plan, apply, before } = await setUp();
    const changes = await plan();
    const carryOut = store.consolidations.carryOut.bind(store.consolidations);
    store.consolidations.carryOut = async (work, group) => {
      if (!work.rewrite) throw new Error('the disk is full');
      return carryOut(work, group);
    };
    const undone: string[] = [];
    const undo = store.undo.bind(store);
    store.undo = (change) => {
      undone.push(change.record.file);
      return undo(change);
    };
    await assert.rejects(apply(changes), /the disk is full/);
    assert.deepEqual(await recordFiles(store), before);
    assert.deepEqual(undone.slice(0, 2), ['quotes.md', 'port.md']);
    assert.equal(await store.consolidations.begun(), undefined);
  });

  it('takes back what it can when one undo fails too, and says which not', async () => {
    const { store, errors, plan, apply, bodies, before } = await setUp();
    const changes = await plan();
    const carryOut = store.consolidations.carryOut.bind(store.consolidations);
    store.consolidations.carryOut = async (work, group) => {
      if (!work.rewrite) throw new Error('the disk is full');
      return carryOut(work, group);
    };
    const undo = store.undo.bind(store);
    store.undo = async (change: Change) => {
      if (change.record.file === 'quotes.md') throw new Error('it is locked');
      return undo(change);
    };
    await assert.rejects(apply(changes), /the disk is full/);
    assert.equal((await bodies())['tabs.md'], 'Indent with tabs in every file.');
    assert.match(errors.join('\n'), /quotes\.md was not taken back: it is locked/);
    // The next window takes back the rest.
    const next = new MemoryStore({ folder: store.folder, log: silentLog });
    await recoverConsolidation(next, silentLog);
    assert.deepEqual(await recordFiles(next), before);
  });

  it('brings MEMORY.md in step and tells of it once, when all is done', async () => {
    const { store, plan, apply } = await setUp();
    const changes = await plan();
    const indexes: Promise<string>[] = [];
    store.onDidChange(() => indexes.push(fs.readFile(store.indexPath, 'utf8')));
    await apply(changes);
    assert.deepEqual(await Promise.all(indexes), [indexText((await store.list()).records)]);
  });

  it('does nothing while another window is at it', async () => {
    const { store, plan, apply, before } = await setUp();
    const changes = await plan();
    const other = new MemoryStore({ folder: store.folder, log: silentLog });
    await other.consolidations.alone(() =>
      assert.rejects(apply(changes), { name: 'ConsolidationBusyError' }),
    );
    assert.deepEqual(await recordFiles(store), before);
  });
});

describe('consolidateMemories', () => {
  const folder = useTempFolder();

  it('does by itself what is safe', async () => {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const old: NewRecord = newRecord('old', 'Written by hand.');
    for (const record of [...RECORDS, old]) await store.create(record);
    await fs.appendFile(path.join(store.folder, 'old.md'), 'Really.\n');
    const set = JSON.stringify({
      ...CHANGES,
      retire: [...CHANGES.retire, { file: 'old.md', reason: 'r' }],
    });
    const model = scriptedModel([set, set]);
    await consolidateMemories({ store, model, log: silentLog }, never);
    const { records } = await store.list();
    assert.deepEqual(Object.fromEntries(records.map(({ file, body }) => [file, body])), {
      ...AFTERWARDS,
      'old.md': 'Written by hand.\nReally.',
    });
  });

  it('looks through the memories again when the changes could not be made', async () => {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    for (const record of RECORDS) await store.create(record);
    const model = scriptedModel([JSON.stringify(CHANGES), JSON.stringify(CHANGES)]);
    const carryOut = store.consolidations.carryOut.bind(store.consolidations);
    store.consolidations.carryOut = () => Promise.reject(new Error('the disk is full'));
    const options = { store, model, log: silentLog };
    await assert.rejects(consolidateMemories(options, never), /the disk is full/);
    assert.equal((await store.consolidations.changed()).size, RECORDS.length);
    store.consolidations.carryOut = carryOut;
    assert.notDeepEqual((await consolidateMemories(options, never)).changes, []);
    assert.equal((await store.consolidations.changed()).size, 0);
  });
});

/** The records and what else a person put there. */
async function recordFiles(store: MemoryStore): Promise<Record<string, string>> {
  const files = Object.entries(await readTree(store.folder));
  return Object.fromEntries(
    files.filter(([file]) => !file.startsWith('.') && file !== 'MEMORY.md'),
  );
}
