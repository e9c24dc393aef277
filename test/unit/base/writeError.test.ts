import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createFileAtomically, writeFileAtomically } from '../../../src/base/files.ts';
import { writeError } from '../../../src/base/writeError.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

describe('writeError', () => {
  const temp = useTempFolder();
  const at = (relative: string) => path.join(temp.path, relative);

  it('names the file and what stands in the way, and keeps the cause', () => {
    const cause = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
    const error = writeError('/x/tabs.md', cause);
    assert.ok(error instanceof Error);
    const text = 'tabs.md was not written, and what was there is unchanged: the disk is full.';
    assert.deepEqual([error.message, error.cause], [text, cause]);
  });

  it('leaves alone what it has no better words for', () => {
    const cause = new Error('Odd.');
    assert.equal(writeError('/x/tabs.md', cause), cause);
  });

  it('is what a write says in a folder that is gone', async () => {
    const isGone = /^Error: a\.md was not written.*: its folder is gone\.$/;
    for (const write of [writeFileAtomically, createFileAtomically])
      await assert.rejects(write(at('none/a.md'), 'x'), isGone);
  });

  it('is what a write says in a folder that may not be written to', async function () {
    // Root may write everywhere, and Windows has no such mode.
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    await writeTree(temp.path, { 'a.md': 'old' });
    await fs.chmod(temp.path, 0o500);
    try {
      const isRefused = /^Error: a\.md was not written.*: you may not write to its folder\.$/;
      await assert.rejects(writeFileAtomically(at('a.md'), 'new'), isRefused);
    } finally {
      await fs.chmod(temp.path, 0o700);
    }
    assert.deepEqual(await readTree(temp.path), { 'a.md': 'old' });
  });
});
