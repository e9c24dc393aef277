import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { assertTidy, linesOfIndex, recordsIn } from '../../../support/memoryChecks.ts';
import type { Answer, Command } from '../../../support/storeProgram.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';

const ROUNDS = 25;
/** Written during a merge. */
const MOST_LINES = 4;

describe('two windows on the same memories', function () {
  this.timeout(60_000);
  const processes = useStoreProcesses();
  const folder = () => path.join(processes.path, '.memory');
  const pathOf = (name: string) => path.join(folder(), `${name}.md`);

  it('lose no line when one consolidates and undoes while the other writes', async () => {
    const store = new MemoryStore({ folder: folder(), log: silentLog });
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth'])
      await store.create({ name, description: name, type: 'user', body: `Of the ${name}.` });
    const [tidier, writer] = [processes.start(), processes.start()];

    const merged: Answer[] = [];
    const undone: Answer[] = [];
    const written: string[] = [];
    // The second memory is gone after a merge, and comes back here when its undoing failed.
    const write = async (lines: number) => {
      for (let at = 0; at < lines; at++) {
        const name = at % 2 === 0 ? 'first' : 'second';
        const line = `Line ${written.length}.`;
        const { error } = await answerOf(writer, { do: 'append', path: pathOf(name), line });
        if (!error) written.push(line);
        else await answerOf(writer, { do: 'restore', path: pathOf(name) });
        await linesOfIndex(folder());
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      // A merge of what changes all the time is not made, so now and then nobody writes.
      const lines = round % (MOST_LINES + 1);
      const merge = answerOf(tidier, { do: 'merge', files: ['first.md', 'second.md'] });
      merged.push((await Promise.all([merge, write(lines)]))[0]);
      // Not what was changed last, which may be of the other window.
      const undo = answerOf(tidier, { do: 'undoMerge' });
      undone.push((await Promise.all([undo, write(MOST_LINES - lines)]))[0]);
    }

    const lines = (await recordsIn(folder())).flatMap(({ body }) => body.split('\n'));
    const kept = new Set(lines);
    assert.deepEqual(
      written.filter((line) => !kept.has(line)),
      [],
    );
    assert.ok(
      merged.some(({ error, records }) => !error && records.length > 0),
      'None was merged.',
    );
    assert.ok(
      undone.some(({ error }) => !error),
      'None was undone.',
    );
    assert.ok(written.length > 0, 'None was written.');
    await assertTidy(folder());
  });

  async function answerOf(
    window: { ask(command: Command): Promise<Answer | undefined> },
    command: Command,
  ): Promise<Answer> {
    const answer = await window.ask(command);
    assert.ok(answer, `The window ended at ${command.do}.`);
    return answer;
  }
});
