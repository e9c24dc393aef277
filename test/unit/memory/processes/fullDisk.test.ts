import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import type { MemoryScopes } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import {
  assertTidy,
  linesOfIndex,
  recordsIn,
  temporaryFiles,
} from '../../../support/memoryChecks.ts';
import { newRecord } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { mountSmallDisk, type SmallDisk } from '../../../support/smallDisk.ts';
import { newTempFolder, readTree } from '../../../support/tempFolder.ts';

/** More than any change needs. */
const MOST_ROOM = 16;
/** So often it is made, the second time with more room than it needs. What is more still makes no difference. */
const MADE = 2;

interface Window {
  readonly store: MemoryStore;
  readonly personal: MemoryStore;
  readonly scopes: MemoryScopes;
}

/** File to body, in both scopes. */
type Bodies = Readonly<Record<string, string>>;

interface Write {
  /** Before the disk fills up. */
  readonly prepare?: (window: Window) => Promise<unknown>;
  readonly run: (window: Window) => Promise<unknown>;
  /** What it makes of the memories. */
  readonly leaves: (before: Bodies) => Bodies;
}

const WRITES: Readonly<Record<string, Write>> = {
  'a new memory': {
    run: ({ store }) => store.create(newRecord('new')),
    leaves: (before) => ({ ...before, 'new.md': 'About new.' }),
  },
  'the first memory of a folder': {
    run: ({ personal }) => personal.create(newRecord('new')),
    leaves: (before) => ({ ...before, 'personal/new.md': 'About new.' }),
  },
  'an import of several': {
    run: ({ store }) => store.createAll([newRecord('x'), newRecord('y'), newRecord('z')]),
    leaves: (before) => ({
      ...before,
      'x.md': 'About x.',
      'y.md': 'About y.',
      'z.md': 'About z.',
    }),
  },
  'a change': {
    run: async ({ store }) => store.update(await find(store, 'a.md'), { body: 'Other.' }),
    leaves: (before) => ({ ...before, 'a.md': 'Other.' }),
  },
  'a change to a longer text': {
    run: async ({ store }) => store.update(await find(store, 'a.md'), { body: LONG }),
    leaves: (before) => ({ ...before, 'a.md': LONG }),
  },
  'a new name': {
    run: async ({ store }) => store.rename(await find(store, 'a.md'), 'other'),
    leaves: ({ 'a.md': a = '', ...rest }) => ({ ...rest, 'other.md': a }),
  },
  'a removal': {
    run: async ({ store }) => store.remove(await find(store, 'a.md'), 'told to'),
    leaves: (before) => without(before, 'a.md'),
  },
  'a move to the other scope': {
    run: async ({ store, scopes }) => scopes.move(await find(store, 'a.md'), scopes.personal),
    leaves: ({ 'a.md': a = '', ...rest }) => ({ ...rest, 'personal/a.md': a }),
  },
  'a removed memory that comes back': {
    run: async ({ store }) =>
      store.restore((await store.trashed()).find(({ file }) => file === 'gone.md')!),
    leaves: (before) => ({ ...before, 'gone.md': 'About gone.' }),
  },
  'an earlier text that comes back': {
    run: async ({ store }) =>
      store.restore((await store.trashed()).find(({ file }) => file === 'b.md')!),
    leaves: (before) => ({ ...before, 'b.md': 'About b.' }),
  },
  'an undone creation': {
    prepare: ({ store }) => store.create(newRecord('new')),
    run: undoLast,
    leaves: (before) => without(before, 'new.md'),
  },
  'an undone change': {
    prepare: async ({ store }) => store.update(await find(store, 'a.md'), { body: 'Other.' }),
    run: undoLast,
    leaves: (before) => ({ ...before, 'a.md': 'About a.' }),
  },
  'an undone new name': {
    prepare: async ({ store }) => store.rename(await find(store, 'a.md'), 'other'),
    run: undoLast,
    leaves: ({ 'other.md': other = '', ...rest }) => ({ ...rest, 'a.md': other }),
  },
  'an undone removal': {
    prepare: async ({ store }) => store.remove(await find(store, 'a.md'), 'told to'),
    run: undoLast,
    leaves: (before) => ({ ...before, 'a.md': 'About a.' }),
  },
  'a new index': {
    prepare: ({ store }) => fs.appendFile(store.indexPath, 'Written by a person.\n'),
    run: ({ store }) => store.rebuildIndex(),
    leaves: (before) => before,
  },
  'a memory that is shared': {
    run: ({ store }) => store.shares.share('a.md', 'group'),
    leaves: (before) => before,
  },
  'a merge': {
    run: async ({ store }) => {
      const { file, hash } = await find(store, 'a.md');
      const text = await fs.readFile(path.join(store.folder, file), 'utf8');
      const work = {
        rewrite: { file, hash, text: text.replace('About a.', LONG) },
        remove: [await find(store, 'b.md')],
        reason: 'alike',
      };
      return store.consolidations.carryOut(work, 'consolidation-1');
    },
    leaves: (before) => without({ ...before, 'a.md': LONG }, 'b.md'),
  },
};

const LONG = 'A long line. '.repeat(600).trim();

