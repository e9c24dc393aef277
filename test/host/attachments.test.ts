import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AttachmentBlock, ImageBlock } from '../../src/models/model.ts';
import { requestAttachments } from '../../src/vscode/chat/attachments.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { pngBytes } from '../support/images.ts';
import { writeTree } from '../support/tempFolder.ts';

type Reference = vscode.ChatPromptReference;

describe('attachments of a request', () => {
  let folder = '';
  let outside = '';

  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    folder = await fs.mkdtemp(path.join(root, 'attached-'));
    outside = await fs.mkdtemp(path.join(os.tmpdir(), 'attached-'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await Promise.all([folder, outside].map((each) => fs.rm(each, { recursive: true })));
  });

  it('are files, places, folders, images and texts, by the names that people know', async () => {
    await writeTree(folder, {
      'a.ts': 'one\ntwo\nthree\n',
      'src/b.ts': '',
      'shot.png': pngBytes(4, 3),
    });
    await writeTree(outside, { 'far.txt': 'far away' });
    const { blocks, text } = await send([
      file('a.ts'),
      { id: 'sym', value: new vscode.Location(uri('a.ts'), new vscode.Range(1, 0, 2, 0)) },
      file('src'),
      file('shot.png'),
      pasted('image/png', pngBytes(9, 9)),
      { id: 'terminal', value: 'npm test failed', modelDescription: 'Output of a command' },
      { id: 'far', value: vscode.Uri.file(path.join(outside, 'far.txt')) },
    ]);
    assert.equal(text, '');
    const shown = blocks.map((block) =>
      block.type === 'image' ? block.source.media_type : block.name,
    );
    assert.deepEqual(shown, [
      `${name()}/a.ts`,
      `${name()}/a.ts:2`,
      `${name()}/src/`,
      `${name()}/shot.png`,
      'image/png',
      'Pasted Image',
      'image/png',
      'terminal',
      path.join(outside, 'far.txt'),
    ]);
    const told = textOf(blocks);
    assert.match(told, /one\ntwo\nthree\n<\/attachment>/);
    assert.match(told, /\n\ntwo\n<\/attachment>/);
    assert.match(told, /A folder\.\n\nb\.ts\n/);
    assert.match(told, /Output of a command\n\nnpm test failed\n/);
    assert.match(told, /far away/);
  });

  it('have the text that is not saved yet', async () => {
    await writeTree(folder, { 'a.ts': 'disk' });
    await typeAtStart(uri('a.ts'), 'unsaved ');
    assert.match(textOf((await send([file('a.ts')])).blocks), /\n\nunsaved disk\n</);
  });

  it('are told by name when only their beginning is sent', async () => {
    await writeTree(folder, { 'long.ts': 'line\n'.repeat(9_000), 'short.ts': 'line' });
    const { text } = await send([file('long.ts'), file('short.ts')]);
    assert.match(text, /^_Attached, but too long to send whole, .*: [^,]*long\\\.ts_\n\n$/);
  });

  it('may be a document that is on no disk', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo\n' });
    const range = new vscode.Range(0, 0, 0, 3);
    const { blocks, text } = await send([
      { id: 'new', value: document.uri },
      { id: 'part', value: new vscode.Location(document.uri, range) },
      { id: 'gone', value: vscode.Uri.parse('untitled:Gone-7') },
      { id: 'odd', value: vscode.Uri.parse('nothing-knows:/a.txt') },
    ]);
    assert.match(textOf(blocks), /\n\none\ntwo\n<[^]*\n\none\n</);
    assert.match(text, /^_Attached, but not sent: Gone.*not open any more.*a\\\.txt/);
    assert.equal(
      vscode.workspace.textDocuments.some(({ uri: { path: at } }) => at === 'Gone-7'),
      false,
    );
  });

  it('are problems as the editor lists them', async () => {
    const range = new vscode.Range(4, 0, 4, 3);
    const problem = new vscode.Diagnostic(
      range,
      'No such name.',
      vscode.DiagnosticSeverity.Warning,
    );
    const { blocks } = await send([
      { id: 'problems', value: { diagnostics: [[uri('a.ts'), [problem]]] } },
    ]);
    assert.match(textOf(blocks), new RegExp(`\\n${name()}/a\\.ts:5: Warning: No such name\\.\\n`));
  });

  it('are sent once each, in the order of the prompt', async () => {
    await writeTree(folder, { 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    const { blocks } = await send([
      { ...file('b.ts'), range: [20, 25] },
      { ...file('a.ts'), range: [2, 7] },
      file('c.ts'),
      { ...file('c.ts'), id: 'again', range: [30, 35] },
    ]);
    assert.deepEqual(
      blocks.map((block) => (block.type === 'attachment' ? path.basename(block.name) : '')),
      ['c.ts', 'a.ts', 'b.ts'],
    );
  });

  it('that cannot be sent are told in one line, with the reason, and keep no other back', async () => {
    await writeTree(folder, {
      'a.bin': Buffer.from([0]),
      'b_c.bin': Buffer.from([0]),
      'd.ts': 'd',
    });
    const { blocks, text } = await send([
      file('a.bin'),
      file('b_c.bin'),
      { id: 'odd', value: { some: 'thing' } },
      pasted('image/bmp', Buffer.from('BM')),
      {
        id: 'broken',
        value: { mimeType: 'image/png', data: () => Promise.reject(new Error('No\n\nway.')) },
      },
      file('d.ts'),
    ]);
    assert.equal(text.trim().split('\n').length, 1);
    assert.match(
      text,
      /^_Attached, but not sent: [^;]*a\\\.bin, [^;]*b\\_c\\\.bin \(not text\); odd \(/,
    );
    assert.match(text, /Pasted Image \(damaged\\?, or not a PNG.*; broken \(No way\\\.\)_\n\n$/);
    assert.match(textOf(blocks), /\n\nd\n</);
    assert.match(textOf(blocks), /Named only, not sent:[^]*a\.bin: it is not text/);
  });

  it('that are images are not sent to a model that sees none', async () => {
    const image = pasted('image/png', pngBytes(1, 1));
    const { blocks, text } = await send([image], { supportsImageToText: false });
    assert.equal(
      blocks.some(({ type }) => type === 'image'),
      false,
    );
    assert.match(text, /Pasted Image \(Some Model cannot be shown images\)/);
  });

  it('do not hold what VS Code tells its own agent, nor the editor twice', async () => {
    await writeTree(folder, { 'a.ts': 'one\ntwo\n' });
    const { blocks, references } = await send([
      { id: 'vscode.customizations.index', value: 'Use these tools.' },
      { id: 'vscode.implicit.file', value: uri('a.ts') },
      file('a.ts'),
    ]);
    assert.deepEqual(
      blocks.map((block) => (block.type === 'attachment' ? block.name : '')),
      [`${name()}/a.ts`, `Active editor: ${name()}/a.ts`],
    );
    assert.deepEqual(references.map(String), [String(uri('a.ts'))]);
  });

  it('are instructions, in front of all else, when VS Code adds them as such', async () => {
    await writeTree(folder, {
      'AGENTS.md': 'Use tabs.',
      'style.md': 'Short names.',
      'do.md': 'Do it.',
      'old.md': 'Old.',
      'a.ts': 'a',
    });
    const { blocks, wholeFiles } = await send([
      file('AGENTS.md'),
      file('a.ts'),
      { ...file('AGENTS.md'), id: `vscode.instructions.file.root__${String(uri('AGENTS.md'))}` },
      { ...file('style.md'), id: `vscode.instructions.file.reference__${String(uri('style.md'))}` },
      { ...file('do.md'), id: `vscode.prompt.file__${String(uri('do.md'))}` },
      { ...file('old.md'), id: `vscode.prompt.instructions__${String(uri('old.md'))}` },
      { id: 'vscode.customizations.index', value: 'Use these tools.' },
    ]);
    assert.deepEqual(
      blocks.map((block) => (block.type === 'attachment' ? path.basename(block.name) : '')),
      ['AGENTS.md', 'style.md', 'do.md', 'old.md', 'a.ts'],
    );
    const [agents, style, , , material] = blocks.map((block) => textOf([block]));
    assert.match(agents ?? '', /\nStanding instructions of the user [^\n]*\n\nUse tabs\.\n</);
    assert.match(style ?? '', /\nStanding instructions/);
    assert.match(material ?? '', /\nFrom the user, as material/);
    assert.deepEqual(
      wholeFiles.map(({ text }) => text),
      ['Use tabs.', 'Short names.', 'Do it.', 'Old.', 'a'],
    );
  });

  it('hold no instructions of a workspace that is not trusted, but what the person attached', async () => {
    await writeTree(folder, { 'AGENTS.md': 'Use tabs.', 'CLAUDE.md': 'Use spaces.' });
    const root = 'vscode.instructions.file.root__';
    const { blocks, text } = await send(
      [
        { ...file('AGENTS.md'), id: `${root}${String(uri('AGENTS.md'))}` },
        { ...file('CLAUDE.md'), id: `${root}${String(uri('CLAUDE.md'))}` },
        file('CLAUDE.md'),
      ],
      undefined,
      false,
    );
    assert.equal(text, '');
    assert.match(textOf(blocks), /material[^]*Use spaces\./);
    assert.doesNotMatch(textOf(blocks), /Use tabs|Standing/);
  });

  async function send(
    references: readonly Reference[],
    capabilities = { supportsImageToText: true },
    isTrusted = true,
  ) {
    const kept = keptResponse();
    const shown: unknown[] = [];
    const response = Object.assign(kept.response, { reference: (at: unknown) => shown.push(at) });
    const model = { vendor: 'test', name: 'Some Model', capabilities };
    const request = { references, model } as unknown as vscode.ChatRequest;
    const given = { request, response, inputLimit: 200_000, working: [], isTrusted };
    const { attachments = [], wholeFiles = [] } = await requestAttachments(
      given,
      new AbortController().signal,
    );
    return { blocks: attachments, wholeFiles, text: kept.text(), references: shown };
  }

  function uri(relative: string): vscode.Uri {
    return vscode.Uri.file(path.join(folder, relative));
  }

  function file(relative: string): Reference {
    return { id: uri(relative).toString(), value: uri(relative) };
  }

  /** In the workspace. */
  function name(): string {
    return path.basename(folder);
  }
});

function pasted(mimeType: string, bytes: Uint8Array): Reference {
  const value = { mimeType, data: () => Promise.resolve(bytes) };
  return Object.assign({ id: 'image-1', value }, { name: 'Pasted Image' });
}

function textOf(blocks: readonly (AttachmentBlock | ImageBlock)[]): string {
  return blocks.map((block) => (block.type === 'attachment' ? block.text : '')).join('\n');
}

async function typeAtStart(uri: vscode.Uri, text: string): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
}
