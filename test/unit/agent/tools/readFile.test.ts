import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { runTool } from '../../../support/workspaceRun.ts';

const lines = (count: number, text = 'line') =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}`).join('\n') + '\n';

describe('read_file', () => {
  const root = useTempFolder();
  const read = (input: unknown) => runTool(root.path, 'read_file', input);

  it('returns a whole file as plain text, with LF and without a mark', async () => {
    await writeTree(root.path, { 'a.txt': '\uFEFFone\r\n\ttwo\r\n' });
    assert.equal(await read({ path: 'a.txt' }), 'one\n\ttwo');
  });

  it('says that a file is empty', async () => {
    await writeTree(root.path, { 'a.txt': '' });
    assert.equal(await read({ path: 'a.txt' }), '(a.txt is empty)');
  });

  it('returns a part with its place and how to read on', async () => {
    await writeTree(root.path, { 'a.txt': lines(10) });
    assert.equal(
      await read({ path: 'a.txt', offset: 3, limit: 2 }),
      '[Lines 3-4 of 10. Read on with offset 5.]\nline 3\nline 4',
    );
    assert.equal(await read({ path: 'a.txt', offset: 10 }), '[Lines 10-10 of 10.]\nline 10');
  });

  it('says how many lines there are when the offset is past the end', async () => {
    await writeTree(root.path, { 'a.txt': lines(10) });
    await assert.rejects(
      read({ path: 'a.txt', offset: 11 }),
      /has 10 lines; line 11 is past its end/,
    );
  });

  it('returns at most 2,000 lines, whatever the limit', async () => {
    await writeTree(root.path, { 'a.txt': lines(2_500) });
    const text = await read({ path: 'a.txt', limit: 100_000 });
    assert.match(text, /^\[Lines 1-2000 of 2500\. Read on with offset 2001\.\]\nline 1\n/);
    assert.match(text, /line 2000$/);
  });

  it('returns at most 50,000 characters, in whole lines', async () => {
    await writeTree(root.path, { 'a.txt': lines(1_000, 'x'.repeat(100)) });
    const text = await read({ path: 'a.txt' });
    assert.ok(text.length <= 50_100 && text.length > 49_000, String(text.length));
    const [, last] = /^\[Lines 1-(\d+) of 1000\./.exec(text) ?? [];
    assert.ok(text.endsWith(` ${last}`));
  });

  it('cuts lines over 2,000 characters and says so', async () => {
    await writeTree(root.path, { 'a.min.js': `${'x'.repeat(5_000)}\nshort\n` });
    const text = await read({ path: 'a.min.js' });
    assert.equal(
      text,
      `[1 long line is cut.]\n${'x'.repeat(2_000)} [... 3000 more characters]\nshort`,
    );
  });

  it('shows what the person has not saved yet', async () => {
    await writeTree(root.path, { 'a.txt': 'saved' });
    const workspace = { ...diskWorkspace([root.path]), readText: async () => 'unsaved' };
    assert.equal(await runTool(workspace, 'read_file', { path: 'a.txt' }), 'unsaved');
  });

  it('names similar files in that folder when there is none of the name', async () => {
    await writeTree(root.path, { 'src/files.ts': '', 'src/folder.ts': '', 'other/flies.ts': '' });
    await assert.rejects(read({ path: 'src/file.ts' }), {
      message: 'There is no file src/file.ts. Did you mean src/files.ts?',
    });
  });

  it('names files of the very name elsewhere, and leaves out what git ignores there', async () => {
    await writeTree(root.path, {
      '.gitignore': 'dist/\n',
      'src/deep/Main.ts': '',
      'dist/main.ts': '',
      'src/mainly.ts': '',
    });
    await assert.rejects(read({ path: 'lib/main.ts' }), {
      message: 'There is no file lib/main.ts. Did you mean src/deep/Main.ts?',
    });
  });

  it('names the file that was meant by a path in quotes, with a line or with other slashes', async () => {
    await writeTree(root.path, { 'src/deep/main.ts': '' });
    for (const written of ['`main.ts`', '"deep/main.ts"', 'src\\deep\\main.ts', 'main.ts:12:3']) {
      await assert.rejects(read({ path: written }), /Did you mean src\/deep\/main\.ts\?$/);
    }
  });

  it('names the file in another folder of the workspace', async () => {
    await writeTree(root.path, { 'app/a.ts': '', 'lib/src/b.ts': '' });
    const folders = ['app', 'lib'].map((name) => path.join(root.path, name));
    await assert.rejects(
      runTool(diskWorkspace(folders), 'read_file', { path: 'lib/src/b.ts' }),
      ({ message }: Error) =>
        message.endsWith(`Did you mean ${path.join(root.path, 'lib/src/b.ts')}?`),
    );
  });

  it('names at most five files, and sends to glob when there is none', async () => {
    const names = Array.from({ length: 9 }, (_, index) => [`p${index}/index.ts`, '']);
    await writeTree(root.path, Object.fromEntries(names));
    await assert.rejects(
      read({ path: 'index.ts' }),
      /Did you mean (p\d\/index\.ts, ){4}p\d\/index\.ts\?$/,
    );
    await assert.rejects(read({ path: 'unheard-of.txt' }), /Use glob to find the file\.$/);
  });

  it('lists a folder in place of reading it, up to 200 entries', async () => {
    await writeTree(root.path, { 'src/b.ts': '', 'src/a/x.ts': '' });
    assert.equal(await read({ path: 'src' }), 'src is a folder with 2 entries:\na/\nb.ts');
    const many = Array.from({ length: 205 }, (_, index) => [`many/${index}`, '']);
    await writeTree(root.path, Object.fromEntries(many));
    const text = await read({ path: 'many' });
    assert.equal(text.split('\n').length, 202);
    assert.match(text, /with 205 entries:\n[^]*\n\[5 more; use glob with a pattern\.\]$/);
  });

  it('keeps names with line breaks on their line, listed or suggested', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'src/a\nforged': '' });
    assert.equal(
      await runTool(root.path, 'read_file', { path: 'src' }),
      'src is a folder with 1 entries:\na\\u000aforged',
    );
    await assert.rejects(runTool(root.path, 'read_file', { path: 'src/aforged' }), {
      message: 'There is no file src/aforged. Did you mean src/a\\u000aforged?',
    });
  });

  it('refuses binary files, and those too large to hold in memory', async () => {
    await writeTree(root.path, { 'a.png': Buffer.from([1, 0, 2]), 'huge.log': '' });
    await fs.truncate(path.join(root.path, 'huge.log'), 20_000_001);
    await assert.rejects(read({ path: 'a.png' }), /a\.png is binary/);
    await assert.rejects(read({ path: 'huge.log' }), /too many to read\. Use grep or bash/);
  });

  describe('in an archive', () => {
    const PLACES = ['.transcripts/a.jsonl', '.task_outputs/tool-results/a.txt'];

    it('wraps long lines in place of cutting them, and counts what it wrapped', async () => {
      const text = `${'x'.repeat(4_500)}\nshort\n`;
      const pieces = ['x'.repeat(2_000), 'x'.repeat(2_000), 'x'.repeat(500), 'short'];
      for (const place of PLACES) {
        await writeTree(root.path, { [place]: text });
        const whole = await read({ path: place });
        assert.equal(whole, ['[Long lines are wrapped.]', ...pieces].join('\n'));
        assert.equal(
          await read({ path: place, offset: 3, limit: 1 }),
          `[Lines 3-3 of 4. Read on with offset 4.]\n[Long lines are wrapped.]\n${'x'.repeat(500)}`,
        );
      }
    });

    it('does so in every workspace folder and outside of them, and nowhere else', async () => {
      const text = 'x'.repeat(2_001);
      const inside = ['one/.transcripts/a', 'two/.task_outputs/a', 'storage/a'];
      const others = ['one/a', 'one/src/.transcripts/a', 'one/.transcripts2/a'];
      const places = [...inside, ...others];
      await writeTree(root.path, Object.fromEntries(places.map((place) => [place, text])));
      const at = (name: string) => path.join(root.path, name);
      const workspace = diskWorkspace([at('one'), at('two')], [at('storage')]);
      for (const place of places) {
        const result = await runTool(workspace, 'read_file', { path: at(place) });
        assert.equal(result.startsWith('[Long lines are wrapped.]\n'), inside.includes(place));
        assert.equal(result.startsWith('[1 long line is cut.]\n'), others.includes(place));
      }
    });

    it('says nothing of wrapping where no line is long', async () => {
      await writeTree(root.path, { '.transcripts/a.jsonl': 'one\ntwo\n' });
      assert.equal(await read({ path: '.transcripts/a.jsonl' }), 'one\ntwo');
    });

    it('gives back the whole text, portion by portion', async () => {
      const run = fc.constantFrom('x', '漢', '\u{1F600}', 'ab \u{1F469}\u200D\u{1F680}', '\t"\\');
      const piece = fc.oneof(
        fc
          .tuple(run, fc.integer({ min: 0, max: 5_000 }))
          .map(([unit, count]) => unit.repeat(count)),
        fc.constantFrom('\n', '\r\n', '\n\n', 'x'.repeat(1_999), 'x'.repeat(2_000), '\r', '\0'),
      );
      const texts = fc
        .array(piece, { minLength: 1, maxLength: 12 })
        .map((pieces) => pieces.join(''));
      await fc.assert(
        fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, limit) => {
          await writeTree(root.path, { '.task_outputs/a.txt': text });
          const pieces = await readAll('.task_outputs/a.txt', limit);
          assert.ok(pieces.every((line) => line.length <= 2_000 && line.isWellFormed()));
          const plain = text.replaceAll(/\r(?=\n|$)/g, '');
          // Where a line was wrapped it has no end in the file.
          assert.equal(pieces.join(''), plain.replaceAll('\n', ''));
          if (plain.split('\n').every((line) => line.length <= 2_000))
            assert.equal(pieces.join('\n'), plain.replace(/\n$/, ''));
        }),
        { seed: 1, numRuns: 100 },
      );
    });

    it('reads what a tool printed and what a crash left, binary or not', async () => {
      const torn = Buffer.concat([Buffer.from('a\0b\n'), Buffer.from('漢').subarray(0, 2)]);
      await writeTree(root.path, { '.transcripts/a.jsonl': torn });
      assert.equal(await read({ path: '.transcripts/a.jsonl' }), 'a\0b\n\uFFFD');
    });

    it('reads transcripts larger than any file that is written by hand', async () => {
      await writeTree(root.path, { '.transcripts/a.jsonl': 'first\n' });
      await fs.truncate(path.join(root.path, '.transcripts/a.jsonl'), 20_000_001);
      const first = await read({ path: '.transcripts/a.jsonl', limit: 1 });
      assert.match(first, /Read on with offset 2\.\]\n.*\nfirst$/);
    });

    /** The lines of all portions, read as the notes say. */
    async function readAll(file: string, limit: number): Promise<string[]> {
      const lines: string[] = [];
      for (let offset: number | undefined = 1; offset !== undefined;) {
        const text = await read({ path: file, offset, limit });
        if (text === `(${file} is empty)`) return [];
        const [notes = ''] =
          /^(\[Lines [^\n]*\]\n)?(\[Long lines are wrapped\.\]\n)?/.exec(text) ?? [];
        lines.push(...text.slice(notes.length).split('\n'));
        const next = /Read on with offset (\d+)\./.exec(notes)?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      return lines;
    }
  });
});
