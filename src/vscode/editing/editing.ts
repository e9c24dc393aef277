// What helps a person who edits a memory by hand: problems are marked as they type, with what mends them; keys and
// values are completed and explained; a line of commands stands above the text. Nothing is rewritten unasked.

import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { registerCompletion } from './completion.ts';
import { registerHover } from './hover.ts';
import { IndexLenses, RecordLenses } from './lenses.ts';
import { registerMarks } from './marks.ts';
import { indexFiles, recordFiles } from './memoryDocuments.ts';
import { OpenChecks } from './openChecks.ts';
import { QuickFixes } from './quickFixes.ts';

interface EditingOptions {
  readonly scopes: MemoryScopes;
  readonly log: Log;
}

export function registerEditing({ scopes, log }: EditingOptions): vscode.Disposable {
  const checks = new OpenChecks(scopes, log);
  const records = recordFiles(scopes);
  const lenses = new RecordLenses(checks, scopes);
  return vscode.Disposable.from(
    checks,
    registerMarks(checks, scopes),
    vscode.languages.registerCodeActionsProvider(records, new QuickFixes(checks), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    registerCompletion(records, checks),
    registerHover(records, checks),
    vscode.languages.registerCodeLensProvider(records, lenses),
    vscode.languages.registerCodeLensProvider(indexFiles(scopes), new IndexLenses(scopes)),
  );
}
