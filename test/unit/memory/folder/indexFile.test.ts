import assert from 'node:assert/strict';
import { promises as fs, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { writeIndex } from '../../../../src/memory/folder/indexFile.ts';
import { Trash } from '../../../../src/memory/folder/trash.ts';
import { aRecord } from '../../../support/records.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const TABS = aRecord({ name: 'tabs', description: 'Prefers tabs' });
const INDEX = '# Memory Index\n\n- [tabs](tabs.md) — Prefers tabs [user]\n';

describe('writeIndex', () => {
  const temp = useTempFolder();
  const file = () => path.join(temp.path, 'MEMORY.md');
  const newTrash = (now = () => new Date(0)) => new Trash(temp.path, now);

  it('makes the index, and writes it again only when it differs', async () => {
    await writeIndex(temp.path, [TABS], newTrash());
    assert.deepEqual(await readTree(temp.path), { 'MEMORY.md': INDEX });
    const { ino } = await fs.stat(file());
    await writeIndex(temp.path, [TABS], newTrash());
    assert.equal((await fs.stat(file())).ino, ino);
  });

  it('keeps in the trash what a person wrote, byte for byte', async () => {
    const latin = Buffer.from('caf\u00E9\n', 'latin1');
    await writeTree(temp.path, { 'MEMORY.md': latin });
    const trash = newTrash();
    await writeIndex(temp.path, [TABS], trash);
    const [kept] = await trash.list();
    assert.deepEqual(await trash.read(kept!), latin);
    assert.equal(await fs.readFile(file(), 'utf8'), INDEX);
  });

  it('leaves what a person wrote since it was read', async () => {
    await writeTree(temp.path, { 'MEMORY.md': '# Memory Index\n\n' });
    const late = {
      ...TABS,
      // Asked for when the index is made, after the old one was read.
      get description() {
        writeFileSync(file(), 'Mine.\n');
        return 'Prefers tabs';
      },
    };
    await assert.rejects(writeIndex(temp.path, [late], newTrash()), /is writing it/);
    assert.deepEqual(await readTree(temp.path), { 'MEMORY.md': 'Mine.\n' });
  });

  it('keeps what a person writes at that very moment', async () => {
    await writeTree(temp.path, { 'MEMORY.md': 'Mine.\n' });
    // Asked for the note in the trash, after the index was read.
    const trash = newTrash(() => {
      writeFileSync(file(), 'Mine too.\n');
      return new Date(0);
    });
    await writeIndex(temp.path, [TABS], trash);
    const [kept] = await trash.list();
    assert.equal((await trash.read(kept!)).toString(), 'Mine too.\n');
    assert.equal(await fs.readFile(file(), 'utf8'), INDEX);
  });
});
