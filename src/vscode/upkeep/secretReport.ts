// The report of a search for secrets: in which files they stand and of which kind they are, never what they are.

import * as vscode from 'vscode';
import type { SecretFinding } from '../../memory/upkeep/healthCheck.ts';
import { findingText, sectionWords } from './findingText.ts';
import { fileLink, reportHead, section, type ScopeOf } from './reportParts.ts';
import { figure } from '../text/figures.ts';

interface SecretReport {
  readonly inMemories: readonly SecretFinding[];
  readonly inTrash: readonly SecretFinding[];
  /** Of files that were searched. */
  readonly searched: number;
  readonly scopeOf: ScopeOf;
  readonly now: Date;
}

/** Markdown. Links are absolute `file:` URIs. */
export function secretReport(report: SecretReport): string {
  const { inMemories, inTrash, searched, scopeOf, now } = report;
  const { title, advice } = sectionWords('secret');
  const line = (finding: SecretFinding) =>
    `${fileLink(finding.place, scopeOf)} — ${findingText(finding)}`;
  return [
    reportHead(
      vscode.l10n.t('Secrets in Memories'),
      now,
      summary(searched, inMemories.length + inTrash.length),
    ),
    ...(inMemories.length > 0
      ? [
          section(
            vscode.l10n.t('{0} ({1})', title, figure(inMemories.length)),
            advice,
            inMemories.map(line),
          ),
        ]
      : []),
    ...(inTrash.length > 0
      ? [
          section(
            vscode.l10n.t('In the trash ({0})', figure(inTrash.length)),
            vscode.l10n.t(
              'Deleted memories and earlier versions. They are never sent to a model. “Memory: Empty Trash” deletes them for good.',
            ),
            inTrash.map(line),
          ),
        ]
      : []),
    '',
  ].join('\n\n');
}

function summary(searched: number, found: number): string {
  const counted =
    searched === 1
      ? vscode.l10n.t('1 file searched')
      : vscode.l10n.t('{0} files searched', figure(searched));
  if (found === 0) return vscode.l10n.t('{0}, no secret found', counted);
  if (found === 1) return vscode.l10n.t('{0}, 1 secret found', counted);
  return vscode.l10n.t('{0}, {1} secrets found', counted, figure(found));
}
