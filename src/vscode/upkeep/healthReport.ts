// The health check as a report for a person: what was found, what it means, what to do. Whatever comes from a
// memory is escaped, and a description that holds a secret is left out.

import * as vscode from 'vscode';
import type { Expiry } from '../../memory/expiry.ts';
import { FINDING_KINDS, type Finding, type FindingKind } from '../../memory/upkeep/healthCheck.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { expirySection } from './expiryReport.ts';
import { findingText, sectionWords } from './findingText.ts';
import {
  fileLink,
  recordLine,
  reportHead,
  section,
  shownDescription,
  type ScopeOf,
} from './reportParts.ts';

interface HealthReport {
  readonly findings: readonly Finding[];
  readonly records: readonly MemoryRecord[];
  /** Of files that were looked at, damaged ones included. */
  readonly checked: number;
  readonly expiry: {
    /** 0 is never. */
    readonly afterDays: number;
    readonly expired: readonly Expiry[];
    readonly upcoming: readonly Expiry[];
  };
  readonly scopeOf: ScopeOf;
  readonly now: Date;
}

/** Markdown. Links are absolute `file:` URIs. */
export function healthReport(report: HealthReport): string {
  const { findings, now, expiry, scopeOf } = report;
  const sections = FINDING_KINDS.flatMap((kind) => {
    const some = findings.filter((finding) => finding.kind === kind);
    return some.length > 0 ? [findingSection(kind, some, scopeOf)] : [];
  });
  return [
    reportHead(vscode.l10n.t('Memory Health'), now, summary(report)),
    ...sections,
    pinnedSection(report),
    expirySection(expiry, scopeOf),
    '',
  ].join('\n\n');
}

function summary({ findings, checked }: HealthReport): string {
  const counted =
    checked === 1
      ? vscode.l10n.t('1 memory checked')
      : vscode.l10n.t('{0} memories checked', figure(checked));
  return vscode.l10n.t('{0}, {1}', counted, lookedAt(findings.length));
}

function lookedAt(count: number): string {
  if (count === 0) return vscode.l10n.t('nothing to look at. All is well.');
  if (count === 1) return vscode.l10n.t('1 thing to look at');
  return vscode.l10n.t('{0} things to look at', figure(count));
}

function findingSection(kind: FindingKind, findings: readonly Finding[], scopeOf: ScopeOf): string {
  const { title, advice } = sectionWords(kind);
  return section(
    vscode.l10n.t('{0} ({1})', title, figure(findings.length)),
    advice,
    findings.map((finding) => {
      const places = finding.kind === 'duplicate' ? finding.records : [placeOf(finding)];
      const links = places.map((place) => fileLink(place, scopeOf));
      const description = 'record' in finding ? shownDescription(finding.record) : '';
      return `${listText(links)} — ${findingText(finding)}${description && `  \n  ${description}`}`;
    }),
  );
}

function placeOf(finding: Exclude<Finding, { kind: 'duplicate' }>) {
  return 'place' in finding ? finding.place : finding.record;
}

function pinnedSection({ records, scopeOf }: HealthReport): string {
  return section(
    vscode.l10n.t('Pinned'),
    vscode.l10n.t('Stays in the index, and no consolidation or expiry touches it.'),
    records.filter(({ pinned }) => pinned).map((record) => recordLine(record, scopeOf)),
    vscode.l10n.t('No memory is pinned.'),
  );
}
