import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { OutputFile } from '../../../src/base/outputFile.ts';
import { createFileNow } from '../../../src/base/writeNow.ts';
import { mountSmallDisk } from '../../support/smallDisk.ts';
import { readTree, useTempFolder } from '../../support/tempFolder.ts';

describe('the file of an output', () => {
  const temp = useTempFolder();
  const at = (name: string) => path.join(temp.path, name);
  const output = (maxBytes = 1_000, file = at('out')) =>
    new OutputFile({
      open: async () => {
        createFileNow(file, new Uint8Array());
        return file;
      },
      maxBytes,
    });

  it('is made with the first text, and holds each in turn, whatever is in it', async () => {
    const made = output();
    assert.deepEqual(await readTree(temp.path), {});
    assert.deepEqual(made.kept, { file: undefined, chars: 0, lost: 0, problem: undefined });
    for (const text of ['a\r\n', '\0', '한👍']) await made.write(text);
    assert.deepEqual(await readTree(temp.path), { out: 'a\r\n\0한👍' });
    assert.deepEqual(made.kept, { file: at('out'), chars: 7, lost: 0, problem: undefined });
  });

  it('grows to its bound, counts what comes after, and has no gap', async () => {
    const made = output(5);
    for (const text of ['한', 'abc', 'd', 'e']) await made.write(text);
    assert.deepEqual(await readTree(temp.path), { out: '한' });
    assert.deepEqual(made.kept, { file: at('out'), chars: 1, lost: 5, problem: undefined });
  });

  it('says why it could not be made, and tries no more', async () => {
    let tries = 0;
    const made = new OutputFile({
      open: async () => {
        tries++;
        throw new Error('the disk can only be read.');
      },
      maxBytes: 10,
    });
    await made.write('ab');
    await made.write('c');
    const problem = 'the disk can only be read.';
    assert.deepEqual(made.kept, { file: undefined, chars: 0, lost: 3, problem });
    assert.equal(tries, 1);
  });

  it('is not made anew when it is deleted meanwhile', async () => {
    const made = output();
    await made.write('ab');
    await fs.rm(at('out'));
    await made.write('cde');
    assert.deepEqual(await readTree(temp.path), {});
    assert.equal(made.kept.lost, 3);
    assert.match(made.kept.problem ?? '', /out was not written/);
  });

  it('keeps the beginning when the disk is full', async function () {
    const disk = await mountSmallDisk(at('disk'));
    if ('problem' in disk) {
      console.warn(`      No disk to fill (${disk.problem}): a full one is NOT tested.`);
      return this.skip();
    }
    try {
      const made = output(10_000_000, path.join(disk.path, 'out'));
      await made.write('begun');
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- It is a disk, no list.
      await disk.fill({ pages: 2 });
      await made.write('x'.repeat(100_000));
      await made.write('more');
      assert.match(made.kept.problem ?? '', /the disk is full/);
      assert.equal(made.kept.chars, 5);
      assert.equal(made.kept.lost, 100_004);
      assert.match(await fs.readFile(path.join(disk.path, 'out'), 'utf8'), /^begunx*$/);
    } finally {
      disk.unmount();
    }
  });
});
