// The workspace's files through the editor: a person's unsaved edits count as the text, and every change is one
// that they can undo. Nothing outside the workspace folders is ever written.

import path from 'node:path';
import * as vscode from 'vscode';
import { decodeText, type Workspace } from '../agent/workspace.ts';
import { realPathInside } from '../base/containment.ts';
import {
  infoIfPresent,
  makeFolder,
  readBytesIfPresent,
  writeFileAtomically,
} from '../base/files.ts';
import { changedSpan } from './changedSpan.ts';

/** Saving can fail for a moment, as when a formatter or a virus scanner holds the file. */
const SAVE_ATTEMPTS = 3;
const SAVE_PAUSE_MS = 200;

/** `readable` are folders outside the workspace that may be read. */
export function editorWorkspace(readable: readonly string[]): Workspace {
  return {
    get folders() {
      return workspaceFolderPaths();
    },
    readable,
    async readText(file) {
      const unsaved = openDocument(file);
      if (unsaved?.isDirty) return unsaved.getText();
      // Not from a clean document: it lags behind the disk when a command has just changed the file.
      const bytes = await readBytesIfPresent(file);
      return bytes === undefined ? undefined : decodeText(bytes, file);
    },
    async writeText(file, text) {
      const real = await realPathInside(workspaceFolderPaths(), file);
      if (real === undefined) throw new Error(`${file} is outside the workspace.`);
      const info = await infoIfPresent(file);
      if (info && info.kind !== 'file') throw new Error(`${file} is not a file.`);
      await (info ? replaceText(file, real, text) : createFile(file, text));
    },
  };
}

/** Absolute paths of the workspace folders that are on a disk. */
export function workspaceFolderPaths(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}

async function createFile(file: string, text: string): Promise<void> {
  const left = openDocument(file);
  // The file was deleted under an editor that still holds edits to it: saving would bring those back.
  if (left?.isDirty) return replaceInDocument(left, text);
  await makeFolder(path.dirname(file));
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(vscode.Uri.file(file), { contents: Buffer.from(text, 'utf8') });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(`The editor could not create ${path.basename(file)}.`);
  }
}

async function replaceText(file: string, real: string, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  if (document.isDirty || (await showsTheDisk(document, file))) {
    await replaceInDocument(document, text);
  } else {
    // The editor would take a save for an overwrite of newer content. It reloads a clean document by itself.
    await writeFileAtomically(real, text);
  }
}

/** Whether a clean document has caught up with the disk. Line ends do not count: an editor makes them alike. */
async function showsTheDisk(document: vscode.TextDocument, file: string): Promise<boolean> {
  const bytes = await readBytesIfPresent(file);
  if (bytes === undefined) return false;
  const { encoding } = document;
  const onDisk = await vscode.workspace.decode(bytes, { encoding });
  return withLineEnds(withoutMark(onDisk), '\n') === withLineEnds(document.getText(), '\n');
}

async function replaceInDocument(document: vscode.TextDocument, text: string): Promise<void> {
  const end = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  // The document's encoding keeps a byte order mark; in the text it would become a second one.
  const span = changedSpan(document.getText(), withLineEnds(withoutMark(text), end));
  if (span) {
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
    edit.replace(document.uri, range, span.text);
    if (!(await vscode.workspace.applyEdit(edit))) {
      const name = path.basename(document.uri.fsPath);
      throw new Error(`${name} changed while it was being edited. Read it again.`);
    }
  }
  await save(document);
}

async function save(document: vscode.TextDocument): Promise<void> {
  for (let attempt = 1; attempt <= SAVE_ATTEMPTS; attempt++) {
    if (await document.save()) return;
    await new Promise((resolve) => setTimeout(resolve, SAVE_PAUSE_MS));
  }
  throw new Error(
    `${path.basename(document.uri.fsPath)} is changed in the editor, but VS Code could not save it. ` +
      'Ask the user to look at that editor.',
  );
}

function openDocument(file: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function withLineEnds(text: string, end: string): string {
  return text.replace(/\r\n|\r|\n/g, end);
}
