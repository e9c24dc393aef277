import assert from 'node:assert/strict';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { throwAny } from '../../../../src/base/sentence.ts';
import type { Change } from '../../../../src/memory/change.ts';
import type { MemoryScopes } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { dropMemories } from '../../../../src/vscode/memories/dropMemories.ts';
import { newRecord } from '../../../support/records.ts';
import { scopesOf, undoLast } from '../../../support/scopes.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

describe('dropMemories', () => {
  const temp = useTempFolder();
  let scopes: MemoryScopes;
  let told: (readonly Change[])[];
  beforeEach(async () => {
    scopes = scopesOf(new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog }));
    told = [];
    for (const name of ['tabs', 'quotes']) await scopes.create(newRecord(name));
  });

  it('gives memories the type of the group they are dropped on, as one change', async () => {
    await drop(['tabs', 'quotes'], { scope: scopes.home, type: 'feedback' });
    assert.deepEqual(await places(), ['workspace feedback quotes', 'workspace feedback tabs']);
    assert.deepEqual(
      told.map((changes) => changes.length),
      [2],
    );
    await undoLast(scopes);
    assert.deepEqual(await places(), ['workspace user quotes', 'workspace user tabs']);
  });

  it('moves memories to the place they are dropped on, with or without another type', async () => {
    await drop(['tabs'], { scope: scopes.personal, type: 'project' });
    await drop(['quotes'], { scope: scopes.personal, type: undefined });
    assert.deepEqual(await places(), ['personal project tabs', 'personal user quotes']);
    await undoLast(scopes);
    await undoLast(scopes);
    assert.deepEqual(await places(), ['workspace user quotes', 'workspace user tabs']);
  });

  it('changes and tells nothing where they are already', async () => {
    await drop(['tabs'], { scope: scopes.home, type: 'user' });
    await drop(['tabs'], { scope: scopes.home, type: undefined });
    assert.deepEqual(told, []);
  });

  it('tells of what was done before something failed', async () => {
    const { folder } = scopes.home.store;
    const isBeingEdited = (file: string) => file.endsWith('tabs.md');
    scopes = scopesOf(new MemoryStore({ folder, log: silentLog, isBeingEdited }));
    await assert.rejects(
      drop(['tabs', 'quotes'], { scope: scopes.home, type: 'project' }),
      /tabs\.md has changes in an editor/,
    );
    assert.deepEqual(
      told.flat().map(({ record }) => record.name),
      ['quotes'],
    );
  });

  async function drop(
    names: readonly string[],
    target: Parameters<typeof dropMemories>[1]['target'],
  ): Promise<void> {
    const { records } = await scopes.list();
    const paths = records.filter(({ name }) => names.includes(name)).map((record) => record.path);
    await dropMemories(
      scopes,
      { paths, target },
      {
        workThrough: async (some, work) => throwAny((await work(some)).map(({ error }) => error)),
        notify: (changes) => told.push(changes),
      },
    );
  }

  async function places(): Promise<readonly string[]> {
    const { records } = await scopes.list();
    return records
      .map((record) => `${scopes.scopeOf(record)?.kind} ${record.type} ${record.name}`)
      .toSorted();
  }
});
