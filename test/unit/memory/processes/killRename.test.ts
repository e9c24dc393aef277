import assert from 'node:assert/strict';
import { existsSync, promises as fs, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';

/** So many records point to the one that is renamed. */
const LINKING = 4;
/** A kill falls a little behind the moment that was waited for, never at the same place. */
const ROUNDS = 2;

describe('a process that is killed while it renames', function () {
  this.timeout(120_000);
  const processes = useStoreProcesses();

  it('leaves a change that is taken back whole, with the links and the sharing', async () => {
    const folder = path.join(processes.path, '.memory');
    const at = (file: string) => path.join(folder, file);
    await fs.mkdir(folder);
    await fs.writeFile(at('.gitignore'), '*\n!/.gitignore\n!/old.md\n');
    await fs.writeFile(at('old.md'), textOf('old', 'It is [[old]] itself.'));
    const linking = Array.from({ length: LINKING }, (_, number) => `m${number}.md`);
    for (const file of linking) await fs.writeFile(at(file), textOf(file, '[a](old.md) [[old]]'));
    const before = await textsIn(folder);
    const says = (file: string) => existsSync(at(file)) && readFileSync(at(file), 'utf8');
    const moments: readonly (() => boolean)[] = [
      () => existsSync(at('new.md')),
      () => !existsSync(at('old.md')),
      () => says('.gitignore') !== before.get('.gitignore'),
      ...linking.map((file) => () => says(file) !== before.get(file)),
    ];
    let cutOff = 0;
    for (const [moment, hasCome] of Array.from({ length: ROUNDS }, () => moments)
      .flat()
      .entries()) {
      const started = processes.start({ folder });
      await started.tell({ do: 'list' });
      const answering = started.ask({ do: 'rename', path: at('old.md'), to: 'new' });
      while (!hasCome()) await new Promise(setImmediate);
      await started.kill();
      if (!(await answering)) cutOff += 1;
      const store = new MemoryStore({ folder, log: silentLog });
      const group = await store.lastGroup();
      assert.ok(group, `Nobody knows of the change that was cut off at moment ${moment}.`);
      await store.undoGroup(group);
      assert.deepEqual(await textsIn(folder), before, `moment ${moment}`);
      assert.equal(await store.lastGroup(), undefined);
    }
    // If hardly any were cut off in the middle of the change, the test says nothing.
    assert.ok(cutOff > LINKING, `Only ${cutOff} were cut off.`);
  });
});

function textOf(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: About ${name}\ntype: project\n---\n\n${body}\n`;
}

/** Of the memories and the rules for git, by file. */
async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await fs.readdir(folder)).filter((name) =>
    /^(?:[^.].*\.md|\.gitignore)$/.test(name),
  );
  const texts = names
    .filter((name) => name !== 'MEMORY.md')
    .toSorted()
    .map(async (name) => [name, await fs.readFile(path.join(folder, name), 'utf8')] as const);
  return new Map(await Promise.all(texts));
}
