// Which documents are memories, and which are an index of them. VS Code asks nothing about other files.

import path from 'node:path';
import * as vscode from 'vscode';
import { fileKey, INDEX_FILE, isRecordFile } from '../../memory/folder/recordCache.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { MEMORY_FOLDER } from '../../memory/store.ts';

export function recordFiles(scopes: MemoryScopes): readonly vscode.DocumentFilter[] {
  return filters(scopes, '*.[mM][dD]');
}

export function indexFiles(scopes: MemoryScopes): readonly vscode.DocumentFilter[] {
  return filters(scopes, INDEX_FILE);
}

/** The scope that a memory in an editor belongs to; undefined for any other document, the index too. */
export function scopeOfRecord(
  scopes: MemoryScopes,
  { uri }: vscode.TextDocument,
): Scope | undefined {
  if (uri.scheme !== 'file' || !/\.md$/i.test(uri.path)) return undefined;
  const name = path.basename(uri.fsPath);
  if (!isRecordFile(name) || fileKey(name) === fileKey(INDEX_FILE)) return undefined;
  return scopes.scopeOf({ path: uri.fsPath });
}

/** Whether it is the index of a scope. */
export function isIndex(scopes: MemoryScopes, { uri }: vscode.TextDocument): boolean {
  return scopes.all.some(({ store }) => store.indexPath === uri.fsPath);
}

/** In any folder of memories, as the folders of a window change. That of a scope is told apart later. */
function filters({ personal }: MemoryScopes, name: string): readonly vscode.DocumentFilter[] {
  const own = vscode.Uri.file(personal.store.folder);
  return [
    { scheme: 'file', pattern: `**/${MEMORY_FOLDER}/${name}` },
    { scheme: 'file', pattern: new vscode.RelativePattern(own, name) },
  ];
}
