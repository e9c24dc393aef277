// "Retire Expired": moves what has run out to the trash, and reports what that was and what comes next.

import * as vscode from 'vscode';
import type { Change } from '../../memory/change.ts';
import { retireExpired } from '../../memory/upkeep/retirement.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { expiryReport } from './expiryReport.ts';
import type { Report } from './reportParts.ts';
import { scopeNames } from './reportScope.ts';

interface RetireDeps {
  readonly showReport: (report: Report) => Promise<void>;
  readonly expireAfterDays: (scope: Scope) => number;
  readonly notifyExpired: (changes: readonly Change[]) => void;
}

/** Throws the first reason when something that has run out is still there. */
export async function retireExpiredMemories(
  scopes: MemoryScopes,
  { showReport, expireAfterDays, notifyExpired }: RetireDeps,
): Promise<void> {
  const now = new Date();
  const scopeOf = await scopeNames(scopes);
  const retirement = await retireExpired(scopes, { afterDaysOf: expireAfterDays, now });
  const { changes, retired, upcoming, failures } = retirement;
  if (changes.length > 0) notifyExpired(changes);
  const afterDays = expireAfterDays(scopes.home);
  await showReport({
    title: vscode.l10n.t('Expired Memories'),
    markdown: expiryReport({ retired, upcoming, afterDays, scopeOf, now }),
  });
  if (failures.length > 0) throw failures[0];
}
