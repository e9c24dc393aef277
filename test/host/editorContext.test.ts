import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { shownEditor } from '../../src/vscode/chat/editorContext.ts';
import { editorWorkspace } from '../../src/vscode/tools/editorWorkspace.ts';
import type { EditorContext } from '../../src/vscode/host/settingRules.ts';
import { writeTree } from '../support/tempFolder.ts';

type References = readonly vscode.ChatPromptReference[];

describe('the active editor in a request', () => {
  let folder = '';
  let outside = '';

  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    folder = await fs.mkdtemp(path.join(root, 'shown-'));
    outside = await fs.mkdtemp(path.join(os.tmpdir(), 'shown-'));
    await writeTree(folder, { 'a.ts': 'one\ntwo\nthree\nfour\n' });
    await writeTree(outside, { 'private.txt': 'a secret\n' });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await Promise.all([folder, outside].map((each) => fs.rm(each, { recursive: true })));
  });

  it('is nothing when none is open, or when the setting says so', async () => {
    assert.equal(shown('selection'), undefined);
    await show(inFolder('a.ts'));
    assert.equal(shown('off'), undefined);
    assert.equal(shown('off', [implicit('selection', 1, 2)]), undefined);
  });

  it('is told with the line of the cursor', async () => {
    await show(inFolder('a.ts'), new vscode.Selection(2, 1, 2, 1));
    for (const setting of ['file', 'selection'] as const) {
      const state = shown(setting);
      assert.equal(state?.block.name, `Active editor: ${name()}:3`);
      assert.match(
        state.block.text,
        /\(typescript\) open in the editor, with the cursor in line 3/,
      );
      assert.ok(state.place instanceof vscode.Uri);
      assert.equal(String(state.place), String(inFolder('a.ts')));
    }
  });

  it('is told with the selected text only when the setting says so', async () => {
    const selection = new vscode.Selection(1, 0, 3, 0);
    await show(inFolder('a.ts'), selection);
    assert.match(shown('selection')?.block.text ?? '', /lines 2-3 selected\.\n\ntwo\nthree\n</);
    const state = shown('file');
    assert.equal(state?.block.name, `Active editor: ${name()}:2-3`);
    assert.doesNotMatch(state.block.text, /three/);
    const { place } = state;
    assert.ok(place instanceof vscode.Location && place.range.isEqual(selection));
  });

  it('does not repeat lines that the person attached', async () => {
    await show(inFolder('a.ts'), new vscode.Selection(1, 0, 1, 3));
    const range = new vscode.Range(1, 0, 2, 0);
    const attached = [{ id: 'x', value: new vscode.Location(inFolder('a.ts'), range) }];
    assert.doesNotMatch(shown('selection', [], attached)?.block.text ?? '', /\ntwo\n/);
    const file = [{ id: 'x', value: inFolder('a.ts') }];
    assert.match(shown('selection', [], file)?.block.text ?? '', /\ntwo\n/);
  });

  it('is what VS Code hands over of it, never the whole file', async () => {
    await show(inFolder('a.ts'), new vscode.Selection(0, 0, 0, 0));
    const selected = shown('selection', [implicit('selection', 1, 2)]);
    assert.match(selected?.block.text ?? '', /lines 2-3 selected\.\n\ntwo\nthree\n</);
    for (const kind of ['file', 'viewport'] as const) {
      const state = shown('selection', [implicit(kind, 0, 3)]);
      assert.equal(state?.block.name, `Active editor: ${name()}:1`);
      assert.doesNotMatch(state.block.text, /two/);
    }
  });

  it('is nothing for a file outside the workspace, unless VS Code hands it over', async () => {
    const secret = vscode.Uri.file(path.join(outside, 'private.txt'));
    await show(secret, new vscode.Selection(0, 0, 0, 8));
    assert.equal(shown('selection'), undefined);
    const range = new vscode.Range(0, 0, 0, 8);
    const given = { id: 'vscode.implicit.selection', value: new vscode.Location(secret, range) };
    assert.match(shown('selection', [given])?.block.text ?? '', /a secret/);
  });

  it('is nothing for what is no file, but a new file counts', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'new' });
    await vscode.window.showTextDocument(document);
    assert.match(shown('file')?.block.name ?? '', /^Active editor: Untitled-\d+:1$/);
    const provider = { provideTextDocumentContent: () => 'a report' };
    const registered = vscode.workspace.registerTextDocumentContentProvider('report-of', provider);
    await show(vscode.Uri.parse('report-of:/a.txt'));
    registered.dispose();
    assert.equal(shown('selection'), undefined);
  });

  function shown(setting: EditorContext, implicit: References = [], attached: References = []) {
    const workspace = editorWorkspace([]);
    return shownEditor({ setting, implicit, attached, workspace, inputLimit: 200_000 });
  }

  function implicit(kind: 'file' | 'selection' | 'viewport', first: number, last: number) {
    const uri = inFolder('a.ts');
    const range = new vscode.Range(first, 0, last, 5);
    const value = kind === 'file' ? uri : new vscode.Location(uri, range);
    return { id: `vscode.implicit.${kind}`, value };
  }

  function inFolder(relative: string): vscode.Uri {
    return vscode.Uri.file(path.join(folder, relative));
  }

  function name(): string {
    return `${path.basename(folder)}/a.ts`;
  }
});

async function show(uri: vscode.Uri, selection?: vscode.Selection): Promise<void> {
  await vscode.window.showTextDocument(uri, selection ? { selection } : {});
}
