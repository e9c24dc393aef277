import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { editorWorkspace } from '../../src/vscode/editorWorkspace.ts';
import { readTree, writeTree } from '../support/tempFolder.ts';

describe('editorWorkspace', () => {
  const workspace = editorWorkspace(['/archive']);
  let folder = '';

  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    folder = await fs.mkdtemp(path.join(root, 'editor-'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fs.rm(folder, { recursive: true, force: true });
  });

  it('has the folders of the window, and the readable ones beside them', () => {
    const paths = vscode.workspace.workspaceFolders?.map((entry) => entry.uri.fsPath);
    assert.deepEqual(workspace.folders, paths);
    assert.deepEqual(workspace.readable, ['/archive']);
  });

  it('reads the disk, and nothing where there is no file', async () => {
    await writeTree(folder, { 'a.txt': 'disk\r\n' });
    assert.equal(await workspace.readText(at('a.txt')), 'disk\r\n');
    assert.equal(await workspace.readText(at('b.txt')), undefined);
  });

  it('reads the unsaved text of an open document', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    await typeAtStart('a.txt', 'unsaved ');
    assert.equal(await workspace.readText(at('a.txt')), 'unsaved disk');
  });

  it('reads the disk when a command has just changed a file that is open', async () => {
    await writeTree(folder, { 'a.txt': 'old' });
    await open('a.txt');
    await writeTree(folder, { 'a.txt': 'new' });
    assert.equal(await workspace.readText(at('a.txt')), 'new');
  });

  it('refuses binary files and text that is not UTF-8', async () => {
    await writeTree(folder, {
      'a.bin': new Uint8Array([1, 0, 2]),
      'latin.txt': new Uint8Array([0xe9, 0x20, 0x61]),
    });
    await assert.rejects(workspace.readText(at('a.bin')), /a\.bin is binary/);
    await assert.rejects(workspace.readText(at('latin.txt')), /latin\.txt is not UTF-8/);
  });

  it('creates a file with the folders above it', async () => {
    await workspace.writeText(at('x/y/a.txt'), 'new\r\ntext');
    assert.deepEqual(await readTree(folder), { 'x/y/a.txt': 'new\r\ntext' });
  });

  it('saves what it changes in a file that is not open', async () => {
    await writeTree(folder, { 'a.txt': 'one two three' });
    await workspace.writeText(at('a.txt'), 'one 2 three');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'one 2 three' });
  });

  it('changes only the span that differs, and undo brings the text back', async () => {
    await writeTree(folder, { 'a.txt': 'one\ntwo\nthree\n' });
    const document = await open('a.txt');
    const changes: string[] = [];
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document) return;
      changes.push(...event.contentChanges.map((change) => change.text));
    });
    await workspace.writeText(at('a.txt'), 'one\n2\nthree\n');
    listener.dispose();
    assert.deepEqual(changes, ['2']);
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  });

  it('edits the unsaved text of a document and saves it with the rest', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    const document = await typeAtStart('a.txt', 'unsaved ');
    await workspace.writeText(at('a.txt'), 'unsaved disk, edited');
    assert.equal(document.isDirty, false);
    assert.deepEqual(await readTree(folder), { 'a.txt': 'unsaved disk, edited' });
  });

  it('keeps the line ends of the file', async () => {
    await writeTree(folder, { 'a.txt': 'one\r\ntwo\r\n' });
    await workspace.writeText(at('a.txt'), 'one\n2\n');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'one\r\n2\r\n' });
  });

  it('keeps one byte order mark', async () => {
    await writeTree(folder, { 'a.txt': '\ufeffone' });
    const text = await workspace.readText(at('a.txt'));
    await workspace.writeText(at('a.txt'), `${text} more`);
    assert.deepEqual(await readTree(folder), { 'a.txt': '\ufeffone more' });
  });

  it('writes over a file that has just changed on disk while it is open', async () => {
    await writeTree(folder, { 'a.txt': 'old' });
    const document = await open('a.txt');
    await writeTree(folder, { 'a.txt': 'from a command' });
    await workspace.writeText(at('a.txt'), 'from a command, edited');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'from a command, edited' });
    await until(() => document.getText() === 'from a command, edited');
    assert.equal(document.isDirty, false);
  });

  it('brings back a deleted file that an editor still holds edits to', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    const document = await typeAtStart('a.txt', 'unsaved ');
    await fs.rm(at('a.txt'));
    await workspace.writeText(at('a.txt'), 'written');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'written' });
    assert.equal(document.isDirty, false);
  });

  it('does nothing to a file whose text is that already', async () => {
    await writeTree(folder, { 'a.txt': 'same' });
    const before = await fs.stat(at('a.txt'));
    await workspace.writeText(at('a.txt'), 'same');
    assert.equal((await fs.stat(at('a.txt'))).ino, before.ino);
    assert.deepEqual(await readTree(folder), { 'a.txt': 'same' });
  });

  it('writes nothing outside the workspace, by path or by link', async () => {
    const outside = await fs.mkdtemp(path.join(os.tmpdir(), 'outside-'));
    try {
      await fs.symlink(outside, at('link'));
      for (const file of [path.join(outside, 'a.txt'), at('link/a.txt')]) {
        await assert.rejects(workspace.writeText(file, 'x'), /outside the workspace/);
      }
      assert.deepEqual(await fs.readdir(outside), []);
    } finally {
      await fs.rm(outside, { recursive: true });
    }
  });

  it('does not write to a folder', async () => {
    await assert.rejects(workspace.writeText(folder, 'x'), /is not a file/);
  });

  it('keeps the edit and says so when the editor will not save over newer text on disk', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    const document = await typeAtStart('a.txt', 'unsaved ');
    await writeTree(folder, { 'a.txt': 'newer text from a command' });
    await assert.rejects(workspace.writeText(at('a.txt'), 'edited'), /could not save it/);
    assert.equal(document.getText(), 'edited');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'newer text from a command' });
  });

  function at(relative: string): string {
    return path.join(folder, relative);
  }

  async function open(relative: string): Promise<vscode.TextDocument> {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(at(relative)));
    return editor.document;
  }

  async function typeAtStart(relative: string, text: string): Promise<vscode.TextDocument> {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(at(relative)));
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text)));
    assert.equal(editor.document.isDirty, true);
    return editor.document;
  }
});

async function until(holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const listener = vscode.workspace.onDidChangeTextDocument(() => {
      if (!holds()) return;
      listener.dispose();
      resolve();
    });
  });
}
