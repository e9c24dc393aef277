// A problem of a memory as VS Code shows it: where, how grave, and in one sentence what to do.

import * as vscode from 'vscode';
import type { ProblemKind, RecordProblem } from '../../memory/check/problem.ts';
import { plainLine } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';
import type { OpenChecks } from './openChecks.ts';
import { problemText } from './problemText.ts';

const SOURCE = 'Memory Agent';

/** None for a document that is no memory. */
export async function diagnosticsOf(
  document: vscode.TextDocument,
  checks: OpenChecks,
): Promise<readonly vscode.Diagnostic[]> {
  const problems = (await checks.problemsOf(document)) ?? [];
  const found = problems.map((problem) => diagnosticOf(document, problem));
  if (document.isDirty || found.some(({ severity }) => severity === Severity.Error)) return found;
  // What the text does not show, such as its encoding, or a link in the place of a file.
  const damage = await checks.savedDamage(document);
  if (!damage || document.isDirty) return found;
  const said = plainLine(sentenceText(damage.problem));
  const whole = new vscode.Diagnostic(document.lineAt(0).range, said, Severity.Error);
  whole.source = SOURCE;
  whole.code = 'damaged';
  return [...found, whole];
}

export function diagnosticOf(
  document: vscode.TextDocument,
  problem: RecordProblem,
): vscode.Diagnostic {
  const { start, end } = problem;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const diagnostic = new vscode.Diagnostic(range, problemText(problem), severityOf(problem));
  diagnostic.source = SOURCE;
  diagnostic.code = problem.kind;
  if (problem.kind === 'duplicate') {
    const { path, name } = problem.other;
    const place = new vscode.Location(vscode.Uri.file(path), new vscode.Position(0, 0));
    diagnostic.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(place, plainLine(name)),
    ];
  }
  return diagnostic;
}

function severityOf(problem: RecordProblem): vscode.DiagnosticSeverity {
  // Without a type there is no memory; the other keys have something that stands in for them.
  if (problem.kind === 'missing' && problem.key === 'type') return Severity.Error;
  if (problem.kind === 'unknownKey' && problem.meant !== undefined) return Severity.Warning;
  if (problem.kind === 'tooLong' && problem.field === 'name') return Severity.Information;
  if (problem.kind === 'expired' && problem.kept) return Severity.Information;
  return SEVERITIES[problem.kind];
}

const Severity = vscode.DiagnosticSeverity;

/**
 * An error keeps the file from being a memory; a warning is to be mended; information is good to know. What other
 * agents write on purpose is a hint: a mark at the place, and not one more entry in the list of problems.
 */
const SEVERITIES: Readonly<Record<ProblemKind, vscode.DiagnosticSeverity>> = {
  noFrontMatter: Severity.Error,
  notClosed: Severity.Error,
  otherLanguage: Severity.Error,
  unreadable: Severity.Error,
  duplicateKey: Severity.Error,
  unknownType: Severity.Error,
  missing: Severity.Warning,
  emptyBody: Severity.Warning,
  tooLong: Severity.Warning,
  secret: Severity.Warning,
  hidden: Severity.Warning,
  noDate: Severity.Warning,
  noBoolean: Severity.Warning,
  expired: Severity.Warning,
  duplicate: Severity.Warning,
  unknownKey: Severity.Hint,
  otherFile: Severity.Hint,
  neverExpires: Severity.Information,
};
