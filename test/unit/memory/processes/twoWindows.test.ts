import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { assertTidy, linesOfIndex, recordsIn } from '../../../support/memoryChecks.ts';
import type { Answer, Command } from '../../../support/storeProgram.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';

const ROUNDS = 25;

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

    const rounds = { areOver: false };
    const merged: Answer[] = [];
    const undone: Answer[] = [];
    const tidying = (async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const merge = { do: 'merge', files: ['first.md', 'second.md'] } as const;
        merged.push(await answerOf(tidier, merge));
        // Not what was changed last, which may be of the other window.
        undone.push(await answerOf(tidier, { do: 'undoMerge' }));
      }
      rounds.areOver = true;
    })();
    // The second memory is gone after a merge, and comes back here when its undoing failed.
    const written: string[] = [];
    const writing = (async () => {
      for (let round = 0; !rounds.areOver; round++) {
        const name = round % 2 === 0 ? 'first' : 'second';
        const line = `Line ${round}.`;
        const { error } = await answerOf(writer, { do: 'append', path: pathOf(name), line });
        if (!error) written.push(line);
        else await answerOf(writer, { do: 'restore', path: pathOf(name) });
        await linesOfIndex(folder());
      }
    })();
    await Promise.all([tidying, writing]);

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
