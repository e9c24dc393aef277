import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { runTool } from '../../../support/workspaceRun.ts';

describe('write_file', () => {
  const root = useTempFolder();
  const write = (file: string, content: string) =>
    runTool(root.path, 'write_file', { path: file, content });

  it('creates a file and its folders', async () => {
    assert.equal(await write('src/new/a.py', 'one\ntwo\n'), 'Created src/new/a.py (2 lines).');
    assert.deepEqual(await readTree(root.path), { 'src/new/a.py': 'one\ntwo\n' });
  });

  it('replaces a file and says how long it was', async () => {
    await writeTree(root.path, { 'a.txt': '1\n2\n3\n' });
    assert.equal(await write('a.txt', 'one'), 'Overwrote a.txt (1 line; before: 3 lines).');
    assert.deepEqual(await readTree(root.path), { 'a.txt': 'one' });
  });

  it('keeps CRLF and the mark of a file when the new text has only LF', async () => {
    await writeTree(root.path, { 'a.txt': '\uFEFF1\r\n2\r\n', 'b.txt': '1\r\n' });
    await write('a.txt', 'one\ntwo\n');
    await write('b.txt', 'mixed\r\non purpose\n');
    assert.deepEqual(await readTree(root.path), {
      'a.txt': '\uFEFFone\r\ntwo\r\n',
      'b.txt': 'mixed\r\non purpose\n',
    });
  });

  it('leaves a mark in the new text to the encoding, and takes it for no change', async () => {
    await writeTree(root.path, { 'a.txt': '\uFEFF1\n', 'b.txt': '1\n' });
    assert.equal(await write('c.txt', '\uFEFF1\n'), 'Created c.txt (1 line).');
    await assert.rejects(write('a.txt', '\uFEFF1\n'), /holds exactly this text already/);
    await write('b.txt', '\uFEFF2\n');
    assert.deepEqual(await readTree(root.path), {
      'a.txt': '\uFEFF1\n',
      'b.txt': '2\n',
      'c.txt': '1\n',
    });
  });

  it('refuses a folder and a binary file, which stay as they were', async () => {
    await writeTree(root.path, { 'src/a.ts': 'a', 'image.png': Buffer.from([1, 0, 2]) });
    await assert.rejects(write('src', 'x'), /src is not a file/);
    await assert.rejects(write('image.png', 'x'), /image\.png is binary/);
    assert.deepEqual(await readTree(root.path), { 'src/a.ts': 'a', 'image.png': '\x01\0\x02' });
  });

  it('keeps the line ends that most lines of a file have', async () => {
    await writeTree(root.path, { 'a.txt': '1\n2\r\n3\n' });
    await write('a.txt', 'one\ntwo\n');
    assert.deepEqual(await readTree(root.path), { 'a.txt': 'one\ntwo\n' });
  });

  it('refuses to write what is there already', async () => {
    await writeTree(root.path, { 'a.txt': '1\r\n' });
    await assert.rejects(write('a.txt', '1\n'), /holds exactly this text already/);
  });

  it('leaves memories to the store, and so does edit_file', async () => {
    await writeTree(root.path, { '.memory/a.md': 'kept' });
    const refusal = /Memories are saved by themselves/;
    await assert.rejects(write('.memory/a.md', 'x'), refusal);
    const edit = { path: '.memory/a.md', old_text: 'kept', new_text: 'x' };
    await assert.rejects(runTool(root.path, 'edit_file', edit), refusal);
    assert.deepEqual(await readTree(root.path), { '.memory/a.md': 'kept' });
  });

  it('refuses a place outside, and one below a file', async () => {
    await writeTree(root.path, { 'a.txt': 'a' });
    await fs.symlink(path.dirname(root.path), path.join(root.path, 'up'));
    await assert.rejects(write('up/escaped.txt', 'x'), /outside the workspace/);
    await assert.rejects(write('a.txt/b.txt', 'x'));
  });
});
