import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import {
  DamagedDataError,
  isBusy,
  isDamaged,
  isOwnFailure,
  numberOf,
  openDatabase,
  optionalNumberOf,
  optionalTextOf,
  textOf,
} from '../../../src/base/sqlite.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

describe('Database', () => {
  const temp = useTempFolder();
  const fileOf = () => path.join(temp.path, 'a.db');

  it('makes a private file, and keeps the mode of one that is there', async function () {
    if (process.platform === 'win32') this.skip();
    const mask = process.umask(0);
    try {
      (await openDatabase(fileOf(), { waitMs: 0 })).close();
      assert.equal((await fs.stat(fileOf())).mode & 0o777, 0o600);
      await fs.chmod(fileOf(), 0o640);
      (await openDatabase(fileOf(), { waitMs: 0 })).close();
      assert.equal((await fs.stat(fileOf())).mode & 0o777, 0o640);
    } finally {
      process.umask(mask);
    }
  });

  it('writes a change whole or not at all', async () => {
    const database = await openDatabase(fileOf(), { waitMs: 0 });
    database.exec('CREATE TABLE t (x)');
    assert.equal(
      database.change(() => database.run('INSERT INTO t VALUES (?), (?)', 1, 2)),
      2,
    );
    const half = () =>
      database.change(() => {
        database.run('DELETE FROM t');
        throw new Error('no');
      });
    assert.throws(half, /^Error: no$/);
    assert.equal(database.all('SELECT * FROM t').length, 2);
    assert.equal(database.get('SELECT * FROM t WHERE x = ?', 3), undefined);
    database.close();
  });

  it('takes back a part of a change that fails, and writes the rest', async () => {
    const database = await openDatabase(fileOf(), { waitMs: 0 });
    database.exec('CREATE TABLE t (x)');
    database.change(() => {
      database.run('INSERT INTO t VALUES (1)');
      const half = () =>
        database.part(() => {
          database.run('INSERT INTO t VALUES (2)');
          throw new Error('no');
        });
      assert.throws(half, (error) => isOwnFailure(error));
      database.part(() => database.run('INSERT INTO t VALUES (3)'));
    });
    assert.deepEqual(
      database.all('SELECT x FROM t').map(({ x }) => x),
      [1, 3],
    );
    database.close();
  });

  it('tells apart a file that is held by another and one that is damaged', async () => {
    const first = await openDatabase(fileOf(), { waitMs: 0 });
    const second = await openDatabase(fileOf(), { waitMs: 0 });
    first.change(() => {
      assert.throws(
        () => second.change(() => {}),
        (error) => isBusy(error) && !isDamaged(error),
      );
    });
    first.close();
    second.close();
    await fs.writeFile(fileOf(), 'no database '.repeat(100));
    const damaged = await openDatabase(fileOf(), { waitMs: 0 });
    assert.throws(
      () => damaged.get('PRAGMA user_version'),
      (error) => isDamaged(error) && !isBusy(error),
    );
    damaged.close();
    for (const other of [new Error('x'), undefined, { errcode: 5 }])
      assert.deepEqual([isBusy(other), isDamaged(other)], [false, false]);
  });

  it('gives values of the kind that was asked for, and calls all else damaged, though not the file', () => {
    const row = { text: 'a', number: 1, none: null };
    assert.deepEqual([textOf(row, 'text'), numberOf(row, 'number')], ['a', 1]);
    assert.deepEqual(
      [optionalTextOf(row, 'none'), optionalNumberOf(row, 'none')],
      [undefined, undefined],
    );
    const wrong = [
      () => textOf(row, 'number'),
      () => textOf(row, 'none'),
      () => numberOf(row, 'text'),
      () => numberOf(row, 'other'),
    ];
    for (const read of wrong)
      assert.throws(read, (error) => error instanceof DamagedDataError && !isDamaged(error));
  });
});
