// What mends a problem of a memory, as quick fixes: edits of the document that the person sees, saves and can undo.

import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../manifest.ts';
import type { RecordProblem } from '../../memory/check/problem.ts';
import { fixesFor, fixesForAll, openingFor } from '../../memory/check/recordFixes.ts';
import type { TextEdit } from '../../memory/check/recordFixes.ts';
import { MEMORY_TYPES } from '../../memory/record.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { diagnosticOf } from './diagnostic.ts';
import { fixTitle } from './fixTitle.ts';
import type { OpenChecks } from './openChecks.ts';

export class QuickFixes implements vscode.CodeActionProvider {
  readonly #checks: OpenChecks;

  constructor(checks: OpenChecks) {
    this.#checks = checks;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.CodeAction[]> {
    const problems = (await this.#checks.problemsOf(document)) ?? [];
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const here = problems.filter(({ start, end }) => start <= to && from <= end);
    return here.slice(0, MAX_PROBLEMS).flatMap((problem, i) => {
      const isFirst = here.findIndex(({ kind }) => kind === problem.kind) === i;
      const same = isFirst ? problems.filter(({ kind }) => kind === problem.kind) : [];
      const actions = [...edits(document, problem, same), ...others(document, problem)];
      for (const action of actions) action.diagnostics = [diagnosticOf(document, problem)];
      return actions;
    });
  }
}

/** A menu with the fixes of all that is marked in a long selection would be read by nobody. */
const MAX_PROBLEMS = 20;

function edits(
  document: vscode.TextDocument,
  problem: RecordProblem,
  same: readonly RecordProblem[],
): readonly vscode.CodeAction[] {
  const text = document.getText();
  const file = path.basename(document.uri.fsPath);
  const fixes = [
    ...fixesFor(file, text, problem),
    ...(same.length > 1 ? fixesForAll(text, same) : []),
  ];
  return fixes.map((fix) => {
    const action = quickFix(fixTitle(fix));
    action.edit = editOf(document, fix.edits);
    action.isPreferred = fix.preferred === true;
    return action;
  });
}

/** What is no plain edit of this text. */
function others(
  document: vscode.TextDocument,
  problem: RecordProblem,
): readonly vscode.CodeAction[] {
  if (problem.kind === 'noFrontMatter')
    return fixesFor('', document.getText(), problem).length > 0 ? [] : [frontMatter(document)];
  if (problem.kind === 'otherFile') return [rename(document)];
  if (problem.kind !== 'duplicate') return [];
  const other = vscode.Uri.file(problem.other.path);
  const name = shorten(plainLine(problem.other.name), NAME_CHARS);
  const open = quickFix(vscode.l10n.t('Open “{0}”', name));
  open.command = { command: 'vscode.open', title: open.title, arguments: [other] };
  const compare = quickFix(vscode.l10n.t('Compare with “{0}”', name));
  compare.command = {
    command: 'vscode.diff',
    title: compare.title,
    arguments: [other, document.uri],
  };
  return [open, compare];
}

/** Visible characters. A menu of fixes is narrow. */
const NAME_CHARS = 50;

/** By the command, which takes the file and the links of other memories along. */
function rename({ uri }: vscode.TextDocument): vscode.CodeAction {
  const action = quickFix(vscode.l10n.t('Rename…'));
  action.command = {
    command: COMMANDS.renameMemory,
    title: action.title,
    arguments: [uri.fsPath],
  };
  return action;
}

/** With the type left to choose. */
function frontMatter(document: vscode.TextDocument): vscode.CodeAction {
  const action = quickFix(vscode.l10n.t('Add name, description and type'));
  action.isPreferred = true;
  const snippet = new vscode.SnippetString()
    .appendText(openingFor(path.basename(document.uri.fsPath), document.getText()))
    .appendChoice([...MEMORY_TYPES])
    .appendText('\n---\n\n')
    .appendTabstop(0);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(document.uri, [
    vscode.SnippetTextEdit.insert(new vscode.Position(0, 0), snippet),
  ]);
  return action;
}

function quickFix(title: string): vscode.CodeAction {
  return new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
}

function editOf(document: vscode.TextDocument, changes: readonly TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of changes) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, text);
  }
  return edit;
}
