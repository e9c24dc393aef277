// The health check as a report for a person: what was found, what it means, what to do. Whatever comes from a
// memory is escaped, and a description that holds a secret is left out.

import * as vscode from 'vscode';
import type { Expiry } from '../memory/expiry.ts';
import { FINDING_KINDS, type Finding, type FindingKind } from '../memory/healthCheck.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { secretIn } from '../memory/secrets.ts';
import { dayOf, findingText, sectionWords } from './findingText.ts';
import { plainLine, plainMarkdown, shorten } from './plainText.ts';

interface HealthReport {
  readonly findings: readonly Finding[];
  readonly records: readonly MemoryRecord[];
  /** Of files that were looked at: memories, damaged ones, and others such as those in the trash. */
  readonly checked: number;
  readonly expiry: {
    /** 0 is never. */
    readonly afterDays: number;
    readonly expired: readonly Expiry[];
    readonly upcoming: readonly Expiry[];
  };
  /** Where a file belongs, as the person knows it; undefined where that goes without saying. */
  readonly scopeOf: (path: string) => string | undefined;
  readonly now: Date;
}

/** A section with more would not be read; the rest is counted. */
const MAX_ITEMS = 100;
/** Characters of a description: enough to know the memory again. */
const SHOWN_DESCRIPTION = 100;

/** Markdown. Links are absolute `file:` URIs. */
export function healthReport(report: HealthReport): string {
  const { findings } = report;
  const sections = FINDING_KINDS.flatMap((kind) => {
    const some = findings.filter((finding) => finding.kind === kind);
    return some.length > 0 ? [findingSection(kind, some, report)] : [];
  });
  return [
    `# ${vscode.l10n.t('Memory Health')}`,
    summary(report),
    ...sections,
    pinnedSection(report),
    expirySection(report),
    '',
  ].join('\n\n');
}

function summary({ findings, checked, now }: HealthReport): string {
  const date = new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(now);
  const counted =
    checked === 1
      ? vscode.l10n.t('1 memory checked')
      : vscode.l10n.t('{0} memories checked', checked);
  return `${plainMarkdown(date)}\n\n**${counted}, ${lookedAt(findings.length)}**`;
}

function lookedAt(count: number): string {
  if (count === 0) return vscode.l10n.t('nothing to look at. All is well.');
  if (count === 1) return vscode.l10n.t('1 thing to look at');
  return vscode.l10n.t('{0} things to look at', count);
}

function findingSection(
  kind: FindingKind,
  findings: readonly Finding[],
  { scopeOf }: HealthReport,
): string {
  const { title, advice } = sectionWords(kind);
  return section(
    `${title} (${findings.length})`,
    advice,
    findings.map((finding) => {
      const places = finding.kind === 'duplicate' ? finding.records : [placeOf(finding)];
      const links = places.map((place) => fileLink(place, scopeOf)).join(', ');
      const description = 'record' in finding ? shownDescription(finding.record) : '';
      return `${links} — ${findingText(finding)}${description && `  \n  ${description}`}`;
    }),
  );
}

function placeOf(finding: Exclude<Finding, { kind: 'duplicate' }>): Place {
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

function expirySection({ expiry, scopeOf }: HealthReport): string {
  const { afterDays, expired, upcoming } = expiry;
  const rule =
    afterDays > 0
      ? vscode.l10n.t(
          'A project memory moves to the trash when it was not changed for {0} days, or after its own date, `expires`. Preferences, guidance and what is pinned never do.',
          afterDays,
        )
      : vscode.l10n.t(
          'No memory expires by age. A project or reference memory with a date of its own, `expires`, moves to the trash after that day, unless it is pinned.',
        );
  return section(
    vscode.l10n.t('Expiry'),
    rule,
    [...expired, ...upcoming].map((one) => {
      const date = plainMarkdown(dayOf(one.at));
      const when = expired.includes(one)
        ? vscode.l10n.t('expired on {0}', date)
        : vscode.l10n.t('expires on {0}', date);
      return `${recordLine(one.record, scopeOf)} — ${when}`;
    }),
    vscode.l10n.t('Nothing expires within the next two weeks.'),
  );
}

function section(
  title: string,
  advice: string,
  items: readonly string[],
  otherwise?: string,
): string {
  const left = items.length - MAX_ITEMS;
  const list = [
    ...items.slice(0, MAX_ITEMS),
    ...(left > 0 ? [vscode.l10n.t('and {0} more', left)] : []),
  ];
  const text = list.length > 0 ? list.map((item) => `- ${item}`).join('\n') : (otherwise ?? '');
  return `## ${title}\n\n${advice}\n\n${text}`;
}

type Place = Pick<MemoryRecord, 'file' | 'path'>;

function recordLine(record: MemoryRecord, scopeOf: HealthReport['scopeOf']): string {
  const description = shownDescription(record);
  return fileLink(record, scopeOf) + (description && ` — ${description}`);
}

function fileLink({ file, path }: Place, scopeOf: HealthReport['scopeOf']): string {
  const scope = scopeOf(path);
  // `Uri` leaves parentheses, which would end the link.
  const uri = vscode.Uri.file(path).toString().replaceAll('(', '%28').replaceAll(')', '%29');
  const label = scope === undefined ? '' : ` (${plainMarkdown(plainLine(scope))})`;
  return `[${plainMarkdown(plainLine(file))}](${uri})${label}`;
}

function shownDescription({ description }: MemoryRecord): string {
  if (secretIn(description) !== undefined) return '';
  return plainMarkdown(shorten(plainLine(description), SHOWN_DESCRIPTION));
}
