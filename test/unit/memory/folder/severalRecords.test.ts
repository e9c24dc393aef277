import assert from 'node:assert/strict';
import { promises as fs, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { Settled } from '../../../../src/base/atMost.ts';
import type { Change } from '../../../../src/memory/change.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import { isStale, useMemoryStore } from '../../../support/memoryFolder.ts';
import { newRecord } from '../../../support/records.ts';

/** More than are written at once. */
const COUNT = 40;

describe('SeveralRecords', () => {
  const at = useMemoryStore();
  let records: readonly MemoryRecord[];

  beforeEach(async () => {
    const names = Array.from({ length: COUNT }, (_, number) => `n${number}`);
    await at.store.createAll(names.map((name) => newRecord(name)));
    ({ records } = await at.store.list());
  });

  /** Done in the group `many`. */
  const works: Record<string, () => Promise<Settled<MemoryRecord, Change>>> = {
    update: () => at.store.several.update(records, { type: 'project' }, 'many'),
    remove: () => at.store.several.remove(records, 'test', 'many'),
    adopt: async () => {
      const elsewhere = at.newStore({ folder: path.join(at.temp.path, 'elsewhere') });
      const made = await elsewhere.createAll(records.map(({ name }) => newRecord(name, 'Other.')));
      const arrivals = made.map(async ({ record }, index) => {
        return { record, bytes: await elsewhere.read(record), moved: `${index}` };
      });
      return at.store.several.adopt(await Promise.all(arrivals), 'many');
    },
  };

  for (const [what, work] of Object.entries(works)) {
    it(`${what}: all are one change, and the index is written once`, async () => {
      const before = await at.memories();
      let told = 0;
      at.store.onDidChange(() => told++);
      const { indexWrites, result } = await countingIndexWrites(work);
      assert.equal(result.failures.length, 0);
      assert.equal(result.done.length, COUNT);
      assert.deepEqual([indexWrites, told], [1, 1]);
      const group = await at.newStore().changeGroup('many');
      assert.deepEqual(
        group?.steps,
        result.done.map(({ step }) => step),
      );
      await at.newStore().undoGroup(group);
      assert.deepEqual(await at.memories(), before);
    });

    it(`${what}: can be taken back when the process was killed before it noted what it did`, async () => {
      const before = await at.memories();
      const journal = path.join(at.store.folder, '.trash', 'journal.jsonl');
      let noted: Buffer | undefined;
      const { open } = fs;
      fs.open = (...args) => {
        // Only what happens in the folder of the memories begins the change.
        if (String(args[0]).startsWith(at.store.folder)) noted ??= readFileSync(journal);
        return open(...args);
      };
      try {
        await work();
      } finally {
        fs.open = open;
      }
      writeFileSync(journal, noted ?? assert.fail());
      const store = at.newStore();
      await store.undoGroup((await store.changeGroup('many'))!);
      assert.deepEqual(await at.memories(), before);
    });
  }

  it('leaves one that cannot be changed, and does the others', async () => {
    const [first] = records;
    await fs.appendFile(first!.path, 'Mine.');
    const mine = /^n0\.md has changed in the meantime/;
    const updated = await at.store.several.update(records, { type: 'project' }, 'many');
    assert.deepEqual(
      updated.failures.map(({ item }) => item),
      [first],
    );
    isStale(mine)(updated.failures[0]?.error);
    assert.equal(updated.done.length, COUNT - 1);
    // By now all but the first are others too.
    const removed = await at.store.several.remove(
      [first!, ...updated.done.map(({ record }) => record)],
      'test',
    );
    assert.equal(removed.failures.length, 1);
    assert.deepEqual(await at.files(), ['n0.md']);
    // What was doubted is read anew.
    const { records: now } = await at.store.list();
    assert.match(now[0]?.body ?? '', /Mine\.$/);
  });

  it('passes over those that are so already', async () => {
    const { done, failures } = await at.store.several.update(records, { type: 'user' }, 'many');
    assert.deepEqual([done, failures], [[], []]);
    assert.equal(await at.store.changeGroup('many'), undefined);
  });

  it('notes one alone when it is done, and not before', async () => {
    const journal = path.join(at.store.folder, '.trash', 'journal.jsonl');
    const lines = async () => (await fs.readFile(journal, 'utf8')).split('\n').filter(Boolean);
    const before = (await lines()).length;
    await at.store.several.remove(records.slice(0, 1), 'test');
    assert.equal((await lines()).length, before + 1);
  });

  async function countingIndexWrites<T>(work: () => Promise<T>) {
    const { rename } = fs;
    let indexWrites = 0;
    fs.rename = (from, to) => {
      if (to === at.store.indexPath) indexWrites += 1;
      return rename(from, to);
    };
    try {
      return { result: await work(), indexWrites };
    } finally {
      fs.rename = rename;
    }
  }
});
