import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { StaleRecordError } from '../../../../src/memory/change.ts';
import { retireExpired } from '../../../../src/memory/upkeep/retirement.ts';
import type { MemoryScopes } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { scopesOf, undoLast } from '../../../support/scopes.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const now = new Date('2026-03-01T12:00:00Z');
const LONG_AGO = new Date('2025-01-01T00:00:00Z');
const OLD =
  '---\nname: old\ndescription: Frozen\ntype: project\ncreated: 2025-01-01\n---\n\nOld.\n';

describe('retiring what has expired', () => {
  const temp = useTempFolder();
  let store: MemoryStore;
  let personal: MemoryStore;
  let scopes: MemoryScopes;
  let edited: string | undefined;

  beforeEach(async () => {
    edited = undefined;
    const isBeingEdited = (file: string) => path.basename(file) === edited;
    const storeIn = (name: string) =>
      new MemoryStore({ folder: path.join(temp.path, name), log: silentLog, isBeingEdited });
    store = storeIn('workspace');
    personal = storeIn('personal');
    scopes = scopesOf(store, personal);
    const files = {
      'workspace/a.md': OLD.replace('old', 'a'),
      'workspace/b.md': OLD.replace('old', 'b'),
      'personal/c.md': OLD.replace('old', 'c'),
    };
    await writeTree(temp.path, files, LONG_AGO);
  });

  it('takes what has run out in every scope, as one change to undo', async () => {
    const { changes, retired, failures } = await retire();
    assert.deepEqual(
      changes.map(({ record }) => record.name),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(
      retired.map(({ because }) => because),
      ['age', 'age', 'age'],
    );
    assert.deepEqual(failures, []);
    assert.deepEqual(await left(), []);
    assert.equal((await undoLast(scopes))?.steps.length, 3);
    assert.deepEqual(await left(), ['a', 'b', 'c']);
  });

  it('goes by the rule of each scope', async () => {
    await retireExpired(scopes, { afterDaysOf: ({ kind }) => (kind === 'personal' ? 0 : 30), now });
    assert.deepEqual(await left(), ['c']);
  });

  it('leaves one that is being edited, says why, and takes the others', async () => {
    edited = 'a.md';
    const { retired, failures } = await retire();
    assert.deepEqual(
      retired.map(({ record }) => record.name),
      ['b', 'c'],
    );
    assert.ok(failures[0] instanceof StaleRecordError && failures.length === 1);
    assert.deepEqual(await left(), ['a']);
  });

  it('leaves what is to be spared', async () => {
    await retireExpired(scopes, {
      afterDaysOf: () => 30,
      now,
      spares: ({ name }) => name === 'b',
    });
    assert.deepEqual(await left(), ['b']);
  });

  it('tells what runs out soon, soonest first over all scopes', async () => {
    await fs.rm(path.join(temp.path, 'workspace', 'b.md'));
    await writeTree(temp.path, {
      'workspace/a.md': OLD.replace('created: 2025-01-01', 'expires: 2026-03-09'),
      'personal/c.md': OLD.replace('created: 2025-01-01', 'expires: 2026-03-05'),
    });
    const { upcoming, changes } = await retire();
    assert.deepEqual(
      upcoming.map(({ record }) => record.file),
      ['c.md', 'a.md'],
    );
    assert.deepEqual(changes, []);
  });

  function retire() {
    return retireExpired(scopes, { afterDaysOf: () => 30, now });
  }

  async function left(): Promise<readonly string[]> {
    return (await scopes.list()).records.map(({ name }) => name);
  }
});
