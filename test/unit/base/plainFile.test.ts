import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { chunksOf, PlainFileReader } from '../../../src/base/plainFile.ts';
import { useTempFolder, writeTree } from '../../support/tempFolder.ts';

describe('a reader of plain files', () => {
  const temp = useTempFolder();
  const at = (name: string) => path.join(temp.path, name);

  for (const [speed, clock] of [
    ['a quick disk', () => 0],
    ['a slow disk', ticking(100)],
  ] as const) {
    describe(`on ${speed}`, () => {
      const read = (...names: string[]) => new PlainFileReader(10, clock).read(names.map(at));

      it('returns the bytes of each, in order, empty files too', async () => {
        const names = Array.from({ length: 100 }, (_, index) => `f${index}`);
        await writeTree(temp.path, Object.fromEntries(names.map((name) => [name, name])));
        await writeTree(temp.path, { empty: '' });
        assert.deepEqual((await read(...names, 'empty')).map(String), [...names, '']);
      });

      it('leaves what is too large, missing or a folder', async () => {
        await writeTree(temp.path, { large: 'x'.repeat(11), just: 'x'.repeat(10), 'folder/a': '' });
        const contents = await read('large', 'just', 'gone', 'just/gone', 'folder');
        assert.deepEqual(
          contents.map((content) => (Buffer.isBuffer(content) ? String(content) : content)),
          ['large', 'x'.repeat(10), undefined, undefined, undefined],
        );
      });

      it('follows no link and waits for no pipe', async function () {
        if (process.platform === 'win32') this.skip();
        await writeTree(temp.path, { file: 'x' });
        await fs.symlink('file', at('link'));
        execFileSync('mkfifo', [at('pipe')]);
        const [link, pipe] = await read('link', 'pipe');
        assert.ok(link instanceof Error && 'code' in link && link.code === 'ELOOP');
        assert.equal(pipe, undefined);
      });
    });
  }

  it('lets the editor breathe as long as it reads at once', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}`);
    await writeTree(temp.path, Object.fromEntries(names.map((name) => [name, ''])));
    let breaths = 0;
    let isReading = true;
    const breathe = () => {
      breaths += 1;
      if (isReading) setImmediate(breathe);
    };
    setImmediate(breathe);
    // A millisecond passes with each look at the clock.
    await new PlainFileReader(10, ticking(0.9)).read(names.map(at));
    isReading = false;
    assert.ok(breaths >= 10, `${breaths} breaths`);
  });

  it('gives a large file in chunks that make it whole, and nothing of a pipe', async function () {
    if (process.platform === 'win32') this.skip();
    const text = Array.from({ length: 300_000 }, (_, index) => `line ${index}`).join('\n');
    await writeTree(temp.path, { file: text });
    execFileSync('mkfifo', [at('pipe')]);
    const chunks = await all(chunksOf(at('file')));
    assert.ok(chunks.length > 2);
    assert.equal(Buffer.concat(chunks).toString(), text);
    assert.deepEqual(await all(chunksOf(at('pipe'))), []);
  });
});

function ticking(step: number): () => number {
  let time = 0;
  return () => (time += step);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
