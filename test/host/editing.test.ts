import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { registerEditing } from '../../src/vscode/editing/editing.ts';
import { pinMemory } from '../../src/vscode/memories/pinMemory.ts';
import { scopesOf } from '../support/scopes.ts';
import { useTempFolder, writeTree } from '../support/tempFolder.ts';

const TABS = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';
const QUOTES = '---\nname: quotes\ndescription: Single quotes\ntype: user\n---\n\nUse quotes.\n';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('editing a memory', () => {
  const temp = useTempFolder();
  let store: MemoryStore;
  let scopes: ReturnType<typeof scopesOf>;
  let editing: vscode.Disposable;

  afterEach(async () => {
    editing.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('marks what is wrong as it is typed, exactly, and no more once it is mended', async () => {
    const editor = await open({ 'tabs.md': TABS.replace('Prefers', '偏好 👩‍👧 Prefers') });
    await replace(editor, 'Use tabs.', `用 👩‍👧 ${TOKEN}。`);
    const [secret, ...more] = await problems(editor.document);
    assert.ok(secret && more.length === 0);
    assert.equal(editor.document.getText(secret.range), TOKEN);
    assert.equal(secret.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(secret.source, 'Memory Agent');
    assert.equal(secret.code, 'secret');
    assert.match(secret.message, /^This looks like a GitHub token/);
    assert.ok(!secret.message.includes(TOKEN));
    assert.ok(editor.document.isDirty);

    await fix(editor, 'Remove the secret', secret.range);
    await untilNoProblems(editor.document);
    assert.ok(editor.document.getText().includes('用 👩‍👧 [redacted: a GitHub token]。'));
    await vscode.commands.executeCommand('undo');
    assert.equal((await problems(editor.document)).length, 1);
  });

  it('keeps the line ends of a file in what it mends', async () => {
    const text = TABS.replace('type: user\n', '').replaceAll('\n', '\r\n');
    const editor = await open({ 'tabs.md': text });
    const [missing] = await problems(editor.document);
    assert.ok(missing);
    assert.equal(missing.severity, vscode.DiagnosticSeverity.Error);
    await fix(editor, 'Make it a memory of type user', missing.range);
    await untilNoProblems(editor.document);
    assert.equal(editor.document.getText(), TABS.replaceAll('\n', '\r\n'));
  });

  it('gives a text without front matter what a memory needs', async () => {
    const editor = await open({ 'use-tabs.md': '# Use: tabs\n' });
    const [none] = await problems(editor.document);
    assert.equal(none?.code, 'noFrontMatter');
    await fix(editor, 'Add name, description and type', none.range);
    await untilNoProblems(editor.document);
    assert.equal(
      editor.document.getText(),
      '---\nname: use-tabs\ndescription: "Use: tabs"\ntype: user\n---\n\n# Use: tabs\n',
    );
  });

  it('tells of another memory that says the same, until that is gone', async () => {
    const editor = await open({ 'tabs.md': TABS, 'quotes.md': QUOTES.replace('quotes.', 'tabs.') });
    const [like] = await problems(editor.document);
    assert.equal(like?.code, 'duplicate');
    const place = like.relatedInformation?.[0]?.location.uri.fsPath;
    assert.equal(place, path.join(store.folder, 'quotes.md'));
    assert.ok((await titles(editor, like.range)).includes('Compare with “quotes”'));
    await fs.rm(path.join(store.folder, 'quotes.md'));
    await store.refresh();
    await untilNoProblems(editor.document);
  });

  it('lists no problem for what other agents write on purpose', async () => {
    const text = TABS.replace('name: tabs', 'name: Indentation\ncolour: red');
    const editor = await open({ 'tabs.md': text });
    const found = await problems(editor.document);
    assert.deepEqual(
      found.map(({ code, severity }) => [code, vscode.DiagnosticSeverity[severity]]),
      [
        ['otherFile', 'Hint'],
        ['unknownKey', 'Hint'],
      ],
    );
  });

  it('knows a memory also by an ending in capitals', async () => {
    const editor = await open({ 'tabs.MD': TABS });
    assert.equal((await lenses(editor.document))[0], 'Pin');
    await replace(editor, 'user', 'nothing');
    assert.equal((await problems(editor.document)).length, 1);
  });

  it('offers for a whole text what mends all of a kind once, and repeats no secret', async () => {
    const secrets = Array.from({ length: 40 }, (_, i) => `${i}. ${TOKEN}\n`).join('');
    const editor = await open({ 'tabs.md': `${TABS.replace('user', TOKEN)}${secrets}` });
    const found = await problems(editor.document);
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    const offered = await titles(editor, whole);
    const ofAll = offered.filter((title) => title === 'Remove all secrets in this memory');
    assert.equal(ofAll.length, 1);
    assert.ok(offered.length < 30, `${offered.length} fixes`);
    assert.ok(
      !JSON.stringify([...found.map(({ message }) => message), ...offered]).includes(TOKEN),
    );
  });

  it('says of a saved file what its text does not show', async () => {
    const editor = await open({
      'tabs.md': Buffer.from(TABS.replace('Use', 'Us\u00e9'), 'latin1'),
    });
    const [damage] = await problems(editor.document);
    assert.equal(damage?.message, 'The file is not UTF-8 text.');
  });

  it('says nothing of the index, of other files, and of a memory that nobody has open', async () => {
    const bad = TABS.replace('user', 'none-0');
    const editor = await open({
      'tabs.md': bad,
      'b.md': bad,
      'MEMORY.md': bad,
      '.trash/a.md': bad,
    });
    const tabs = editor.document;
    const b = vscode.Uri.file(path.join(store.folder, 'b.md'));
    const unseen = await vscode.workspace.openTextDocument(b);
    await writeTree(temp.path, { 'other.md': bad });
    for (const [i, file] of ['.memory/MEMORY.md', '.memory/.trash/a.md', 'other.md'].entries()) {
      const uri = vscode.Uri.file(path.join(temp.path, file));
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      // A mark of that one would be there before the new one of the memory.
      await replace(editor, `none-${i}`, `none-${i + 1}`);
      await marked(() => own(tabs).some(({ message }) => message.includes(`none-${i + 1}`)));
      assert.deepEqual([...own(document), ...own(unseen)], []);
    }
    await vscode.window.showTextDocument(tabs);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilNoProblems(tabs);
  });

  it('offers the keys that are not there yet, and the types with what they mean', async () => {
    const editor = await open({ 'tabs.md': TABS.replace('user\n', '\n\n'), 'quotes.md': QUOTES });
    const type = await completions(editor, 3, 6);
    assert.deepEqual(
      type.map(({ label }) => (typeof label === 'string' ? label : label.label)),
      ['user', 'feedback', 'project', 'reference'],
    );
    const keys = await completions(editor, 4, 0);
    assert.deepEqual(labels(keys), ['pinned', 'expires', 'supersedes']);
    assert.deepEqual(labels(await completions(editor, 7, 3)), []);
  });

  it('offers the rest of a key also before the front matter is closed', async () => {
    const editor = await open({ 'tabs.md': '---\nname: tabs\ntype: user\nexp' });
    assert.ok(labels(await completions(editor, 3, 3)).includes('expires'));
  });

  it('offers days to expire on, and true and false', async () => {
    const editor = await open({ 'tabs.md': TABS.replace('user\n', 'user\nexpires:\npinned: t\n') });
    const days = await completions(editor, 4, 8);
    assert.equal(days.length, 4);
    const [first] = days;
    assert.ok(typeof first?.insertText === 'string');
    assert.match(first.insertText, /^ \d{4}-\d\d-\d\d$/);
    const [yes] = await completions(editor, 5, 9);
    assert.ok(yes?.range instanceof vscode.Range);
    assert.equal(editor.document.getText(yes.range), 't');
  });

  it('offers the other memories behind a link and behind supersedes', async () => {
    const files = { 'tabs.md': `${TABS}[](x) [[]]\n`, 'quotes (2).md': QUOTES };
    const editor = await open(files);
    const own = (items: readonly vscode.CompletionItem[]) =>
      items.filter(({ detail }) => detail === 'quotes (2).md').map(({ insertText }) => insertText);
    assert.deepEqual(own(await completions(editor, 7, 3)), ['quotes%20%282%29.md']);
    assert.deepEqual(own(await completions(editor, 7, 8)), ['quotes (2)]]']);
    await replace(editor, 'type: user', 'supersedes: \ntype: user');
    assert.deepEqual(labels(await completions(editor, 3, 12)), ['quotes']);
  });

  it('explains the key and the type under the mouse', async () => {
    const editor = await open({ 'tabs.md': TABS });
    assert.match(await hover(editor, 2, 3), /^\*\*description\*\*\s+One line of at most 150/);
    assert.match(await hover(editor, 3, 8), /^\*\*user\*\*/);
    assert.equal(await hover(editor, 6, 1), '');
  });

  it('has a line of commands above a memory, which follows what is saved', async () => {
    const editor = await open({ 'tabs.md': TABS });
    assert.deepEqual(await lenses(editor.document), [
      'Pin',
      'Rename…',
      'Move to Personal',
      'Delete',
    ]);
    await pinMemory(scopes, [editor.document.uri.fsPath]);
    assert.deepEqual(await lenses(editor.document), [
      'Unpin',
      'Rename…',
      'Move to Personal',
      'Delete',
    ]);
    const change = await store.list();
    const [record] = change.records;
    assert.ok(record);
    await scopes.move(record, scopes.personal);
    const moved = vscode.Uri.file(path.join(scopes.personal.store.folder, 'tabs.md'));
    const document = await vscode.workspace.openTextDocument(moved);
    assert.deepEqual(await lenses(document), ['Unpin', 'Rename…', 'Move to Workspace', 'Delete']);
  });

  it('points to the problems above a file that is no memory', async () => {
    const editor = await open({ 'tabs.md': TABS.replace('user', 'nothing') });
    const titles = await lenses(editor.document);
    assert.deepEqual(titles, ['Not readable as a memory: show the problems']);
  });

  it('never changes on disk what is not saved in an editor', async () => {
    const editor = await open({ 'tabs.md': TABS });
    await replace(editor, 'Use tabs.', 'Use four spaces.');
    await assert.rejects(
      pinMemory(scopes, [editor.document.uri.fsPath]),
      /has changes in an editor that are not saved\. Save or revert them first/,
    );
    assert.equal(await fs.readFile(editor.document.uri.fsPath, 'utf8'), TABS);
    assert.ok(editor.document.getText().includes('Use four spaces.'));
  });

  it('says above the index that it is generated', async () => {
    await open({ 'tabs.md': TABS });
    await store.rebuildIndex();
    const index = await vscode.workspace.openTextDocument(vscode.Uri.file(store.indexPath));
    assert.deepEqual(await lenses(index), [
      'Generated from the memories beside it: edit those instead',
      'New Memory',
    ]);
  });

  it('is gone with its marks and offers once it is disposed', async () => {
    const editor = await open({ 'tabs.md': TABS.replace('user', 'nothing') });
    await problems(editor.document);
    editing.dispose();
    assert.deepEqual(own(editor.document), []);
    assert.deepEqual(await lenses(editor.document), []);
    assert.deepEqual(await titles(editor, new vscode.Range(0, 0, 6, 0)), []);
  });

  /** The first of the files in an editor, in a folder of memories. */
  async function open(files: Record<string, string | Uint8Array>): Promise<vscode.TextEditor> {
    const folder = path.join(temp.path, '.memory');
    await writeTree(folder, files);
    const isBeingEdited = (file: string) =>
      vscode.workspace.textDocuments.some(({ isDirty, uri }) => isDirty && uri.fsPath === file);
    store = new MemoryStore({ folder, log: silentLog, isBeingEdited });
    scopes = scopesOf(
      store,
      new MemoryStore({ folder: `${temp.path}/own/.memory`, log: silentLog }),
    );
    editing = registerEditing({ scopes, log: silentLog });
    const uri = vscode.Uri.file(path.join(folder, Object.keys(files)[0] ?? ''));
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document, { preview: false });
  }
});

async function replace(editor: vscode.TextEditor, before: string, after: string): Promise<void> {
  const { document } = editor;
  const start = document.getText().indexOf(before);
  assert.ok(start >= 0, before);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(
    document.positionAt(start),
    document.positionAt(start + before.length),
  );
  edit.replace(document.uri, range, after);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

function own({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Memory Agent');
}

/** Those of the document, once it has some. */
async function problems(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[]> {
  await marked(() => own(document).length > 0);
  return own(document);
}

function untilNoProblems(document: vscode.TextDocument): Promise<void> {
  return marked(() => own(document).length === 0);
}

function marked(isSo: () => boolean): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const listener = vscode.languages.onDidChangeDiagnostics(() => {
      if (!isSo()) return;
      listener.dispose();
      resolve();
    });
  });
}

async function actions(
  { document }: vscode.TextEditor,
  range: vscode.Range,
): Promise<readonly vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
}

async function titles(editor: vscode.TextEditor, range: vscode.Range): Promise<string[]> {
  return (await actions(editor, range)).map(({ title }) => title);
}

async function fix(editor: vscode.TextEditor, title: string, range: vscode.Range): Promise<void> {
  const action = (await actions(editor, range)).find((action) => action.title === title);
  assert.ok(action?.edit, title);
  assert.ok(await vscode.workspace.applyEdit(action.edit));
}

async function completions(
  { document }: vscode.TextEditor,
  line: number,
  character: number,
): Promise<readonly vscode.CompletionItem[]> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    new vscode.Position(line, character),
  );
  const { Property, Value, Reference } = vscode.CompletionItemKind;
  const kinds: readonly unknown[] = [Property, Value, Reference];
  return list.items.filter(({ kind }) => kinds.includes(kind));
}

function labels(items: readonly vscode.CompletionItem[]): string[] {
  return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}

async function hover(
  { document }: vscode.TextEditor,
  line: number,
  character: number,
): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    new vscode.Position(line, character),
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

async function lenses({ uri }: vscode.TextDocument): Promise<string[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    uri,
  );
  return found.map(({ command }) => command?.title ?? '');
}
