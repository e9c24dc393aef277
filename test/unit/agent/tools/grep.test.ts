import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { createGrep } from '../../../../src/agent/tools/grep.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { countingWorkspace, runTool } from '../../../support/workspaceRun.ts';

describe('grep', () => {
  const root = useTempFolder();
  const grep = (input: Record<string, unknown>) => runTool(root.path, 'grep', input);

  it('returns path, line and text, without what git ignores', async () => {
    await writeTree(root.path, {
      '.gitignore': '*.log\n',
      'a.log': 'needle',
      'src/a.ts': 'hay\r\n  needle one\r\nneedle two',
      'b.ts': 'needle\n',
    });
    assert.equal(
      await grep({ pattern: 'needle' }),
      'b.ts:1:needle\nsrc/a.ts:2:  needle one\nsrc/a.ts:3:needle two',
    );
  });

  it('searches one file, one folder, or the files that fit a glob', async () => {
    await writeTree(root.path, { 'x/a.ts': 'n', 'x/a.js': 'n', 'y/a.ts': 'n' });
    assert.equal(await grep({ pattern: 'n', path: 'x/a.js' }), 'x/a.js:1:n');
    assert.equal(await grep({ pattern: 'n', path: 'x' }), 'x/a.js:1:n\nx/a.ts:1:n');
    assert.equal(await grep({ pattern: 'n', glob: '*.ts' }), 'x/a.ts:1:n\ny/a.ts:1:n');
  });

  it('matches line by line, so that anchors hold in files with CRLF', async () => {
    await writeTree(root.path, { a: 'one end\r\nend two\r\n' });
    assert.equal(await grep({ pattern: 'end$' }), 'a:1:one end');
    assert.equal(await grep({ pattern: '^end' }), 'a:2:end two');
  });

  it('knows Unicode classes, and expressions that are only valid without them', async () => {
    await writeTree(root.path, { a: 'é\n-\n' });
    assert.equal(await grep({ pattern: String.raw`^\p{L}$` }), 'a:1:é');
    assert.equal(await grep({ pattern: String.raw`^\-$` }), 'a:2:-');
  });

  it('ignores case when asked to', async () => {
    await writeTree(root.path, { a: 'Needle' });
    assert.equal(await grep({ pattern: 'needle' }), 'No line matches in 1 file.');
    assert.equal(await grep({ pattern: 'needle', ignore_case: true }), 'a:1:Needle');
  });

  it('shows lines around a match once, and parts what is apart', async () => {
    await writeTree(root.path, { a: '1\nhit\n3\nhit\n5\n6\n7\nhit\n', b: 'hit\n2\n3' });
    assert.equal(
      await grep({ pattern: 'hit', context: 1 }),
      'a-1-1 a:2:hit a-3-3 a:4:hit a-5-5 -- a-7-7 a:8:hit -- b:1:hit b-2-2'.replaceAll(' ', '\n'),
    );
  });

  it('cuts a long line to 300 characters with the match in sight', async () => {
    await writeTree(root.path, { a: `${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}` });
    const row = await grep({ pattern: 'needle' });
    assert.match(row, /^a:1:\.\.\.x{80}needley+\.\.\.$/);
    assert.equal(row.length, 'a:1:'.length + 300 + 6);
  });

  it('stops at 200 matching lines, leaves the other files unread, and says so', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 'hit\n']);
    await writeTree(root.path, Object.fromEntries(files));
    const workspace = countingWorkspace(root.path);
    const rows = (await runTool(workspace, 'grep', { pattern: 'hit' })).split('\n');
    assert.equal(rows.length, 201);
    assert.match(rows.at(-1) ?? '', /^\[Stopped at 200 matching lines, so there may be more/);
    assert.ok(workspace.reads.length <= 300, `${workspace.reads.length} files read`);
  });

  it('stops at 30,000 characters', async () => {
    await writeTree(root.path, { a: `${'hit '.repeat(70)}\n`.repeat(180) });
    const text = await grep({ pattern: 'hit' });
    assert.ok(text.length <= 30_200, String(text.length));
    assert.match(text, /\n\[Stopped at \d+ matching lines/);
  });

  it('skips binary files and files over 2 MB, and says so', async () => {
    await writeTree(root.path, {
      'a.bin': Buffer.from('needle\0'),
      'latin.txt': Buffer.from([0x6e, 0xe9]),
      'big.txt': 'needle\n',
      'small.txt': 'needle\n',
    });
    await fs.truncate(path.join(root.path, 'big.txt'), 2_000_001);
    assert.equal(
      await grep({ pattern: 'needle' }),
      [
        'small.txt:1:needle',
        '[Skipped as binary or not UTF-8: 2]',
        '[Skipped as larger than 2 MB: 1 (big.txt)]',
      ].join('\n'),
    );
  });

  it('goes on past files that the system cannot open, and says why', async () => {
    await writeTree(root.path, { a: 'needle', b: 'needle', c: 'needle' });
    const disk = diskWorkspace([root.path]);
    const readText = async (file: string) => {
      if (file.endsWith('c')) return disk.readText(file);
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    };
    assert.equal(
      await runTool({ ...disk, readText }, 'grep', { pattern: 'needle' }),
      'c:1:needle\n[Files that could not be read: 2 (EMFILE)]',
    );
  });

  it('does not take a fault of its own for a binary file', async () => {
    await writeTree(root.path, { a: 'needle' });
    const readText = async () => Promise.reject(new TypeError('x is not a function'));
    const workspace = { ...diskWorkspace([root.path]), readText };
    await assert.rejects(runTool(workspace, 'grep', { pattern: 'needle' }), TypeError);
  });

  it('keeps a file name with a line break on its line', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'x\nsrc/a.ts:1:forged': 'needle' });
    assert.equal(await grep({ pattern: 'needle' }), 'x\\u000asrc/a.ts:1:forged:1:needle');
    assert.equal(
      await grep({ pattern: 'needle', path: 'x\nsrc' }),
      'x\\u000asrc/a.ts:1:forged:1:needle',
    );
  });

  it('finds what the person has not saved yet', async () => {
    await writeTree(root.path, { a: 'saved' });
    const workspace = { ...diskWorkspace([root.path]), readText: async () => 'unsaved' };
    assert.equal(await runTool(workspace, 'grep', { pattern: 'unsaved' }), 'a:1:unsaved');
  });

  it('explains an expression that is not one', async () => {
    await assert.rejects(grep({ pattern: 'f(' }), /Invalid regular expression: .*escape brackets/);
    await assert.rejects(grep({ pattern: '(?i)a' }), /set ignore_case in place of \(\?i\)/);
    await assert.rejects(grep({ pattern: 'a', path: 'gone' }), /There is no file or folder gone/);
  });

  it('ends an expression that never would, and returns what it had', async () => {
    await writeTree(root.path, { a: 'aa\n', b: `${'a'.repeat(60)}b\n`, c: 'aa\n' });
    assert.equal(
      await grep({ pattern: '^(a+)+$' }),
      'a:1:aa\n[Stopped in b: the pattern takes too long to match. Make it simpler.]',
    );
  });

  it('stops after 10 s and says so', async () => {
    await writeTree(root.path, { a: 'hit' });
    const times = [0, 10_001];
    const workspace = diskWorkspace([root.path]);
    const tool = createGrep({ workspace, now: () => times.shift() ?? 0 });
    assert.equal(
      await tool.run({ pattern: 'hit' }, new AbortController().signal),
      'a:1:hit\n[Stopped after 10 s, so there may be more. Narrow the pattern or the path.]',
    );
  });

  it('stops between files once it is aborted', async () => {
    const files = Array.from({ length: 500 }, (_, index) => [`f${index}`, 'x\n']);
    await writeTree(root.path, Object.fromEntries(files));
    const stop = new AbortController();
    const counting = countingWorkspace(root.path);
    const workspace = {
      ...counting,
      readText(file: string) {
        stop.abort();
        return counting.readText(file);
      },
    };
    await assert.rejects(runTool(workspace, 'grep', { pattern: 'y' }, stop.signal), /abort/i);
    assert.ok(counting.reads.length < 100, `${counting.reads.length} files read`);
  });
});
