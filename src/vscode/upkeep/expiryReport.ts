// What expires: as a section of the health report, and as a report of its own on what was retired.

import * as vscode from 'vscode';
import type { Expiry } from '../../memory/expiry.ts';
import { dayOf } from '../text/dayOf.ts';
import { figure } from '../text/figures.ts';
import { plainMarkdown } from '../text/plainText.ts';
import { goneRecordLine, recordLine, reportHead, section, type ScopeOf } from './reportParts.ts';

interface ExpiryReport {
  readonly retired: readonly Expiry[];
  readonly upcoming: readonly Expiry[];
  /** 0 is never. */
  readonly afterDays: number;
  readonly scopeOf: ScopeOf;
  readonly now: Date;
}

/** Markdown. Links are absolute `file:` URIs. */
export function expiryReport({ retired, upcoming, afterDays, scopeOf, now }: ExpiryReport): string {
  const items = retired.map(
    (one) => `${goneRecordLine(one.record, scopeOf)} — ${whenExpired(one)}`,
  );
  return [
    reportHead(vscode.l10n.t('Expired Memories'), now, summary(retired.length)),
    ...(items.length > 0
      ? [
          section(
            vscode.l10n.t('Moved to the trash'),
            vscode.l10n.t('Bring one back with “Memory: Restore Deleted”.'),
            items,
          ),
        ]
      : []),
    expirySection({ afterDays, expired: [], upcoming }, scopeOf),
    '',
  ].join('\n\n');
}

/** The rule, what has expired and is still there, and what will. */
export function expirySection(
  expiry: {
    readonly afterDays: number;
    readonly expired: readonly Expiry[];
    readonly upcoming: readonly Expiry[];
  },
  scopeOf: ScopeOf,
): string {
  const { afterDays, expired, upcoming } = expiry;
  return section(
    vscode.l10n.t('Expiry'),
    ruleText(afterDays),
    [
      ...expired.map((one) => `${recordLine(one.record, scopeOf)} — ${whenExpired(one)}`),
      ...upcoming.map((one) => `${recordLine(one.record, scopeOf)} — ${whenExpires(one)}`),
    ],
    vscode.l10n.t('Nothing expires within the next two weeks.'),
  );
}

function ruleText(afterDays: number): string {
  if (afterDays === 0)
    return vscode.l10n.t(
      'Memories do not expire by age, unless you set `memoryAgent.expireProjectAfterDays`. A project or reference memory with a date of its own, `expires`, moves to the trash after that day.',
    );
  return afterDays === 1
    ? vscode.l10n.t(
        'Project memories move to the trash when they were not changed for 1 day. Preferences and guidance never expire, nor does what is pinned.',
      )
    : vscode.l10n.t(
        'Project memories move to the trash when they were not changed for {0} days. Preferences and guidance never expire, nor does what is pinned.',
        figure(afterDays),
      );
}

function summary(count: number): string {
  if (count === 0) return vscode.l10n.t('Nothing has expired');
  if (count === 1) return vscode.l10n.t('1 memory expired and moved to the trash');
  return vscode.l10n.t('{0} memories expired and moved to the trash', figure(count));
}

function whenExpired({ at }: Expiry): string {
  return vscode.l10n.t('expired on {0}', plainMarkdown(dayOf(at)));
}

function whenExpires({ at }: Expiry): string {
  return vscode.l10n.t('expires on {0}', plainMarkdown(dayOf(at)));
}
