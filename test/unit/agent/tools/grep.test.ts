import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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

  it('stops at 200 matching lines, leaves the other files unread, and says how to go on', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => [
      `f${1_000 + index}`,
      `hit ${index}\n`,
    ]);
    await writeTree(root.path, Object.fromEntries(files));
    // It would be counted.
    await writeTree(root.path, { g: Buffer.from('\0') });
    const rows = (await grep({ pattern: 'hit' })).split('\n');
    assert.equal(rows.length, 201);
    assert.equal(
      rows.at(-1),
      '[Stopped at 200 matching lines, so there may be more. Narrow the search, or go on with offset 200.]',
    );
    const next = (await grep({ pattern: 'hit', offset: 200 })).split('\n');
    assert.equal(next[0], 'f1200:1:hit 200');
    assert.match(next.at(-1) ?? '', /go on with offset 400/);
    const last = (await grep({ pattern: 'hit', offset: 998, context: 1 })).split('\n');
    assert.deepEqual(last.slice(0, 3), ['f1998:1:hit 998', '--', 'f1999:1:hit 999']);
    assert.match(
      await grep({ pattern: 'hit', offset: 1_000 }),
      /^\[There are only 1000, so nothing/,
    );
  });

  it('goes on where it stopped for want of room, with no line lost or told twice', async () => {
    const line = (number: number) => `hit ${number} ${'x'.repeat(250)}`;
    const text = Array.from({ length: 250 }, (_, number) => line(number)).join('\n');
    await writeTree(root.path, { a: text });
    const found: string[] = [];
    let offset = 0;
    for (let isMore = true; isMore;) {
      const rows = (await grep({ pattern: 'hit', offset, context: 1 })).split('\n');
      const [, next] = /go on with offset (\d+)/.exec(rows.at(-1) ?? '') ?? [];
      isMore = next !== undefined;
      offset = Number(next);
      found.push(
        ...rows.filter((row) => /^a:\d+:/.test(row)).map((row) => row.replace(/^a:\d+:/, '')),
      );
    }
    assert.deepEqual(found, text.split('\n'));
  });

  it('returns files in place of lines, some at a time', async () => {
    const many = Array.from({ length: 250 }, (_, index) => [`m/${1_000 + index}`, 'hit']);
    await writeTree(root.path, { a: 'hit\nhit', b: 'hay', c: 'hit', ...Object.fromEntries(many) });
    assert.equal(
      await grep({ pattern: 'hit', files_only: true, glob: '?' }),
      'a: 2 lines\nc: 1 line',
    );
    const first = (await grep({ pattern: 'hit', files_only: true, path: 'm' })).split('\n');
    assert.match(first.at(-1) ?? '', /Stopped at 200 files, and there are more\..*offset 200/);
    const rest = await grep({ pattern: 'hit', files_only: true, path: 'm', offset: 200 });
    assert.equal(rest.split('\n').length, 50);
    assert.match(rest, /^m\/1200: 1 line\n/);
  });

  it('stops at 30,000 characters', async () => {
    await writeTree(root.path, { a: `${'hit '.repeat(70)}\n`.repeat(180) });
    const text = await grep({ pattern: 'hit' });
    assert.ok(text.length <= 30_200, String(text.length));
    assert.match(text, /\n\[Stopped at \d+ matching lines/);
  });

  it('skips binary files and files over 100 MB, and says so', async () => {
    await writeTree(root.path, {
      'a.bin': Buffer.from('needle\0'),
      'latin.txt': Buffer.from([0x6e, 0xe9]),
      'big.txt': 'needle\n',
      'small.txt': 'needle\n',
    });
    await fs.truncate(path.join(root.path, 'big.txt'), 100_000_001);
    assert.equal(
      await grep({ pattern: 'needle' }),
      [
        'small.txt:1:needle',
        '[Skipped as binary or not UTF-8: 2]',
        '[Skipped as larger than 100 MB: 1 (big.txt)]',
      ].join('\n'),
    );
  });

  it('searches a file of many megabytes, with the lines around a match', async () => {
    const line = `${'x'.repeat(98)}\r\n`;
    await writeTree(root.path, {
      'a.log': `first\n${line.repeat(25_000)}before\nneedle é\nafter\n${line.repeat(10_000)}needle`,
      b: 'needle',
    });
    assert.equal(
      await grep({ pattern: 'needle', context: 1 }),
      [
        'a.log-25002-before',
        'a.log:25003:needle é',
        'a.log-25004-after',
        '--',
        `a.log-35004-${'x'.repeat(98)}`,
        'a.log:35005:needle',
        '--',
        'b:1:needle',
      ].join('\n'),
    );
    assert.equal(await grep({ pattern: '^first$', files_only: true }), 'a.log: 1 line');
    assert.equal(await grep({ pattern: 'nowhere' }), 'No line matches in 2 files.');
  });

  it('skips a large file that is binary or not UTF-8 further on', async () => {
    const large = Buffer.alloc(2_500_000, 'needle\n');
    const broken = Buffer.from(large);
    broken[2_400_000] = 0xff;
    await writeTree(root.path, { a: Buffer.concat([Buffer.from([0]), large]), b: broken });
    const text = await grep({ pattern: '^nothing' });
    assert.equal(text, 'No line matches in 0 files.\n[Skipped as binary or not UTF-8: 2]');
  });

  it('asks the editor for a file that is not UTF-8, since it knows more encodings', async () => {
    await writeTree(root.path, { a: Buffer.from('ca\u00e9 needle', 'latin1') });
    const readText = async (file: string) => fs.readFile(file, 'latin1');
    const workspace = { ...diskWorkspace([root.path]), readText };
    assert.equal(await runTool(workspace, 'grep', { pattern: 'needle' }), 'a:1:ca\u00e9 needle');
  });

  it('goes on past files that the system cannot open, and says why', async () => {
    await writeTree(root.path, { a: Buffer.from([0xff]), b: Buffer.from([0xff]), c: 'needle' });
    const readText = async () =>
      Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    assert.equal(
      await runTool({ ...diskWorkspace([root.path]), readText }, 'grep', { pattern: 'needle' }),
      'c:1:needle\n[Files that could not be read: 2 (EMFILE)]',
    );
  });

  it('does not take a fault of its own for a binary file', async () => {
    await writeTree(root.path, { a: Buffer.from([0xff]) });
    const readText = async () => Promise.reject(new TypeError('x is not a function'));
    const workspace = { ...diskWorkspace([root.path]), readText };
    await assert.rejects(runTool(workspace, 'grep', { pattern: 'needle' }), TypeError);
  });

  it('never opens a pipe, named or met on the way', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { a: 'needle' });
    execFileSync('mkfifo', [path.join(root.path, 'pipe')]);
    assert.equal(await grep({ pattern: 'needle' }), 'a:1:needle');
    await assert.rejects(grep({ pattern: 'needle', path: 'pipe' }), /pipe is no file to search/);
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

  it('finds what the person has not saved yet, and not what it replaces', async () => {
    await writeTree(root.path, { a: 'saved', 'large.txt': 'saved\n'.repeat(400_000), 'way/b': '' });
    await fs.symlink('way', path.join(root.path, 'link'));
    const unsaved = new Map(
      ['a', 'large.txt', 'link/b'].map((name) => [path.join(root.path, name), 'unsaved']),
    );
    const workspace = { ...diskWorkspace([root.path]), unsavedTexts: () => unsaved };
    const search = (input: object) => runTool(workspace, 'grep', input);
    assert.equal(await search({ pattern: '^unsaved' }), 'a:1:unsaved\nlarge.txt:1:unsaved');
    assert.equal(await search({ pattern: '^saved' }), 'No line matches in 3 files.');
    assert.equal(await search({ pattern: 'unsaved', path: 'link/b' }), 'link/b:1:unsaved');
  });

  it('explains an expression that is not one, and a place that is not there', async () => {
    await writeTree(root.path, { 'src/tools/a.ts': '' });
    await assert.rejects(grep({ pattern: 'f(' }), /Invalid regular expression: .*escape brackets/);
    await assert.rejects(
      grep({ pattern: 'a', path: 'gone' }),
      /There is no file or folder gone\. Use/,
    );
    await assert.rejects(
      grep({ pattern: 'a', path: 'scr/tools' }),
      /There is no file or folder scr\/tools\. Did you mean src\/tools\?/,
    );
    assert.match(
      await grep({ pattern: 'a', glob: '*.py' }),
      /0 files\. Perhaps no file fits the glob/,
    );
  });

  it('leaves a file on which an expression would never end, and searches the others', async () => {
    await writeTree(root.path, { a: 'aa\n', b: `aa\n${'a'.repeat(60)}b\n`, c: 'aa\n' });
    assert.equal(
      await grep({ pattern: '^(a+)+$' }),
      [
        'a:1:aa',
        'b:1:aa',
        'c:1:aa',
        '[The pattern takes too long to match in b, the rest of which was left. Make it simpler.]',
      ].join('\n'),
    );
  });

  it('lets others work between two files on which an expression hangs', async () => {
    const hangs = `${'a'.repeat(60)}b\n`;
    await writeTree(root.path, { a: hangs, b: hangs, c: hangs });
    const turns: number[] = [];
    const counter = setInterval(() => turns.push(performance.now()), 1);
    try {
      await grep({ pattern: '^(a+)+$' });
    } finally {
      clearInterval(counter);
    }
    const waits = turns.map((at, index) => at - (turns[index - 1] ?? at));
    // Each takes half a second.
    assert.ok(waits.filter((wait) => wait > 400).length >= 2, String(waits));
  });

  it('gives up an expression that hangs in one file after the other, with what it had', async () => {
    const hangs = `${'a'.repeat(60)}b\n`;
    await writeTree(root.path, { a: 'aa\n', b: hangs, c: hangs, d: hangs, e: 'aa\n' });
    assert.equal(
      await grep({ pattern: '^(a+)+$' }),
      'a:1:aa\n[Stopped: the pattern takes too long to match in b, c, d. Make it simpler.]',
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
    const files = Array.from({ length: 500 }, (_, index) => [`f${index}`, Buffer.from([0xff])]);
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
