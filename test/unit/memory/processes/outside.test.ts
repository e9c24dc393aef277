import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { keepPrivate, shareWithGit } from '../../../../src/memory/folder/gitSharing.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { git as runGit, skipWithoutGit } from '../../../support/git.ts';
import { assertTidy, recordsIn } from '../../../support/memoryChecks.ts';
import type { Answer } from '../../../support/storeProgram.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';

const CHECKOUTS = 20;
const DELETIONS = 25;

describe('a folder of memories that others change as a whole', function () {
  this.timeout(60_000);
  const processes = useStoreProcesses();
  const folder = () => path.join(processes.path, '.memory');
  const newStore = () => new MemoryStore({ folder: folder(), log: silentLog });

  /** Creates one memory after the other until `work` is done; the answers, whether it could or not. */
  async function writeBeside(work: () => Promise<void>): Promise<readonly Answer[]> {
    const writer = processes.start();
    await writer.tell({ do: 'list' });
    const end = { isNear: false };
    const writing = (async () => {
      const answers: Answer[] = [];
      while (!end.isNear) {
        const number = answers.length;
        const answer = await writer.ask({ do: 'create', name: `own-${number}`, body: `${number}` });
        assert.ok(answer, 'The writer ended.');
        answers.push(answer);
      }
      return answers;
    })();
    try {
      await Promise.all([work().finally(() => (end.isNear = true)), writing]);
    } finally {
      await writer.kill();
    }
    return writing;
  }

  it('may be deleted again and again: the writer goes on, and what it wrote since is there', async () => {
    const store = newStore();
    const reader = newStore();
    let lastDeletion = '';
    const answers = await writeBeside(async () => {
      for (let deletion = 0; deletion < DELETIONS; deletion++) {
        await fs.rm(folder(), { recursive: true, force: true, maxRetries: 20, retryDelay: 1 });
        const { damaged } = await reader.list();
        assert.deepEqual(damaged, []);
        // The next is not deleted before the writer has found its way.
        lastDeletion = await firstIn(store);
      }
    });
    for (const { error } of answers)
      if (error) assert.match(error.message, /ENOENT|is gone|was not written|cannot be/);
    const told = answers.flatMap(({ records }) => records.map(({ path }) => path));
    const since = told.slice(told.indexOf(path.join(folder(), lastDeletion)));
    const left = (await recordsIn(folder())).map(({ path }) => path);
    assert.deepEqual(
      since.filter((each) => !left.includes(each)),
      [],
    );
    await store.rebuildIndex();
    await assertTidy(folder());
  });

  it('may be switched to another branch: no private memory is lost, and shared ones follow git', async function () {
    skipWithoutGit(this);
    const git = (...args: readonly string[]) => runGit(processes.path, ...args);
    git('init', '--initial-branch=one');
    const store = newStore();
    // Each branch shares a memory of its own, and both share one that differs.
    const share = async (name: string, body: string) => {
      const { record } = await store.create({ name, description: name, type: 'project', body });
      await shareWithGit(folder(), record.file);
    };
    await share('both', 'Of one.');
    await share('of-one', 'Of one.');
    git('add', '-A');
    git('commit', '-m', 'one');
    git('checkout', '-b', 'two');
    const [both, ofOne] = (await store.list()).records;
    await store.update(both!, { body: 'Of two.' });
    await store.remove(ofOne!, 'not here');
    await keepPrivate(folder(), 'of-one.md');
    await share('of-two', 'Of two.');
    git('add', '-A');
    git('commit', '-m', 'two');

    const reader = newStore();
    const known = new Set<string>();
    const answers = await writeBeside(async () => {
      for (let checkout = 0; checkout < CHECKOUTS; checkout++) {
        git('checkout', checkout % 2 === 0 ? 'one' : 'two');
        const files = (await reader.list()).records.map(({ file }) => file);
        for (const file of known) assert.ok(files.includes(file), `${file} is gone`);
        for (const file of files) if (file.startsWith('own-')) known.add(file);
      }
    });
    assert.deepEqual(
      answers.flatMap(({ error }) => error ?? []),
      [],
    );
    const paths = (await recordsIn(folder())).map(({ path }) => path);
    for (const { records } of answers)
      for (const record of records) assert.ok(paths.includes(record.path), record.path);
    for (const branch of ['one', 'two']) {
      git('checkout', branch);
      await store.refresh();
      const shared = (await recordsIn(folder())).filter(({ file }) => !file.startsWith('own-'));
      assert.deepEqual(
        shared.map(({ name, body }) => [name, body]),
        [
          ['both', `Of ${branch}.`],
          [`of-${branch}`, `Of ${branch}.`],
        ],
      );
      await assertTidy(folder());
      // Nothing of ours has become something to commit.
      assert.equal(git('status', '--porcelain'), '');
    }
  });
});

async function firstIn(store: MemoryStore): Promise<string> {
  for (;;) {
    const [first] = (await store.list()).records;
    if (first) return first.file;
    await new Promise(setImmediate);
  }
}
