import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { assertTidy, linesOfIndex, recordsIn } from '../../../support/memoryChecks.ts';
import type { Answer, Command } from '../../../support/storeProgram.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';

const PROCESSES = 8;
const WRITES = 20;
const TAKEN_BACK = 50;
/** So many lines of nine characters fit into one memory with room to spare. */
const LEDGERS = ['ledger-a', 'ledger-b', 'ledger-c', 'ledger-d'];

describe('eight processes that write into one folder', function () {
  this.timeout(180_000);
  const processes = useStoreProcesses();
  const folder = () => path.join(processes.path, '.memory');
  const pathOf = (name: string) => path.join(folder(), `${name}.md`);
  const newStore = () => new MemoryStore({ folder: folder(), log: silentLog });

  /** Each process makes its writes as fast as it can, while `look` is called over and over. */
  async function allWrite(
    write: (process: number, write: number) => Command,
    look: () => Promise<void>,
  ): Promise<readonly Answer[]> {
    const writers = Array.from({ length: PROCESSES }, () => processes.start());
    // All are there before the first begins.
    await Promise.all(writers.map((writer) => writer.tell({ do: 'list' })));
    const work = Promise.all(
      writers.flatMap((writer, process) =>
        Array.from({ length: WRITES }, (_, at) => writer.tell(write(process, at))),
      ),
    );
    const writing = { isOver: false };
    const end = () => (writing.isOver = true);
    void work.then(end, end);
    const reader = (async () => {
      while (!writing.isOver) {
        await look();
        await new Promise(setImmediate);
      }
    })();
    const [answers] = await Promise.all([work, reader]);
    assert.deepEqual(
      answers.flatMap(({ warnings }) => warnings),
      [],
    );
    return answers;
  }

  /** A look at the folder that sees only whole files, and never fewer memories than before. */
  function growing(): () => Promise<void> {
    const store = newStore();
    let known = 0;
    let indexed = 0;
    return async () => {
      const { records, damaged } = await store.list();
      assert.deepEqual(damaged, []);
      assert.ok(records.length >= known, `${known} memories became ${records.length}`);
      known = records.length;
      const lines = await linesOfIndex(folder());
      assert.ok(lines >= indexed, `The index shrank from ${indexed} lines to ${lines}`);
      indexed = lines;
    };
  }

  it('keeps every new memory, under a name of its own also where all want the same', async () => {
    const answers = await allWrite(
      (process, at) => ({
        do: 'create',
        name: at % 2 === 0 ? `only-${process}-${at}` : 'same',
        body: `Of process ${process}, number ${at}.`,
      }),
      growing(),
    );
    const records = await recordsIn(folder());
    assert.deepEqual(
      records.map(({ path, hash }) => ({ path, hash })),
      answers.flatMap((answer) => answer.records).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    );
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
    const wanted = [
      ...numbers(PROCESSES).flatMap((process) =>
        numbers(WRITES / 2).map((at) => `only-${process}-${2 * at}.md`),
      ),
      ...numbers((PROCESSES * WRITES) / 2).map((at) =>
        at === 0 ? 'same.md' : `same-${at + 1}.md`,
      ),
    ];
    assert.deepEqual(
      records.map(({ file }) => file),
      wanted.toSorted(),
    );
    assert.equal(new Set(records.map(({ body }) => body)).size, PROCESSES * WRITES);
    await assertTidy(folder());
  });

  it('loses no line that is added to a memory which all of them change', async () => {
    const store = newStore();
    for (const name of LEDGERS)
      await store.create({ name, description: 'Lines', type: 'user', body: 'begin' });
    await allWrite((process, at) => {
      const ledger = LEDGERS[at % LEDGERS.length]!;
      return { do: 'append', path: pathOf(ledger), line: `p${process}-${at}.` };
    }, growing());
    const records = await recordsIn(folder());
    assert.deepEqual(
      records.map(({ name }) => name),
      LEDGERS,
    );
    const lines = records.flatMap(({ body }) => body.split('\n'));
    const wanted = Array.from({ length: PROCESSES * WRITES }, (_, at) => {
      return `p${Math.floor(at / WRITES)}-${at % WRITES}.`;
    });
    assert.deepEqual(lines.toSorted(), [...LEDGERS.map(() => 'begin'), ...wanted].toSorted());
    await assertTidy(folder());

    // Each of the lines was a change, and the text before it is kept.
    assert.equal((await store.trashed()).length, PROCESSES * WRITES);
    const last = await store.lastGroup();
    assert.ok(last);
    await store.undoGroup(last);
    const undone = (await recordsIn(folder())).flatMap(({ body }) => body.split('\n'));
    assert.equal(undone.length, lines.length - 1);
  });

  it('ends with what was created and not removed, and can take every change back', async () => {
    // Four of five are created, and the one before each fifth is removed by its own process.
    const nameOf = (process: number, at: number) => `memory-${process}-${at}`;
    const store = newStore();
    await allWrite(
      (process, at) =>
        at % 5 === 4
          ? { do: 'remove', path: pathOf(nameOf(process, at - 1)) }
          : { do: 'create', name: nameOf(process, at), body: `Number ${at}.` },
      async () => {
        assert.deepEqual((await store.list()).damaged, []);
        await linesOfIndex(folder());
      },
    );
    const all = Array.from({ length: PROCESSES * WRITES }, (_, at) => at % WRITES);
    const left = all.filter((at) => at % 5 < 3).length;
    assert.equal((await recordsIn(folder())).length, left);
    assert.equal((await store.trashed()).length, all.filter((at) => at % 5 === 4).length);
    await assertTidy(folder());

    let undone = 0;
    for (;;) {
      const last = await store.lastGroup();
      if (!last) break;
      await store.undoGroup(last);
      undone++;
      if (undone === TAKEN_BACK) break;
    }
    assert.equal(undone, TAKEN_BACK);
    await assertTidy(folder());
  });
});
