import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { hashOf } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { isStale, NOW, STAMP, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';
import { readTree, writeTree } from '../../support/tempFolder.ts';

const SPACES = { ...TABS, name: 'spaces', body: 'Use spaces.' };

describe('MemoryStore takes back groups of changes', () => {
  const at = useMemoryStore();
  const { temp, newStore, write, memories, files, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  const journalFile = () => path.join(store.folder, '.trash', 'journal.jsonl');

  async function undoLast(by: MemoryStore): Promise<void> {
    const group = await by.lastGroup();
    assert.ok(group);
    await by.undoGroup(group);
  }

  it('the last change of any kind, then the one before, also after a reload', async () => {
    const states = [await readTree(temp.path)];
    const step = async (work: () => Promise<unknown>) => {
      await work();
      states.push(await memories());
    };
    await step(() => store.create(TABS));
    await step(async () => store.update(await only(), { body: 'Tabs!' }));
    await step(async () => store.rename(await only(), 'Tab width'));
    await step(async () => store.remove(await only(), 'test'));
    await step(async () => store.restore((await store.trashed())[0]!));
    await step(() => store.createAll([TABS, SPACES]));
    states.pop();
    const empty = { 'MEMORY.md': '# Memory Index\n\n' };
    for (const before of states.toReversed()) {
      await undoLast(newStore());
      assert.deepEqual(await memories(), Object.keys(before).length > 0 ? before : empty);
    }
    assert.equal(await newStore().lastGroup(), undefined);
  });

  it('a deletion that was restored, and the restoring, while the clock goes on', async () => {
    let ticks = 0;
    store = newStore({ now: () => new Date(NOW.getTime() + ticks++) });
    await store.remove((await store.create(TABS)).record, 'deleted');
    const [trashed] = await store.trashed();
    await store.restore(trashed!);
    await undoLast(store);
    assert.deepEqual(await files(), []);
    await undoLast(store);
    assert.deepEqual(await files(), ['tabs.md']);
  });

  it('a change that another window made, once only, in either window', async () => {
    const other = newStore();
    const { record } = await store.create(TABS);
    const updated = await store.update(record, { body: 'Tabs!' });
    const group = await other.lastGroup();
    assert.deepEqual(group?.steps, [updated.step]);
    await other.undo(updated);
    // The same bytes as after the first update, by another change.
    await store.update(record, { body: 'Tabs!' });
    await assert.rejects(
      store.undo(updated),
      /^AlreadyUndoneError: The change to tabs\.md is already undone/,
    );
    await assert.rejects(
      store.undoGroup(group),
      /^AlreadyUndoneError: The change to tabs\.md is already undone/,
    );
    assert.equal((await only()).body, 'Tabs!');
  });

  it('changes made under one name, whatever came between', async () => {
    const { record } = await store.create(TABS);
    const { bytes, spaces } = await fromElsewhere();
    await store.several.adopt([{ record: spaces, bytes, moved: 'id' }], 'move');
    await store.create({ ...TABS, name: 'between' });
    await store.remove(record, 'moved', 'move');
    const group = await store.changeGroup('move');
    assert.deepEqual([group?.id, group?.at, group?.steps.length], ['move', NOW.toISOString(), 2]);
    await store.undoGroup(group!);
    assert.deepEqual(await files(), ['between.md', 'tabs.md']);
    assert.deepEqual((await store.changeGroup('move'))?.steps, []);
    assert.equal(await store.changeGroup('unknown'), undefined);
  });

  async function fromElsewhere() {
    const elsewhere = newStore({ folder: path.join(temp.path, 'elsewhere') });
    const { record: spaces } = await elsewhere.create(SPACES);
    return { spaces, bytes: await elsewhere.read(spaces) };
  }

  it('several changes to a file, the last first, and those to others beside them', async () => {
    const { record: tabs } = await store.create(TABS);
    const { record: spaces } = await store.create(SPACES);
    const before = await memories();
    const pinned = await store.update(tabs, { pinned: true }, 'many');
    const updated = await store.update(pinned.record, { body: 'Tabs!' }, 'many');
    await store.remove(updated.record, 'test', 'many');
    await store.remove(spaces, 'test', 'many');
    await store.undoGroup((await newStore().changeGroup('many'))!);
    assert.deepEqual(await memories(), before);
  });

  it('as many as are as they were, and names those that stay', async () => {
    await store.createAll([TABS, SPACES, { ...TABS, name: 'third' }, { ...TABS, name: 'fourth' }]);
    await write({ 'tabs.md': `${TABS_TEXT}Mine.\n`, 'third.md': `${TABS_TEXT}Mine.\n` });
    const group = await store.lastGroup();
    const stay =
      /^Error: third\.md has changed in the meantime; it was left as it is\. tabs\.md has changed/;
    await assert.rejects(store.undoGroup(group!), stay);
    assert.deepEqual(await files(), ['tabs.md', 'third.md']);
    const left = await newStore().lastGroup();
    assert.deepEqual(
      left?.steps.map(({ after }) => after?.file),
      ['tabs.md', 'third.md'],
    );
  });

  it('a single one that stays with the error of its own', async () => {
    await store.create(TABS);
    await write({ 'tabs.md': `${TABS_TEXT}Mine.\n` });
    const group = await store.lastGroup();
    await assert.rejects(store.undoGroup(group!), isStale(/^tabs\.md has changed/));
  });

  it('nothing that was undone by a process that was killed before it could note it', async () => {
    const { record } = await store.create(TABS);
    await store.update(record, { body: 'Tabs!' });
    const noted = await fs.readFile(journalFile());
    await undoLast(store);
    await fs.writeFile(journalFile(), noted);
    await undoLast(newStore());
    assert.equal((await only()).body, 'Use tabs.');
    await undoLast(newStore());
    assert.deepEqual(await files(), []);
  });

  describe('with a journal that was spoilt', () => {
    it('goes on after a line that a crash cut off, and after garbage', async () => {
      await store.create(TABS);
      const whole = await fs.readFile(journalFile(), 'utf8');
      const garbage = '\n[]\nnull\n{"group":1}\n\u0000\uFFFD\n{"undone":"all"}\n';
      await fs.writeFile(journalFile(), `${garbage}${whole}${whole.slice(0, whole.length / 2)}`);
      await store.create(SPACES);
      await undoLast(newStore());
      assert.deepEqual(await files(), ['tabs.md']);
      await undoLast(newStore());
      assert.deepEqual(await files(), []);
    });

    it('says that there is nothing to undo when it is gone', async () => {
      const created = await store.create(TABS);
      await fs.rm(path.join(store.folder, '.trash'), { recursive: true });
      assert.equal(await store.lastGroup(), undefined);
      await store.undo(created);
      assert.deepEqual(await files(), []);
    });

    it('says so when the trash was emptied by hand', async () => {
      const { record } = await store.create(TABS);
      const updated = await store.update(record, { body: 'Tabs!' });
      const removed = await store.remove(updated.record, 'test');
      const { steps } = (await store.lastGroup())!;
      await fs.rm(path.join(store.folder, '.trash'), { recursive: true });
      await assert.rejects(store.undo(removed), /tabs\.md is no longer in the trash/);
      await assert.rejects(store.undoGroup({ steps }), /tabs\.md is no longer in the trash/);
      await store.create(TABS);
      assert.deepEqual(await files(), ['tabs.md']);
    });

    it('touches no file but memories, whatever it names', async () => {
      const secret = 'Not yours.';
      const outside = { 'outside.md': secret, 'notes.txt': secret };
      await writeTree(temp.path, outside);
      await store.create(TABS);
      await write({ '.gitignore': '*\n', '.hidden.md': secret, 'mine.txt': secret });
      const all = ['../outside.md', '../notes.txt', '.gitignore', '.hidden.md', 'mine.txt'];
      const names = [...all, '..', '.', '', '.trash/x.md', path.join(temp.path, 'outside.md')];
      const before = await readTree(temp.path);
      const hash = hashOf(Buffer.from(secret));
      for (const [number, file] of names.entries()) {
        const id = `id${number}`;
        const shapes = [
          { after: { file, hash } },
          { before: { file, hash, trash: `${STAMP}-tabs.md` } },
          { before: { file: 'new.md', hash, trash: file } },
          { before: { file: 'new.md', hash, trash: `../${file}` } },
          {
            after: { file, hash },
            before: { file: 'new.md', hash, trash: `${STAMP}-tabs.md` },
          },
        ];
        for (const shape of shapes) {
          const line = { group: id, at: NOW.toISOString(), steps: [{ id, ...shape }] };
          await fs.writeFile(journalFile(), `\n${JSON.stringify(line)}\n`);
          assert.equal(await newStore().lastGroup(), undefined, JSON.stringify(line));
        }
      }
      const journal = '.memory/.trash/journal.jsonl';
      assert.deepEqual(
        { ...(await readTree(temp.path)), [journal]: '' },
        { ...before, [journal]: '' },
      );
    });

    it('takes nothing from a trash that is a link', async () => {
      const { record } = await store.create(TABS);
      const removed = await store.remove(record, 'test');
      const [trashed] = await store.trashed();
      await fs.rename(path.join(store.folder, '.trash'), path.join(temp.path, 'elsewhere'));
      await fs.symlink('../elsewhere', path.join(store.folder, '.trash'));
      assert.equal(await newStore().lastGroup(), undefined);
      await assert.rejects(store.undo(removed), /no longer in the trash/);
      await assert.rejects(store.restore(trashed!), /no longer in the trash/);
      assert.deepEqual(await files(), []);
    });

    it('does not follow a link in its place', async () => {
      await writeTree(temp.path, { 'outside.txt': 'mine' });
      const { record } = await store.create(TABS);
      await fs.rm(journalFile());
      await fs.symlink('../../outside.txt', journalFile());
      const updated = await store.update(record, { body: 'Tabs!' });
      assert.equal(await newStore().lastGroup(), undefined);
      await store.undo(updated);
      assert.equal((await readTree(temp.path))['outside.txt'], 'mine');
      assert.match(at.warnings[0] ?? '', /journal\.jsonl is not a regular file/);
    });
  });
});
