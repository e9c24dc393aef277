// The reading tools on trees of the size of real projects: one made here, and the packages this project uses.
// What is asserted is how much they return and touch, never how long they take.

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { countingWorkspace, runTool } from '../../../support/workspaceRun.ts';
import { newTempFolder, writeTree } from '../../../support/tempFolder.ts';

const FILES = 2_600;

describe('the reading tools on a generated tree', function () {
  this.timeout(60_000);
  let root = '';

  before(async () => {
    root = await newTempFolder();
    await writeTree(root, Object.fromEntries(generatedFiles()));
    await writeTree(root, { 'zzz.bin': Buffer.from('\0') });
  });
  after(() => fs.rm(root, { recursive: true, force: true }));

  it('glob lists 200 of the files, counts the others and reads none', async () => {
    const workspace = countingWorkspace(root);
    const rows = (await runTool(workspace, 'glob', { pattern: '**/*.ts' })).split('\n');
    assert.equal(rows.length, 201);
    assert.equal(rows.at(-1), `[${FILES - 200} more. Narrow the pattern or the path.]`);
    assert.deepEqual(workspace.reads, []);
    assert.ok(rows.every((row) => !row.includes('generated')));
  });

  it('grep for a common word stops at its cap with most files unread', async () => {
    const text = await runTool(root, 'grep', { pattern: 'export' });
    assert.equal(text.split('\n').length, 201);
    // It stands at the end, and would be counted.
    assert.doesNotMatch(text, /Skipped as binary/);
  });

  it('grep for a rare word finds it, and looks into no ignored file', async () => {
    const found = await runTool(root, 'grep', { pattern: 'value2599\\b', glob: '*.ts' });
    assert.equal(found, 'package25/module99.ts:2:export const value2599 = 2599;');
    const text = await runTool(root, 'grep', { pattern: 'nowhere to be found', glob: '*.ts' });
    assert.equal(text, `No line matches in ${FILES} files.`);
  });

  it('read_file reads the one file', async () => {
    const workspace = countingWorkspace(root);
    const text = await runTool(workspace, 'read_file', { path: 'package3/module7.ts' });
    assert.equal(text, '// Module 307.\nexport const value307 = 307;');
    assert.equal(workspace.reads.length, 1);
  });
});

describe('the reading tools on real packages', function () {
  this.timeout(60_000);
  const root = path.resolve('.');

  it('leave out node_modules, which git ignores', async () => {
    const rows = (await runTool(root, 'glob', { pattern: '**/package.json' })).split('\n');
    assert.ok(rows.includes('package.json'));
    assert.ok(rows.every((row) => !row.includes('node_modules')));
  });

  it('glob stays within its caps when node_modules is named', async () => {
    const workspace = countingWorkspace(root);
    const text = await runTool(workspace, 'glob', { pattern: '*.js', path: 'node_modules' });
    const [, more] = /\n\[(\d+) more\. Narrow the pattern or the path\.\]$/.exec(text) ?? [];
    assert.ok(Number(more) > 1_800, `${more} more`);
    assert.equal(text.split('\n').length, 201);
    assert.deepEqual(workspace.reads, []);
  });

  it('grep stays within its caps on every kind of file that packages hold', async () => {
    const input = { pattern: 'function', path: 'node_modules', context: 2 };
    const text = await runTool(root, 'grep', input);
    assert.ok(text.length <= 31_000, `${text.length} characters`);
    assert.ok(text.split('\n').every((row) => row.length <= 600));
  });

  it('grep gets through thousands of files for a word that none of them holds', async () => {
    const absent = ['not', 'in', 'any', 'package'].join('~');
    const input = { pattern: absent, path: 'node_modules', glob: '*.js' };
    const text = await runTool(root, 'grep', input);
    assert.match(text, /^No line matches in \d{4} files\./);
    assert.ok(text.length <= 1_000);
  });

  it('read_file takes a portion of a large file', async () => {
    const text = await runTool(root, 'read_file', { path: 'package-lock.json' });
    assert.match(text, /^\[Lines 1-\d+ of \d+\. Read on with offset \d+\.\]\n/);
    assert.ok(text.length <= 50_200, `${text.length} characters`);
  });
});

/** 26 packages of 100 modules, and as many generated files again that git ignores. */
function generatedFiles(): [string, string][] {
  const modules = Array.from({ length: FILES }, (_, index): [string, string][] => {
    const folder = `package${Math.floor(index / 100)}`;
    const name = `module${index % 100}.ts`;
    return [
      [`${folder}/${name}`, `// Module ${index}.\nexport const value${index} = ${index};\n`],
      [`${folder}/generated/${name}`, `export const value${index} = ${index};\n`],
    ];
  });
  return [['.gitignore', 'generated/\n'], ...modules.flat()];
}
