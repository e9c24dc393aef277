// The workspace's files through the editor: a person's unsaved edits count as the text, and every change is one
// that they can undo. Nothing outside the workspace folders is ever written.

import path from 'node:path';
import * as vscode from 'vscode';
import { changedMeanwhile, type Workspace, type Written } from '../../agent/workspace.ts';
import { realPathInside } from '../../base/containment.ts';
import {
  infoIfPresent,
  makeFolder,
  readBytesIfPresent,
  realPathIfPresent,
  replaceFileAtomically,
} from '../../base/files.ts';
import { changedSpan } from './changedSpan.ts';
import { decodeFile, encodeFile } from './fileEncoding.ts';

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
      const document = await openDocument(file);
      if (document?.isDirty) return document.getText();
      // Not from a clean document: it lags behind the disk when a command has just changed the file.
      return textOnDisk(file, document);
    },
    unsavedTexts() {
      return new Map(
        unsavedDocuments().map((document) => [document.uri.fsPath, document.getText()]),
      );
    },
    async refuseUnwritable(file, text) {
      await refuseUnsavedElsewhere(file);
      const document = await openDocument(file);
      await encodeFile(withoutMark(text), file, document ?? { uri: vscode.Uri.file(file) });
    },
    async writeText(file, { before, after }) {
      const real = await realPathInside(workspaceFolderPaths(), file);
      if (real === undefined) throw new Error(`${file} is outside the workspace.`);
      await refuseUnsavedElsewhere(file);
      const info = await infoIfPresent(file);
      if (info && info.kind !== 'file') throw new Error(`${file} is not a file.`);
      // The file may be deleted under an editor that still holds edits to it: these are its text.
      const isThere = info !== undefined || (await openDocument(file))?.isDirty === true;
      if (isThere !== (before !== undefined)) throw changedMeanwhile(file);
      const text = withoutMark(after);
      if (before === undefined) return createFile(file, real, text);
      return replaceText({ file, real, before, after: text });
    },
  };
}

/** Absolute paths of the workspace folders that are on a disk. */
export function workspaceFolderPaths(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}

async function createFile(file: string, real: string, text: string): Promise<Written> {
  const uri = vscode.Uri.file(file);
  const contents = await encodeFile(text, file, { uri });
  await makeFolder(path.dirname(real));
  await refuseMoved(file, real);
  const edit = new vscode.WorkspaceEdit();
  // Refused by the editor when something stands there by now.
  edit.createFile(uri, { contents });
  if (!(await vscode.workspace.applyEdit(edit))) {
    if (await infoIfPresent(file)) throw changedMeanwhile(file);
    throw new Error(`The editor could not create ${path.basename(file)}.`);
  }
  return { text, savedEdits: false };
}

/** The editor goes by the path as it is written, so a link may lead it elsewhere than it did when it was checked. */
async function refuseMoved(file: string, real: string): Promise<void> {
  const now = await realPathInside(workspaceFolderPaths(), file);
  if (now !== real) throw changedMeanwhile(file);
}

interface Replacement {
  readonly file: string;
  /** With links resolved. */
  readonly real: string;
  readonly before: string;
  readonly after: string;
}

async function replaceText(replacement: Replacement): Promise<Written> {
  const { file, real, before, after } = replacement;
  const present = await openDocument(file);
  const document = present?.isDirty
    ? present
    : await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const bytes = await encodeFile(after, file, document);
  await refuseMoved(file, real);
  if (document.isDirty || (await canTake(document, replacement))) {
    return replaceInDocument(document, before, after);
  }
  // The editor would take a save for an overwrite of newer content, or make all line ends alike. It reloads a clean
  // document by itself, and that can be undone too.
  await replaceFileAtomically(real, bytes, async () => {
    if (document.isDirty || (await textOnDisk(file, document)) !== before) {
      throw changedMeanwhile(file);
    }
  });
  return { text: after, savedEdits: false };
}

/** Whether a clean document has caught up with the disk, and saving it leaves all line ends as they are to be. */
async function canTake(
  document: vscode.TextDocument,
  { file, after }: Replacement,
): Promise<boolean> {
  if (withLineEnds(after, lineEndOf(document)) !== after) return false;
  return (await textOnDisk(file, document)) === document.getText();
}

async function replaceInDocument(
  document: vscode.TextDocument,
  before: string,
  after: string,
): Promise<Written> {
  const file = document.uri.fsPath;
  const savedEdits = document.isDirty;
  if (document.getText() !== before) throw changedMeanwhile(file);
  const span = changedSpan(before, withLineEnds(after, lineEndOf(document)));
  if (span) {
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
    edit.replace(document.uri, range, span.text);
    // Refused by the editor when the document is no longer the version that it was here.
    if (!(await vscode.workspace.applyEdit(edit))) throw changedMeanwhile(file);
  }
  if (document.isDirty) await save(document);
  return { text: document.getText(), savedEdits };
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

/** A notebook, or another editor that is none of text, keeps its unsaved changes to itself: they would be lost. */
async function refuseUnsavedElsewhere(file: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isUnsaved = tabs.some(
    ({ isDirty, input }) =>
      isDirty &&
      (input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom) &&
      input.uri.fsPath === file,
  );
  if (!isUnsaved || (await openDocument(file))?.isDirty) return;
  throw new Error(
    `${path.basename(file)} has unsaved changes in an editor that does not show it as text. Ask ` +
      'the user to save them first.',
  );
}

/** One with unsaved edits also where the person opened it by another path, as through a linked folder. */
async function openDocument(file: string): Promise<vscode.TextDocument | undefined> {
  const uri = vscode.Uri.file(file).toString();
  const same = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
  if (same?.isDirty) return same;
  const unsaved = unsavedDocuments();
  const real = unsaved.length > 0 ? await realPathIfPresent(file) : undefined;
  if (real === undefined) return same;
  for (const document of unsaved) {
    if ((await realPathIfPresent(document.uri.fsPath)) === real) return document;
  }
  return same;
}

function unsavedDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file',
  );
}

async function textOnDisk(
  file: string,
  document: vscode.TextDocument | undefined,
): Promise<string | undefined> {
  const bytes = await readBytesIfPresent(file);
  if (bytes === undefined) return undefined;
  return decodeFile(bytes, file, document ?? { uri: vscode.Uri.file(file) });
}

function lineEndOf(document: vscode.TextDocument): string {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function withLineEnds(text: string, end: string): string {
  return text.replace(/\r\n|\r|\n/g, end);
}
