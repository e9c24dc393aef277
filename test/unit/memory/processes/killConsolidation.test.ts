import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isTemporary } from '../../../../src/base/files.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { assertTidy, linesOfIndex, recordsIn } from '../../../support/memoryChecks.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';
import { readTree } from '../../../support/tempFolder.ts';

const KILLS = 40;
/** Files that a consolidation brings into the trash: a copy of each, what it replaces and what it removes, with notes. */
const NEW_FILES = 6;
/** What a killed process left half written is cleared away later than this. */
const LATER_MS = 2 * 60 * 60 * 1000;
const NAMES = ['first', 'second'] as const;
const MERGE = { do: 'merge', files: ['first.md', 'second.md'] } as const;

describe('a process that is killed while it consolidates', function () {
  this.timeout(180_000);
  const processes = useStoreProcesses();

  it(`loses no text, ${KILLS} times`, async () => {
    let cutOff = 0;
    let begun = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const { folder, before, started } = await window(`${kill}`);
      const present = await filesIn(folder);
      const answering = started.ask(MERGE);
      const answered = { yet: false };
      void answering.then(() => (answered.yet = true));
      // Not after a time, which differs from machine to machine, but as soon as so many files have come.
      while ((await filesIn(folder)) < present + (kill % (NEW_FILES + 1)) && !answered.yet);
      await started.kill();
      if (!(await answering)) cutOff++;
      begun += await assertNothingLost(folder, before, `kill ${kill}`);
    }
    // If hardly any were cut off, or all before they wrote, the test says nothing.
    assert.ok(cutOff > KILLS / 5, `Only ${cutOff} of ${KILLS} were cut off.`);
    assert.ok(begun > KILLS / 10, `Only ${begun} of ${KILLS} had begun to write.`);
  });

  /** A window that has started, on a folder with two memories of which the files are given. */
  async function window(name: string) {
    const folder = path.join(processes.path, name, '.memory');
    const store = new MemoryStore({ folder, log: silentLog });
    for (const each of NAMES)
      await store.create({ name: each, description: each, type: 'user', body: textOf(each) });
    const files = await Promise.all(
      NAMES.map((each) => fs.readFile(`${folder}/${each}.md`, 'utf8')),
    );
    const started = processes.start({ folder });
    await started.tell({ do: 'list' });
    return { folder, before: files, started };
  }
});

/** In the trash, the folders in it included. */
async function filesIn(folder: string): Promise<number> {
  const entries = await fs.readdir(path.join(folder, '.trash'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile() && !isTemporary(entry.name)).length;
}

/** Whether the consolidation had written anything: 1 or 0. */
async function assertNothingLost(
  folder: string,
  before: readonly string[],
  what: string,
): Promise<number> {
  const bodies = (await recordsIn(folder)).map(({ body }) => body);
  for (const name of NAMES)
    assert.ok(
      bodies.some((body) => body.includes(textOf(name))),
      `${what}: no memory says what the ${name} one said.`,
    );
  // Each file as it was: in its place, in the trash, or in the copy that was taken first.
  const texts = Object.values(await readTree(folder));
  for (const text of before) assert.ok(texts.includes(text), `${what}: an old text is gone.`);
  await linesOfIndex(folder);

  const now = () => new Date(Date.now() + LATER_MS);
  const next = new MemoryStore({ folder, log: silentLog, now });
  await next.create({ name: 'next', description: 'Next', type: 'user', body: 'Next.' });
  await next.refresh();
  await assertTidy(folder);
  return bodies.length < before.length || bodies.some((body) => body.includes('\n')) ? 1 : 0;
}

function textOf(name: string): string {
  return `What the ${name} memory says.`;
}
