import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'mocha';
import { RecordError } from '../../../src/memory/record.ts';
import type { MemoryStore } from '../../../src/memory/store.ts';
import { isStale, STAMP, TABS_TEXT, useMemoryStore } from '../../support/memoryFolder.ts';
import { TABS } from '../../support/records.ts';

describe('MemoryStore renames', () => {
  const at = useMemoryStore();
  const { newStore, write, memories, trash, files, only } = at;
  let store: MemoryStore;

  beforeEach(() => {
    store = at.store;
  });

  it('the record and its file, and keeps the old one in the trash', async () => {
    const { record: before } = await store.create(TABS);
    const change = await store.rename(before, 'Tab Width');
    assert.deepEqual(Object.keys(await memories()), ['MEMORY.md', 'tab-width.md']);
    assert.deepEqual([change.kind, change.record.name], ['renamed', 'tab-width']);
    assert.deepEqual([change.before, change.record], [before, await only()]);
    assert.equal((await trash())[`${STAMP}-tabs.md`], TABS_TEXT);
    assert.match((await memories())['MEMORY.md']!, /\[tab-width\]\(tab-width\.md\)/);
  });

  it('to a name with a suffix where it is taken, by anything and in any case', async () => {
    await write({ 'WIDTH.md': 'mine' });
    const { record } = await store.create(TABS);
    const renamed = await store.rename(record, 'Width');
    assert.deepEqual([renamed.record.file, renamed.record.name], ['width-2.md', 'width-2']);
    // Its own name is not in its way.
    const again = await store.rename(renamed.record, 'width');
    assert.deepEqual([again.record.file, again.record.hash], ['width-2.md', renamed.record.hash]);
    assert.equal((await memories())['WIDTH.md'], 'mine');
  });

  it('only the record when the file differs in case alone', async () => {
    await write({ 'Tabs.md': TABS_TEXT.replace('name: tabs', 'name: Tabs') });
    const { record } = await store.rename(await only(), 'TABS');
    assert.deepEqual([record.file, record.name], ['Tabs.md', 'tabs']);
    assert.deepEqual(await files(), ['Tabs.md']);
  });

  it('only the record when the file has the name already, and nothing when both have', async () => {
    await write({ 'tabs.md': TABS_TEXT.replace('name: tabs', 'name: Old name') });
    const renamed = await store.rename(await only(), 'Tabs');
    assert.deepEqual([renamed.record.file, renamed.record.name], ['tabs.md', 'tabs']);
    const before = [await memories(), await trash()];
    await store.rename(renamed.record, 'Tabs');
    assert.deepEqual([await memories(), await trash()], before);
  });

  it('back on undo, byte for byte and out of the trash', async () => {
    const odd = '\uFEFF---\r\nname: Odd # mine\r\ntype:   user\r\n---\r\nBody  \r\n\r\n';
    await write({ 'odd one.md': odd });
    const change = await store.rename(await only(), 'Even');
    assert.deepEqual(await files(), ['even.md']);
    await newStore().undo(change);
    assert.deepEqual(await files(), ['odd one.md']);
    assert.equal((await memories())['odd one.md'], odd);
    const texts = Object.keys(await trash()).filter((file) => !file.endsWith('.json'));
    assert.deepEqual(texts, [`${STAMP}-even.md`]);
  });

  it('nothing on undo when the old name has gone to another', async () => {
    const change = await store.rename((await store.create(TABS)).record, 'width');
    await store.create({ ...TABS, body: 'New' });
    const before = await memories();
    await assert.rejects(store.undo(change), /new tabs\.md by now; the old one stays in the trash/);
    assert.deepEqual(await memories(), before);
  });

  it('nothing that has changed, and refuses a blank name', async () => {
    const { record } = await store.create(TABS);
    await assert.rejects(store.rename(record, ' '), RecordError);
    await write({ 'tabs.md': `${TABS_TEXT}Mine.\n` });
    const before = await memories();
    await assert.rejects(store.rename(record, 'width'), isStale(/^tabs\.md has changed/));
    assert.deepEqual(await memories(), before);
  });

  it('nothing that an editor writes at that very moment', async () => {
    const { record } = await store.create(TABS);
    const theirs = `${TABS_TEXT}Mine.\n`;
    for (const name of ['width', 'Tabs ']) {
      await write({ 'tabs.md': TABS_TEXT.replace('name: tabs', `name: before`) });
      const seen = await only();
      let asked = 0;
      // The third time is the note in the trash: after the last look at the file, before it moves.
      const late = newStore({
        now: () => {
          if (++asked === 3) writeFileSync(record.path, theirs);
          return new Date();
        },
      });
      await assert.rejects(late.rename(seen, name), isStale(/^tabs\.md has changed/));
      assert.deepEqual(Object.keys(await memories()), ['MEMORY.md', 'tabs.md']);
      assert.equal((await memories())['tabs.md'], theirs);
    }
  });

  it('what points to it too, as one change that is taken back whole', async () => {
    const linking = 'Body [t](tabs.md#a)  \r\n[[tabs]] `[t](tabs.md)`\r\n';
    const files = {
      'own.md': '---\ntype: user\nsupersedes: tabs # mine\n---\n[own](own.md)\n',
      'tabs.md': `${TABS_TEXT}See [[tabs]].\n`,
      'width.md': `---\r\ntype: user\r\n---\r\n${linking}`,
      'other.md': '---\ntype: user\n---\n[x](tabs-2.md)\n',
    };
    await write(files);
    const record = (await store.list()).records.find(({ file }) => file === 'tabs.md')!;
    const renaming = await store.rename(record, 'Indents', 'group');
    const { links, linking: changed, left } = renaming;
    assert.deepEqual(
      [links, changed.map(({ file }) => file), left],
      [4, ['indents.md', 'own.md', 'width.md'], []],
    );
    const now = await memories();
    assert.equal(
      now['width.md'],
      files['width.md'].replace('(tabs.md#a)', '(indents.md#a)').replace('[[tabs]]', '[[indents]]'),
    );
    assert.equal(now['own.md'], files['own.md'].replace('tabs', 'indents'));
    assert.equal(now['other.md'], files['other.md']);
    assert.match(now['indents.md']!, /See \[\[indents\]\]/);

    await store.undoGroup((await newStore().lastGroup())!);
    const { 'MEMORY.md': _, ...back } = await memories();
    assert.deepEqual(back, files);
  });

  it('nothing on undo, the links included, when the record cannot have its old name back', async () => {
    const { record } = await store.create(TABS);
    await write({ 'own.md': '---\ntype: user\n---\n[t](tabs.md)\n' });
    const { record: renamed } = await store.rename(record, 'width', 'group');
    const change = (await store.changeGroup('group'))!;
    await write({ 'tabs.md': `${TABS_TEXT}New.\n` });
    await store.refresh();
    const taken = await memories();
    await assert.rejects(store.undoGroup(change), /new tabs\.md by now/);
    assert.deepEqual(await memories(), taken);
    await store.remove(
      (await store.list()).records.find(({ file }) => file === 'tabs.md')!,
      'test',
    );
    await write({ [renamed.file]: `${TABS_TEXT}Mine.\n` });
    await store.refresh();
    const edited = await memories();
    await assert.rejects(store.undoGroup(change), /width\.md has changed/);
    assert.deepEqual(await memories(), edited);
  });

  it('without what is being edited, and names that', async () => {
    const text = '---\ntype: user\n---\n[t](tabs.md)\n';
    await write({ 'edited.md': text, 'plain.md': text, 'edited-2.md': text.replace('tabs', 'x') });
    const isBeingEdited = (file: string) => /edited/.test(file);
    const careful = newStore({ isBeingEdited });
    const { record } = await careful.create(TABS);
    const { links, left } = await careful.rename(record, 'width');
    assert.deepEqual([links, left.map(({ file }) => file)], [1, ['edited.md']]);
    assert.equal((await memories())['edited.md'], text);
  });

  it('nothing in a damaged file, and says how many links that leaves', async () => {
    const damaged = { 'broken.md': 'See [t](tabs.md) and [[tabs]].', 'apart.md': 'Nothing.' };
    await write({ ...damaged, 'linking.md': '---\ntype: user\n---\n[t](tabs.md)\n' });
    const { record } = await store.create(TABS);
    const renaming = await store.rename(record, 'width');
    assert.deepEqual(renaming.damaged, [{ file: 'broken.md', links: 2 }]);
    assert.deepEqual([renaming.links, renaming.left], [1, []]);
    const { 'broken.md': broken, 'apart.md': apart } = await memories();
    assert.deepEqual({ 'broken.md': broken, 'apart.md': apart }, damaged);
  });

  it('what points to it in a text that was written a moment ago', async () => {
    const { record } = await store.create(TABS);
    await write({ 'late.md': '---\ntype: user\n---\nA first text.\n' });
    await store.list();
    // The folder does not tell of a text that is written into a file that is there.
    await write({ 'late.md': '---\ntype: user\n---\n[t](tabs.md)\n' });
    const { links, left } = await store.rename(record, 'width', 'group');
    assert.deepEqual([links, left], [1, []]);
    await store.undoGroup((await store.changeGroup('group'))!);
    assert.match((await memories())['late.md']!, /\[t\]\(tabs\.md\)/);
  });

  it('as it says beforehand', async () => {
    await write({ 'taken.md': TABS_TEXT });
    for (const name of ['Taken', 'Some One', 'SOME', 'x'.repeat(90)]) {
      const { record } = await store.create({ ...TABS, name: 'Some One' });
      const said = await store.nameFor(record, name);
      const { record: now } = await store.rename(record, name);
      assert.deepEqual([now.name, now.file], [said, `${said}.md`]);
      await store.remove(now, 'test');
    }
  });
});
