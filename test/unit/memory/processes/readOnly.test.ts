import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { assertTidy } from '../../../support/memoryChecks.ts';
import { newRecord } from '../../../support/records.ts';
import { mountSmallDisk } from '../../../support/smallDisk.ts';
import type { Answer, Command } from '../../../support/storeProgram.ts';
import { useStoreProcesses, type StoreProcess } from '../../../support/storeProcess.ts';
import { readTree } from '../../../support/tempFolder.ts';

/** Modes do not hold for root, so there the process runs as somebody else: the one whom systems call nobody. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

describe('a folder that can only be read', function () {
  this.timeout(30_000);
  const processes = useStoreProcesses();

  /** Two memories, a third in the trash, and a change that can be undone. */
  async function setUp(folder: string): Promise<MemoryStore> {
    const store = new MemoryStore({ folder, log: silentLog });
    for (const name of ['a', 'b', 'gone']) await store.create(newRecord(name));
    const { records } = await store.list();
    await store.remove(
      records.find(({ file }) => file === 'gone.md')!,
      'told to',
    );
    await store.update(records[0]!, { body: 'Newer a.' });
    return store;
  }

  /** Each kind of write fails with one of the reasons, and nothing is touched. */
  async function assertReadOnly(
    window: StoreProcess,
    folder: string,
    reason: RegExp,
  ): Promise<void> {
    const before = await filesIn(folder);
    const answers: Answer[] = [];
    for (const command of writesTo(folder)) {
      const answer = await window.ask(command);
      assert.ok(answer);
      answers.push(answer);
      const what = JSON.stringify(command);
      assert.match(answer.error?.message ?? 'no error', reason, what);
      assert.deepEqual(await filesIn(folder), before, what);
    }
    const { records } = await window.tell({ do: 'list' });
    assert.deepEqual(
      records.map(({ path }) => path),
      [path.join(folder, 'a.md'), path.join(folder, 'b.md')],
    );
    const ofLock = answers
      .flatMap(({ warnings }) => warnings)
      .filter((line) => line.startsWith('[lock]'));
    assert.ok(ofLock.length <= 1, ofLock.join('\n'));
  }

  for (const trash of ['whose trash can', 'and its trash too'] as const) {
    it(`keeps what is in it, and says why it cannot be changed: ${trash}`, async function () {
      if (process.platform === 'win32') this.skip();
      const folder = path.join(processes.path, '.memory');
      const store = await setUp(folder);
      const closed =
        trash === 'and its trash too' ? [folder, path.join(store.folder, '.trash')] : [folder];
      if (isRoot) await giveAway(processes.path, NOBODY);
      for (const each of closed) await fs.chmod(each, 0o500);

      const window = processes.start(isRoot ? { uid: NOBODY } : {});
      await assertReadOnly(
        window,
        folder,
        /\S+ was not written, and what was there is unchanged: you may not write to its folder/,
      );

      // As soon as the person may write again, so may the window.
      for (const each of closed) await fs.chmod(each, 0o700);
      await window.tell({ do: 'create', name: 'later', body: 'Later.' });
      await window.tell({ do: 'undo' });
      await window.kill();
      await assertTidy(folder);
    });
  }

  it('keeps what is in it where the whole disk can only be read', async function () {
    const disk = await mountSmallDisk(path.join(processes.path, 'disk'));
    if ('problem' in disk) {
      console.log(`      SKIPPED: no small disk can be mounted here: ${disk.problem}`);
      this.skip();
    }
    try {
      const folder = path.join(disk.path, '.memory');
      await setUp(folder);
      disk.makeReadOnly();
      const window = processes.start({ folder });
      await assertReadOnly(window, folder, /\S+ was not written, .* the disk can only be read/);
      await window.kill();
    } finally {
      disk.unmount();
    }
  });
});

function writesTo(folder: string): readonly Command[] {
  const file = path.join(folder, 'a.md');
  return [
    { do: 'create', name: 'new', body: 'New.' },
    { do: 'createAll', names: ['x', 'y'], body: 'New.' },
    { do: 'update', path: file, body: 'Other.' },
    { do: 'rename', path: file, to: 'other' },
    { do: 'remove', path: file },
    { do: 'move', path: file },
    { do: 'restore', path: path.join(folder, 'gone.md') },
    { do: 'undo' },
    { do: 'merge', files: ['a.md', 'b.md'] },
  ];
}

/**
 * Without the empty file that is locked while somebody consolidates, and without what the journal says of steps that
 * were foreseen and not done: where only the folder above is closed it can be written.
 */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const { '.trash/.lock': _, ...files } = await readTree(folder);
  const journal = '.trash/journal.jsonl';
  return { ...files, [journal]: standingLines(files[journal] ?? '') };
}

/** The lines of steps that are not undone. */
function standingLines(journal: string): string {
  const lines = journal.split('\n').filter((line) => line !== '');
  const undone = new Set(lines.flatMap((line): string[] => JSON.parse(line).undone ?? []));
  const stands = ({ id }: { readonly id: string }) => !undone.has(id);
  return lines.filter((line) => (JSON.parse(line).steps ?? []).some(stands)).join('\n');
}

async function giveAway(folder: string, owner: number): Promise<void> {
  await fs.chown(folder, owner, owner);
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true }))
    await fs.chown(path.join(entry.parentPath, entry.name), owner, owner);
}
