import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { lookNow } from '../../../../src/base/files.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { applyConsolidation } from '../../../../src/memory/consolidation/consolidation.ts';
import { planConsolidation } from '../../../../src/memory/consolidation/consolidationPlan.ts';
import { recoverConsolidation } from '../../../../src/memory/consolidation/consolidationRecovery.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { git, skipWithoutGit } from '../../../support/git.ts';
import { AFTERWARDS, CHANGES, RECORDS } from '../../../support/consolidationCase.ts';
import { assertTidy } from '../../../support/memoryChecks.ts';
import { newRecord } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';

/** What is written down before a consolidation begins. */
const BEGUN = '.trash/consolidation.json';
const SEAL = '.trash/consolidation.seal.json';

describe('recoverConsolidation', () => {
  const temp = useTempFolder();

  /** A folder whose consolidation was cut off after so many changes, and a window that opens on it. */
  async function cutOffAfter(count: number) {
    const folder = path.join(temp.path, '.memory');
    const dying = new MemoryStore({ folder, log: silentLog });
    for (const record of RECORDS) await dying.create(record);
    const before = await recordFiles(folder);
    const model = scriptedModel([JSON.stringify(CHANGES)]);
    const options = { store: dying, model, log: silentLog, unattended: true };
    const { changes } = await planConsolidation(options, new AbortController().signal);
    const { consolidations } = dying;
    const carryOut = consolidations.carryOut.bind(consolidations);
    const end = consolidations.end.bind(consolidations);
    let done = 0;
    consolidations.carryOut = (work, group) =>
      // From here on it is as if the window were dead.
      done++ < count ? carryOut(work, group) : Promise.resolve(undefined);
    consolidations.end = () => Promise.resolve();
    await applyConsolidation(changes, { store: dying, log: silentLog });
    consolidations.end = end;
    const store = new MemoryStore({ folder, log: silentLog });
    const bodies = async () =>
      Object.fromEntries((await store.list()).records.map(({ file, body }) => [file, body]));
    return { folder, store, before, bodies, dying };
  }

  it('does nothing, and makes nothing, where nothing was begun', async () => {
    const store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
    assert.deepEqual(await recoverConsolidation(store, silentLog), []);
    assert.deepEqual(await readTree(temp.path), {});
  });

  for (const count of [0, 1, 2, 3, 4]) {
    it(`completes one that was cut off after ${count} changes, to be undone as one`, async () => {
      const { folder, store, before, bodies } = await cutOffAfter(count);
      const changes = await recoverConsolidation(store, silentLog);
      assert.deepEqual(await bodies(), AFTERWARDS);
      assert.deepEqual(
        changes.map(({ record }) => record.file),
        ['tabs.md indentation.md spaces.md', 'server.md port.md', 'quotes.md', 'deadline.md']
          .slice(count)
          .flatMap((files) => files.split(' ')),
      );
      assert.equal(await store.consolidations.begun(), undefined);
      assert.deepEqual(await recoverConsolidation(store, silentLog), []);
      await assertTidy(folder);
      const scopes = scopesOf(store);
      await scopes.undoChange((await scopes.lastConsolidation())!);
      assert.deepEqual(await recordFiles(folder), before);
    });
  }

  it('completes a merge of which only the new text was written, and can undo what was not noted', async () => {
    const { folder, store, before, bodies } = await cutOffAfter(0);
    const { works } = JSON.parse(await fs.readFile(path.join(folder, BEGUN), 'utf8')) as {
      works: { rewrite: { text: string }; reason: string }[];
    };
    // As the files are when it dies between the two: the old text is kept, the new one stands, nothing is noted.
    // Another text went for the same reason later.
    const tabs = await fs.readFile(path.join(folder, 'tabs.md'), 'utf8');
    const { reason } = works[0]!;
    for (const [stamp, text] of Object.entries({ '20260301': tabs, '20270301': 'Another.' })) {
      const trashed = `.trash/${stamp}T120000000Z-tabs.md`;
      const note = { file: 'tabs.md', removed: '2026-03-01', reason, kind: 'replaced' };
      await writeTree(folder, { [trashed]: text, [`${trashed}.json`]: JSON.stringify(note) });
    }
    await fs.writeFile(path.join(folder, 'tabs.md'), works[0]!.rewrite.text);
    await recoverConsolidation(store, silentLog);
    assert.deepEqual(await bodies(), AFTERWARDS);
    const scopes = scopesOf(store);
    await scopes.undoChange((await scopes.lastConsolidation())!);
    assert.deepEqual(await recordFiles(folder), before);
  });

  it('leaves what was written since, and does the rest', async () => {
    const { folder, store, bodies } = await cutOffAfter(1);
    await fs.appendFile(path.join(folder, 'port.md'), 'By hand.\n');
    await fs.appendFile(path.join(folder, 'tabs.md'), 'By hand.\n');
    await store.create(newRecord('later'));
    await recoverConsolidation(store, silentLog);
    assert.deepEqual(await bodies(), {
      ...AFTERWARDS,
      'later.md': 'About later.',
      'port.md': 'The server listens on port 8080.\nBy hand.',
      'server.md': 'The server listens on 8080 behind nginx.',
      'tabs.md': `${AFTERWARDS['tabs.md']}\nBy hand.`,
    });
  });

  it('does not do again what a person has taken back', async () => {
    const { folder, store, before } = await cutOffAfter(2);
    const scopes = scopesOf(store);
    await scopes.undoChange((await scopes.lastConsolidation())!);
    assert.deepEqual(await recoverConsolidation(store, silentLog), []);
    assert.deepEqual(await recordFiles(folder), before);
    assert.equal(await store.consolidations.begun(), undefined);
  });

  it('does not interfere while the other window is still at it', async () => {
    const { folder, store, dying } = await cutOffAfter(1);
    const files = await recordFiles(folder);
    await dying.consolidations.alone(async () => {
      assert.deepEqual(await recoverConsolidation(store, silentLog), []);
      assert.deepEqual(await recordFiles(folder), files);
    });
    assert.ok((await recoverConsolidation(store, silentLog)).length > 0);
  });

  it('goes before the next consolidation', async () => {
    const { store, bodies } = await cutOffAfter(1);
    const model = scriptedModel(['{}']);
    const options = { store, model, log: silentLog, unattended: false };
    await planConsolidation(options, new AbortController().signal);
    assert.deepEqual(await bodies(), AFTERWARDS);
  });

  it('loses nothing of one under way when the trash is emptied', async () => {
    const { store, bodies } = await cutOffAfter(1);
    await store.emptyTrash();
    await recoverConsolidation(store, silentLog);
    assert.deepEqual(await bodies(), AFTERWARDS);
  });

  for (const [how, copy] of Object.entries({
    'an archive': (from: string, to: string) =>
      fs.cp(path.join(from, '.memory'), path.join(to, '.memory'), {
        recursive: true,
        preserveTimestamps: true,
      }),
    'a clone': async (from: string, to: string) => {
      git(from, 'init');
      git(from, 'add', '--force', '.');
      git(from, 'commit', '-m', 'all');
      git(from, 'clone', '.', to);
    },
  })) {
    it(`leaves what was begun elsewhere and came with ${how}, and says so`, async function () {
      if (how === 'a clone') skipWithoutGit(this);
      const { folder } = await cutOffAfter(1);
      const clone = path.join(temp.path, 'clone');
      // An archive brings the time too, to the second.
      const { ino, size } = lookNow(path.join(folder, BEGUN))!;
      await fs.utimes(path.join(folder, BEGUN), 1_800_000_000, 1_800_000_000);
      await writeTree(folder, {
        [SEAL]: JSON.stringify({ ino, size, modified: 1_800_000_000_000 }),
      });
      assert.ok(await new MemoryStore({ folder, log: silentLog }).consolidations.begun());
      await copy(path.dirname(folder), clone);
      const warnings: string[] = [];
      const log = { ...silentLog, warn: (line: string) => warnings.push(line) };
      const store = new MemoryStore({ folder: path.join(clone, '.memory'), log });
      const before = await readTree(store.folder);
      assert.deepEqual(await recoverConsolidation(store, log), []);
      assert.deepEqual(await readTree(store.folder), before);
      assert.match(warnings.join('\n'), /consolidation\.json .* not begun on this computer/);
    });
  }

  it('leaves what was written into the file since it was begun', async () => {
    const { folder, store } = await cutOffAfter(1);
    const files = await recordFiles(folder);
    const file = path.join(folder, BEGUN);
    const text = await fs.readFile(file, 'utf8');
    // As long as before, by the same name on the disk.
    await fs.writeFile(file, text.replaceAll('never with', 'often with'));
    assert.deepEqual(await recoverConsolidation(store, silentLog), []);
    assert.deepEqual(await recordFiles(folder), files);
  });

  it('does nothing for a seal that is a link', async () => {
    const { folder, store } = await cutOffAfter(1);
    const seal = path.join(folder, SEAL);
    await fs.rename(seal, path.join(temp.path, 'seal.json'));
    await fs.symlink('../../seal.json', seal);
    assert.deepEqual(await recoverConsolidation(store, silentLog), []);
  });

  for (const [what, text] of Object.entries({
    'is no JSON': '{"group":',
    'names a file outside': JSON.stringify({
      group: 'consolidation-1',
      works: [{ remove: [{ file: '../outside.md', hash: 'h' }], reason: 'r' }],
    }),
  })) {
    it(`does nothing for a file that ${what}`, async () => {
      await writeTree(temp.path, { [`.memory/${BEGUN}`]: text, 'outside.md': 'Outside.' });
      // As if we had written it.
      const { ino, modified, size } = lookNow(path.join(temp.path, '.memory', BEGUN))!;
      await writeTree(temp.path, { [`.memory/${SEAL}`]: JSON.stringify({ ino, modified, size }) });
      const store = new MemoryStore({ folder: path.join(temp.path, '.memory'), log: silentLog });
      assert.deepEqual(await recoverConsolidation(store, silentLog), []);
      assert.equal(await fs.readFile(path.join(temp.path, 'outside.md'), 'utf8'), 'Outside.');
    });
  }
});

async function recordFiles(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await readTree(folder));
  return Object.fromEntries(
    files.filter(([file]) => !file.startsWith('.') && file !== 'MEMORY.md'),
  );
}
