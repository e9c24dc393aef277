import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, it } from 'mocha';
import { FolderLock, FolderLockedError } from '../../../src/base/folderLock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

/** Takes the lock, says so, and holds it until it is killed. */
const HOLDER = `
import { FolderLock } from ${JSON.stringify(path.resolve('src/base/folderLock.ts'))};
import { silentLog } from ${JSON.stringify(path.resolve('src/base/log.ts'))};
const lock = new FolderLock({ folder: process.argv[1], log: silentLog });
const never = new Promise(() => {});
// Whoever waits for a promise that nobody holds is garbage, and the lock with it.
setInterval(() => never, 1000);
await lock.run(async () => {
  console.log('held');
  await never;
});
`;

describe('FolderLock', () => {
  const temp = useTempFolder();
  const children: ChildProcess[] = [];
  let warnings: string[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    warnings = [];
  });

  function newLock(patienceMs?: number): FolderLock {
    const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
    return new FolderLock({
      folder: temp.path,
      log,
      ...(patienceMs !== undefined && { patienceMs }),
    });
  }

  async function holder(): Promise<ChildProcess> {
    const args = ['--input-type=module', '--eval', HOLDER, temp.path];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  it('lets one work at a time, in the same process too', async () => {
    const seen: string[] = [];
    const run = (name: string) =>
      newLock().run(async () => {
        seen.push(`${name} begins`);
        await new Promise(setImmediate);
        seen.push(`${name} ends`);
      });
    await Promise.all([run('a'), run('b'), run('c')]);
    for (let at = 0; at < seen.length; at += 2)
      assert.equal(seen[at]?.replace('begins', 'ends'), seen[at + 1]);
    assert.equal(seen.length, 6);
  });

  it('is free again when the work fails', async () => {
    const lock = newLock(0);
    await assert.rejects(
      lock.run(() => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.equal(await lock.run(() => Promise.resolve('done')), 'done');
  });

  it('waits while another process lives, and says so when that takes too long', async () => {
    await holder();
    let ran = false;
    const late = newLock(0).run(() => {
      ran = true;
      return Promise.resolve();
    });
    await assert.rejects(late, (error) => {
      assert.ok(error instanceof FolderLockedError);
      assert.match(
        error.message,
        /Another window has been at work .* Nothing was changed; try again/,
      );
      return true;
    });
    assert.equal(ran, false);
  });

  it('goes to the next as soon as its owner is killed', async () => {
    const child = await holder();
    const waiting = newLock().run(() => Promise.resolve('mine'));
    child.kill('SIGKILL');
    assert.equal(await waiting, 'mine');
    assert.deepEqual(warnings, []);
  });

  it('leaves one private, empty file, and touches nothing else', async () => {
    await newLock().run(async () => {
      assert.deepEqual(await readTree(temp.path), { '.lock': '' });
    });
    assert.deepEqual(await readTree(temp.path), { '.lock': '' });
    if (process.platform === 'win32') return;
    assert.equal((await fs.stat(path.join(temp.path, '.lock'))).mode & 0o777, 0o600);
  });

  it('works without a lock, and warns once, where there can be none', async () => {
    await writeTree(temp.path, { '.lock': 'Not a database, but something else. '.repeat(100) });
    const lock = newLock();
    assert.equal(await lock.run(() => Promise.resolve(1)), 1);
    assert.equal(await lock.run(() => Promise.resolve(2)), 2);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /cannot be locked.*\.lock is not empty/);
  });

  it('plays back no journal that came with a repository', async () => {
    const journal = await interruptedDatabase(path.join(temp.path, '.lock'));
    const before = await readTree(temp.path);
    assert.ok('.lock-journal' in before);
    await newLock().run(async () => {});
    assert.deepEqual(await readTree(temp.path), before);

    // Without its database a journal is what a crash left, whatever it says.
    await writeTree(temp.path, { '.lock': '', '.lock-journal': journal });
    await newLock().run(async () => {});
    assert.deepEqual(await readTree(temp.path), { '.lock': '' });
  });

  it('follows no link', async () => {
    await writeTree(temp.path, { other: '' });
    await fs.symlink('other', path.join(temp.path, '.lock'));
    await newLock().run(async () => {});
    assert.match(warnings[0] ?? '', /\.lock is a link and not a file/);
  });
});

/** Writes a database as a crash in the midst of a change leaves it, with its journal, and returns that. */
async function interruptedDatabase(file: string): Promise<Buffer> {
  const database = new DatabaseSync(`${file}-live`);
  database.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA cache_size = 1; BEGIN');
  // More than the cache holds goes to the disk before the end.
  for (let row = 0; row < 100; row++) database.exec(`INSERT INTO t VALUES ('${'x'.repeat(1000)}')`);
  database.exec('UPDATE t SET x = 2');
  await fs.copyFile(`${file}-live`, file);
  await fs.copyFile(`${file}-live-journal`, `${file}-journal`);
  database.close();
  await fs.rm(`${file}-live`);
  return fs.readFile(`${file}-journal`);
}
