// Marks what is wrong in the memories that are open, a moment after it was typed. A closed one has no marks: the
// health check looks at all of them.

import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { coalesce } from '../host/coalesce.ts';
import { diagnosticsOf } from './diagnostic.ts';
import { scopeOfRecord } from './memoryDocuments.ts';
import type { OpenChecks } from './openChecks.ts';

/** Long enough that half a word is not complained of, short enough to be seen before the next sentence. */
const PAUSE_MS = 300;

export function registerMarks(checks: OpenChecks, scopes: MemoryScopes): vscode.Disposable {
  const marks = vscode.languages.createDiagnosticCollection('memoryAgent');
  const due = new Set<vscode.TextDocument>();
  let isOver = false;
  const run = coalesce(async () => {
    await sleep(PAUSE_MS, undefined, { ref: false });
    for (const document of due) {
      due.delete(document);
      const found = await diagnosticsOf(document, checks);
      // What was typed meanwhile is looked at next.
      if (!isOver && isInTab(document.uri) && !due.has(document)) marks.set(document.uri, found);
    }
  });
  const look = (document: vscode.TextDocument): void => {
    if (!scopeOfRecord(scopes, document) || !isInTab(document.uri)) return;
    due.add(document);
    run();
  };
  const lookAtAll = (): void => {
    for (const [uri] of marks)
      if (!scopes.scopeOf({ path: uri.fsPath }) || !isInTab(uri)) marks.delete(uri);
    vscode.workspace.textDocuments.forEach(look);
  };
  lookAtAll();
  return vscode.Disposable.from(
    marks,
    checks.onDidChange(lookAtAll),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      if (opened.length + closed.length > 0) lookAtAll();
    }),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    {
      dispose() {
        isOver = true;
        due.clear();
      },
    },
  );
}

/** A document stays for minutes after its tab is closed when an extension has opened it. */
function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => {
      if (input instanceof vscode.TabInputText) return isSame(input.uri, uri);
      return input instanceof vscode.TabInputTextDiff && isSame(input.modified, uri);
    });
}

function isSame(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.toString() === b.toString();
}
