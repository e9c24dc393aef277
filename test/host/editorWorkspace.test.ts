import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Written } from '../../src/agent/workspace.ts';
import { editorWorkspace } from '../../src/vscode/tools/editorWorkspace.ts';
import { readTree, writeTree } from '../support/tempFolder.ts';

const CHANGED = /changed while it was being written, so nothing was/;

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

  it('knows what is not saved', async () => {
    await writeTree(folder, { 'a.txt': 'disk', 'b.txt': 'disk' });
    await open('b.txt');
    await typeAtStart('a.txt', 'unsaved ');
    assert.deepEqual(workspace.unsavedTexts(), new Map([[at('a.txt'), 'unsaved disk']]));
  });

  it('refuses binary files and text that is not in its encoding', async () => {
    await writeTree(folder, {
      'a.bin': new Uint8Array([1, 0, 2]),
      'latin.txt': new Uint8Array([0xe9, 0x20, 0x61]),
      'marked.txt': 'a \ufffd that somebody wrote',
    });
    await assert.rejects(workspace.readText(at('a.bin')), /a\.bin is binary/);
    await assert.rejects(workspace.readText(at('latin.txt')), /latin\.txt is not text in utf8/);
    assert.equal(await workspace.readText(at('marked.txt')), 'a \ufffd that somebody wrote');
  });

  it('creates a file with the folders above it', async () => {
    assert.deepEqual(await create('x/y/a.txt', 'new\r\ntext'), {
      text: 'new\r\ntext',
      savedEdits: false,
    });
    assert.deepEqual(await readTree(folder), { 'x/y/a.txt': 'new\r\ntext' });
  });

  it('creates no file where one has turned up', async () => {
    await writeTree(folder, { 'a.txt': 'turned up' });
    await assert.rejects(create('a.txt', 'new'), CHANGED);
    assert.deepEqual(await readTree(folder), { 'a.txt': 'turned up' });
  });

  it('saves what it changes in a file that is not open', async () => {
    await writeTree(folder, { 'a.txt': 'one two three' });
    assert.deepEqual(await change('a.txt', 'one two three', 'one 2 three'), {
      text: 'one 2 three',
      savedEdits: false,
    });
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
    await change('a.txt', 'one\ntwo\nthree\n', 'one\n2\nthree\n');
    listener.dispose();
    assert.deepEqual(changes, ['2']);
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  });

  it('is one step to undo, behind what the person typed before', async () => {
    await writeTree(folder, { 'a.txt': 'a\nb\nc\n' });
    const document = await typeAtStart('a.txt', 'typed ');
    await change('a.txt', 'typed a\nb\nc\n', 'typed A\nb\nC\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'typed a\nb\nc\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'a\nb\nc\n');
  });

  it('can be undone in a file that is opened only afterwards', async () => {
    await writeTree(folder, { 'a.txt': 'one\n' });
    await change('a.txt', 'one\n', 'two\n');
    const document = await open('a.txt');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\n');
  });

  it('edits the unsaved text of a document, saves it with the rest, and says so', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    const document = await typeAtStart('a.txt', 'unsaved ');
    assert.deepEqual(await change('a.txt', 'unsaved disk', 'unsaved disk, edited'), {
      text: 'unsaved disk, edited',
      savedEdits: true,
    });
    assert.equal(document.isDirty, false);
    assert.deepEqual(await readTree(folder), { 'a.txt': 'unsaved disk, edited' });
  });

  it('writes nothing over what the person typed or saved since it was read', async () => {
    await writeTree(folder, { 'a.txt': 'read', 'b.txt': 'read', 'c.txt': 'read' });
    const typed = await typeAtStart('a.txt', 'typed ');
    await assert.rejects(change('a.txt', 'read', 'edited'), CHANGED);
    assert.equal(typed.getText(), 'typed read');
    await open('b.txt');
    await writeTree(folder, { 'b.txt': 'saved', 'c.txt': 'saved' });
    await assert.rejects(change('b.txt', 'read', 'edited'), CHANGED);
    await assert.rejects(change('c.txt', 'read', 'edited'), CHANGED);
    await fs.rm(at('c.txt'));
    await assert.rejects(change('c.txt', 'saved', 'edited'), CHANGED);
    assert.deepEqual(await readTree(folder), { 'a.txt': 'read', 'b.txt': 'saved' });
  });

  it('gives back what saving made of the text', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('insertFinalNewline', true);
    try {
      await writeTree(folder, { 'a.txt': 'one' });
      assert.equal((await change('a.txt', 'one', 'two')).text, 'two\n');
      assert.equal(await workspace.readText(at('a.txt')), 'two\n');
    } finally {
      await settings.update('insertFinalNewline', undefined);
    }
  });

  it('keeps the line ends of the file, mixed ones too, and undo works', async () => {
    await writeTree(folder, { 'a.txt': 'one\r\ntwo\r\n', 'b.txt': '1\r\n2\n3\r\n' });
    await change('a.txt', 'one\r\ntwo\r\n', 'one\r\n2\r\n');
    const document = await open('b.txt');
    await change('b.txt', '1\r\n2\n3\r\n', '1\r\ntwo\n3\r\n');
    assert.deepEqual(await readTree(folder), {
      'a.txt': 'one\r\n2\r\n',
      'b.txt': '1\r\ntwo\n3\r\n',
    });
    await until(() => document.getText().includes('two'));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), '1\r\n2\r\n3\r\n');
  });

  it('makes line ends others when that is the change', async () => {
    await writeTree(folder, { 'a.txt': 'one\ntwo\n' });
    await change('a.txt', 'one\ntwo\n', 'one\r\ntwo\r\n');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'one\r\ntwo\r\n' });
  });

  it('keeps one byte order mark', async () => {
    await writeTree(folder, { 'a.txt': '\ufeffone', 'b.txt': '\ufeffone\r\ntwo\n' });
    assert.equal(await workspace.readText(at('a.txt')), 'one');
    await change('a.txt', 'one', 'one more');
    await change('b.txt', 'one\r\ntwo\n', '\ufeffone\r\n2\n');
    assert.deepEqual(await readTree(folder), {
      'a.txt': '\ufeffone more',
      'b.txt': '\ufeffone\r\n2\n',
    });
  });

  it('reads and writes UTF-16 that is marked, open or not, mixed line ends or not', async () => {
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    const big = (text: string) => utf16(text).swap16();
    await writeTree(folder, {
      'a.txt': utf16('é\r\n'),
      'b.txt': big('é'),
      'c.txt': big('é\r\nx\n'),
    });
    await open('b.txt');
    assert.equal(await workspace.readText(at('c.txt')), 'é\r\nx\n');
    await change('a.txt', 'é\r\n', '你\r\n');
    await change('b.txt', 'é', '你');
    await change('c.txt', 'é\r\nx\n', '你\r\nx\n');
    assert.deepEqual(await fs.readFile(at('a.txt')), utf16('你\r\n'));
    assert.deepEqual(await fs.readFile(at('b.txt')), big('你'));
    assert.deepEqual(await fs.readFile(at('c.txt')), big('你\r\nx\n'));
  });

  describe('where the settings name an encoding', () => {
    const settings = () => vscode.workspace.getConfiguration('files');
    afterEach(async () => {
      await settings().update('encoding', undefined);
    });

    it('reads and writes in it, open or not, mixed line ends or not', async () => {
      await settings().update('encoding', 'gbk');
      const gbk = (text: string) => Buffer.from(text.replaceAll('你', '\xc4\xe3'), 'latin1');
      const before = gbk('你 one\n');
      await writeTree(folder, { 'a.txt': before, 'b.txt': before, 'c.txt': gbk('你\r\none\n') });
      await open('b.txt');
      for (const name of ['a.txt', 'b.txt']) {
        assert.equal(await workspace.readText(at(name)), '你 one\n');
        await change(name, '你 one\n', '你 你\n');
        assert.deepEqual(await fs.readFile(at(name)), gbk('你 你\n'));
      }
      await change('c.txt', '你\r\none\n', '你\r\n你\n');
      assert.deepEqual(await fs.readFile(at('c.txt')), gbk('你\r\n你\n'));
      await create('d.txt', '你');
      assert.deepEqual(await fs.readFile(at('d.txt')), gbk('你'));
    });

    it('refuses text that it cannot hold, and writes nothing', async () => {
      await settings().update('encoding', 'windows1252');
      await writeTree(folder, { 'a.txt': new Uint8Array([0xe9]) });
      const document = await open('a.txt');
      assert.equal(await workspace.readText(at('a.txt')), 'é');
      await assert.rejects(change('a.txt', 'é', 'é\nü你'), {
        message:
          '"你" in line 2 cannot be written in windows1252, the encoding of a.txt, so nothing was ' +
          'written. Do without it, or ask the user to save the file as UTF-8.',
      });
      await assert.rejects(
        create('b.txt', '你'),
        /"你" in line 1 cannot be written in windows1252/,
      );
      for (const name of ['a.txt', 'b.txt']) {
        await workspace.refuseUnwritable(at(name), 'éé');
        await assert.rejects(workspace.refuseUnwritable(at(name), 'é你'), /"你" in line 1/);
      }
      assert.equal(document.isDirty, false);
      assert.deepEqual(await fs.readFile(at('a.txt')), Buffer.from([0xe9]));
      assert.deepEqual(await fs.readdir(folder), ['a.txt']);
    });
  });

  it('keeps an encoding that the person chose for an open file', async () => {
    await writeTree(folder, { 'a.txt': new Uint8Array([0xe9, 0x0a]) });
    await vscode.workspace.openTextDocument(vscode.Uri.file(at('a.txt')), {
      encoding: 'windows1252',
    });
    assert.equal(await workspace.readText(at('a.txt')), 'é\n');
    await change('a.txt', 'é\n', 'éé\n');
    assert.deepEqual(await fs.readFile(at('a.txt')), Buffer.from([0xe9, 0xe9, 0x0a]));
  });

  it('keeps the mode of the file', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(folder, { 'run.sh': 'one\n', 'mixed.sh': '1\r\n2\n' });
    for (const name of ['run.sh', 'mixed.sh']) await fs.chmod(at(name), 0o755);
    await change('run.sh', 'one\n', 'two\n');
    await change('mixed.sh', '1\r\n2\n', '1\r\ntwo\n');
    for (const name of ['run.sh', 'mixed.sh']) {
      assert.equal((await fs.stat(at(name))).mode & 0o777, 0o755);
    }
  });

  it('writes over a file that has just changed on disk while it is open', async () => {
    await writeTree(folder, { 'a.txt': 'old' });
    const document = await open('a.txt');
    await writeTree(folder, { 'a.txt': 'from a command' });
    await change('a.txt', 'from a command', 'from a command, edited');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'from a command, edited' });
    await until(() => document.getText() === 'from a command, edited');
    assert.equal(document.isDirty, false);
  });

  it('brings back a deleted file that an editor still holds edits to', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    const document = await typeAtStart('a.txt', 'unsaved ');
    await fs.rm(at('a.txt'));
    await assert.rejects(create('a.txt', 'written'), CHANGED);
    await change('a.txt', 'unsaved disk', 'written');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'written' });
    assert.equal(document.isDirty, false);
  });

  it('does nothing to a file whose text is that already', async () => {
    await writeTree(folder, { 'a.txt': 'same' });
    const before = await fs.stat(at('a.txt'));
    await change('a.txt', 'same', 'same');
    assert.equal((await fs.stat(at('a.txt'))).ino, before.ino);
    assert.deepEqual(await readTree(folder), { 'a.txt': 'same' });
  });

  it('writes nothing outside the workspace, by path or by link', async () => {
    const outside = await fs.mkdtemp(path.join(os.tmpdir(), 'outside-'));
    try {
      await fs.symlink(outside, at('link'));
      for (const file of [path.join(outside, 'a.txt'), at('link/a.txt')]) {
        const made = { before: undefined, after: 'x' };
        await assert.rejects(workspace.writeText(file, made), /outside the workspace/);
      }
      assert.deepEqual(await fs.readdir(outside), []);
    } finally {
      await fs.rm(outside, { recursive: true });
    }
  });

  it('writes nothing where a link has come in the way since the path was checked', async function () {
    if (process.platform === 'win32') this.skip();
    const outside = await fs.mkdtemp(path.join(os.tmpdir(), 'outside-'));
    try {
      await writeTree(outside, { 'a.txt': 'theirs' });
      await writeTree(folder, { 'x/a.txt': 'theirs', 'y/b.txt': '' });
      const swapped = async (name: string, change: () => Promise<Written>) => {
        const swap = async () => {
          await fs.rename(at(name), at(`${name}-before`));
          await fs.symlink(outside, at(name));
        };
        await onceEncoding(swap, () => assert.rejects(change(), CHANGED));
      };
      await swapped('x', () => change('x/a.txt', 'theirs', 'ours'));
      await swapped('y', () => create('y/z/c.txt', 'ours'));
      assert.deepEqual(await readTree(outside), { 'a.txt': 'theirs' });
    } finally {
      await fs.rm(outside, { recursive: true });
    }
  });

  it('knows unsaved edits to a file that was opened by another path', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(folder, { 'real/a.txt': 'disk' });
    await fs.symlink('real', at('link'));
    const document = await typeAtStart('link/a.txt', 'unsaved ');
    assert.equal(await workspace.readText(at('real/a.txt')), 'unsaved disk');
    const written = await change('real/a.txt', 'unsaved disk', 'unsaved disk, edited');
    assert.deepEqual(written, { text: 'unsaved disk, edited', savedEdits: true });
    assert.equal(document.isDirty, false);
    assert.equal(await fs.readFile(at('real/a.txt'), 'utf8'), 'unsaved disk, edited');
  });

  it('leaves a notebook with unsaved changes to the person', async () => {
    const cell = {
      cell_type: 'code',
      metadata: {},
      source: ['1'],
      outputs: [],
      execution_count: null,
    };
    const text = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await writeTree(folder, { 'a.ipynb': text });
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(at('a.ipynb')));
    await vscode.window.showNotebookDocument(notebook);
    await workspace.refuseUnwritable(at('a.ipynb'), text);
    const edit = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'unsaved', 'python');
    edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [added])]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty === true);
    const refusal = /a\.ipynb has unsaved changes in an editor that does not show it as text/;
    await assert.rejects(workspace.refuseUnwritable(at('a.ipynb'), 'x'), refusal);
    await assert.rejects(change('a.ipynb', text, 'x'), refusal);
    assert.deepEqual(await readTree(folder), { 'a.ipynb': text });
  });

  it('does not write to a folder', async () => {
    await assert.rejects(create('', 'x'), /is not a file/);
  });

  it('keeps the edit and says so when the editor will not save over newer text on disk', async () => {
    await writeTree(folder, { 'a.txt': 'disk' });
    const document = await typeAtStart('a.txt', 'unsaved ');
    await writeTree(folder, { 'a.txt': 'newer text from a command' });
    await assert.rejects(change('a.txt', 'unsaved disk', 'edited'), /could not save it/);
    assert.equal(document.getText(), 'edited');
    assert.deepEqual(await readTree(folder), { 'a.txt': 'newer text from a command' });
  });

  /** Does `change` when the text of the next write is encoded, which is behind the first look at its path. */
  async function onceEncoding(change: () => Promise<void>, run: () => Promise<void>) {
    const original = vscode.workspace.encode;
    const encode = async (content: string, options: { readonly uri: vscode.Uri }) => {
      Object.defineProperty(vscode.workspace, 'encode', { value: original, configurable: true });
      await change();
      return original(content, options);
    };
    Object.defineProperty(vscode.workspace, 'encode', { value: encode, configurable: true });
    await run();
  }

  function at(relative: string): string {
    return path.join(folder, relative);
  }

  function create(relative: string, after: string): Promise<Written> {
    return workspace.writeText(at(relative), { before: undefined, after });
  }

  function change(relative: string, before: string, after: string): Promise<Written> {
    return workspace.writeText(at(relative), { before, after });
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