describe('a disk that is full', function () {
  this.timeout(60_000);
  let mounted: SmallDisk | undefined;
  const disk = () => mounted!;

  before(async function () {
    const folder = await newTempFolder();
    const made = await mountSmallDisk(folder);
    if ('path' in made) mounted = made;
    else {
      await fs.rmdir(folder);
      console.log(`      SKIPPED: no small disk can be mounted here: ${made.problem}`);
      this.skip();
    }
  });

  after(async () => {
    mounted?.unmount();
    if (mounted) await fs.rmdir(mounted.path);
  });

  for (const [name, write] of Object.entries(WRITES)) {
    for (const what of ['pages', 'files'] as const) {
      it(`lets ${name} be made wholly or not at all, however many ${what} are left`, async () => {
        let made = 0;
        for (let room = 0; made < MADE; room++) {
          assert.ok(room <= MOST_ROOM, 'There was never room enough, so success was not tested.');
          const folder = path.join(disk().path, 'folder');
          try {
            const left = what === 'pages' ? { pages: room } : { files: room };
            if (await isMade(write, folder, left, `${name}, ${room} ${what} left`)) made++;
          } finally {
            await disk().free();
            await fs.rm(folder, { recursive: true, force: true });
          }
        }
      });
    }
  }

  async function isMade(
    write: Write,
    folder: string,
    room: Parameters<SmallDisk['fill']>[0],
    where: string,
  ): Promise<boolean> {
    const window = newWindow(folder);
    const { store, personal } = window;
    for (const name of ['a', 'b', 'c', 'gone']) await store.create(newRecord(name));
    await store.update(await find(store, 'b.md'), { body: 'Newer b.' });
    await store.remove(await find(store, 'gone.md'), 'told to');
    await write.prepare?.(window);
    const before = await bodies(window);
    const files = await readTree(store.folder);
    const trashed = await store.trashed();
    await disk().fill(room);

    const failure: unknown = await write.run(window).then(
      () => undefined,
      (error: unknown) => error,
    );
    const found = await bodies(newWindow(folder));
    if (failure) {
      assert.ok(failure instanceof Error);
      assert.match(failure.message, /the disk is full/, where);
      assert.deepEqual(found, before, where);
      // Byte for byte.
      const now = await readTree(store.folder);
      for (const [file, text] of Object.entries(files))
        if (/^[^.].*\.md$/.test(file)) assert.equal(now[file], text, `${where}: ${file}`);
      assert.deepEqual(await newWindow(folder).store.trashed(), trashed, where);
      const copies = Object.keys(now).filter((file) => file.includes('consolidation/'));
      assert.deepEqual(copies, [], where);
    } else {
      assert.deepEqual(found, write.leaves(before), where);
    }
    for (const each of [store, personal]) await assertNothingHalfWritten(each.folder, where);
    // One that a person wrote into is not of the form that code writes.
    if (!files['MEMORY.md']?.includes('Written by a person')) await linesOfIndex(store.folder);

    // With space again the store works, and what could not be made can.
    await disk().free();
    if (failure) {
      await write.run(window);
      assert.deepEqual(await bodies(window), write.leaves(before), where);
    }
    const created = await store.create(newRecord('later'));
    await assertTidy(store.folder);
    await store.undo(created);
    assert.deepEqual(await bodies(window), write.leaves(before), where);
    return failure === undefined;
  }
});

async function assertNothingHalfWritten(folder: string, where: string): Promise<void> {
  const tree = await readTree(folder).catch(() => ({}));
  const files = Object.keys(tree);
  assert.deepEqual(files.length > 0 ? await temporaryFiles(folder) : [], [], where);
  const inTrash = files.filter((file) => /^\.trash\/[^./]/.test(file) && !/journal/.test(file));
  // Each text in the trash has its note, and each note its text; copies of all stand in folders of their own.
  const single = inTrash.filter((file) => file.split('/').length === 2);
  for (const file of single.filter((file) => !file.endsWith('.json')))
    assert.ok(files.includes(`${file}.json`), `${where}: ${file} has no note`);
  for (const file of single.filter((file) => file.endsWith('.json')))
    assert.ok(files.includes(file.slice(0, -'.json'.length)), `${where}: ${file} has no text`);
}

function newWindow(folder: string): Window {
  const newStore = (name: string) =>
    new MemoryStore({ folder: path.join(folder, name), log: silentLog });
  const store = newStore('.memory');
  const personal = newStore('personal');
  return { store, personal, scopes: scopesOf(store, personal) };
}

async function bodies({ store, personal }: Window): Promise<Bodies> {
  const pairs = await Promise.all(
    [store, personal].map(async ({ folder }) =>
      (await recordsIn(folder)).map(({ file, body }) => [
        folder === store.folder ? file : `personal/${file}`,
        body,
      ]),
    ),
  );
  return Object.fromEntries(pairs.flat());
}

function without(bodies: Bodies, file: string): Bodies {
  return Object.fromEntries(Object.entries(bodies).filter(([each]) => each !== file));
}

async function undoLast({ store }: Window): Promise<void> {
  await store.undoGroup((await store.lastGroup())!);
}

async function find(store: MemoryStore, file: string) {
  const record = (await store.list()).records.find((record) => record.file === file);
  assert.ok(record, `There is no ${file}.`);
  return record;
}
