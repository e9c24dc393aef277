// The sentence of a notification: what became of one memory, or of several. Words from memories are shown as plain
// text. A scope is named only where it tells something.

import * as vscode from 'vscode';
import { IMPORT_SOURCE } from '../memory/exchange/importCandidate.ts';
import type { MemoryScopes, Scope } from '../memory/scopes.ts';
import type { Outcome } from './changeOutcomes.ts';
import { NOTIFICATION_CHARS, plainLine, shorten } from './plainText.ts';
import { scopeLabel } from './scopeLabel.ts';

/** `outcomes` are one or more. */
export function noticeText(outcomes: readonly Outcome[], scopes: MemoryScopes): string {
  const [first] = outcomes;
  if (first && outcomes.length === 1) return singleText(first, scopes);
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  const [kind] = kinds;
  if (kind && kinds.size === 1) return sameKindText(kind, outcomes, scopes);
  const removed = outcomes.filter(({ kind }) => kind === 'removed');
  const kept = outcomes.filter(({ kind }) => kind !== 'removed');
  return removed.length === 0
    ? vscode.l10n.t('{0} memories saved: {1}', kept.length, namesOf(kept))
    : vscode.l10n.t(
        'Memories saved: {0}. Moved to the trash: {1}.',
        namesOf(kept),
        namesOf(removed),
      );
}

/** Of memories that went by themselves. */
export function expiredText(outcomes: readonly Outcome[]): string {
  const names = namesOf(outcomes);
  return outcomes.length === 1
    ? vscode.l10n.t('The memory “{0}” has expired and moved to the trash.', names)
    : vscode.l10n.t(
        '{0} memories have expired and moved to the trash: {1}',
        outcomes.length,
        names,
      );
}

function singleText(outcome: Outcome, scopes: MemoryScopes): string {
  const { kind, record } = outcome;
  const name = shorten(plainLine(record.name), NOTIFICATION_CHARS);
  const description = shorten(plainLine(record.description), NOTIFICATION_CHARS);
  switch (kind) {
    case 'created': {
      const scope = tellingScope(record.path, scopes);
      return scope
        ? vscode.l10n.t('Remembered “{0}” in {1}: {2}', name, labelOf(scope), description)
        : vscode.l10n.t('Remembered “{0}”: {1}', name, description);
    }
    case 'restored':
      return vscode.l10n.t('Restored “{0}”: {1}', name, description);
    case 'updated':
      return vscode.l10n.t('Updated memory “{0}”: {1}', name, description);
    case 'renamed': {
      const before = shorten(plainLine(outcome.before.name), NOTIFICATION_CHARS);
      return vscode.l10n.t('Renamed “{0}” to “{1}”.', before, name);
    }
    case 'moved': {
      const scope = scopes.scopeOf(record);
      return scope
        ? vscode.l10n.t('Moved “{0}” to {1}.', name, labelOf(scope))
        : vscode.l10n.t('Moved “{0}”.', name);
    }
    case 'removed':
      return vscode.l10n.t('Deleted “{0}”.', name);
  }
}

function sameKindText(
  kind: Outcome['kind'],
  outcomes: readonly Outcome[],
  scopes: MemoryScopes,
): string {
  const count = outcomes.length;
  const names = namesOf(outcomes);
  switch (kind) {
    case 'created':
      return outcomes.every(({ record }) => record.source === IMPORT_SOURCE)
        ? vscode.l10n.t('{0} memories imported: {1}', count, names)
        : vscode.l10n.t('{0} memories saved: {1}', count, names);
    case 'restored':
      return vscode.l10n.t('{0} memories restored: {1}', count, names);
    case 'updated':
      return vscode.l10n.t('{0} memories updated: {1}', count, names);
    case 'renamed':
      return vscode.l10n.t('{0} memories renamed: {1}', count, names);
    case 'moved': {
      const [scope, other] = new Set(outcomes.map(({ record }) => scopes.scopeOf(record)));
      return scope && !other
        ? vscode.l10n.t('{0} memories moved to {1}: {2}', count, labelOf(scope), names)
        : vscode.l10n.t('{0} memories moved: {1}', count, names);
    }
    case 'removed':
      return vscode.l10n.t('{0} memories deleted: {1}', count, names);
  }
}

function namesOf(outcomes: readonly Outcome[]): string {
  return shorten(
    outcomes.map(({ record }) => plainLine(record.name)).join(', '),
    NOTIFICATION_CHARS,
  );
}

/** Undefined for the one folder that is open, and where there is no folder: that is where a person expects it. */
function tellingScope(path: string, scopes: MemoryScopes): Scope | undefined {
  const scope = scopes.scopeOf({ path });
  const usual = scope?.kind === 'personal' ? 0 : 1;
  return scopes.workspace.length === usual ? undefined : scope;
}

function labelOf(scope: Scope): string {
  return plainLine(scopeLabel(scope));
}
