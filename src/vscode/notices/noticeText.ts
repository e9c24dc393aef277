// The sentences of a notification: what became of one memory, or of several. Words from memories are shown as plain
// text. A scope is named only where it tells something.

import * as vscode from 'vscode';
import type { Learned } from '../../agent/learning/learned.ts';
import { IMPORT_SOURCE } from '../../memory/exchange/importCandidate.ts';
import type { UnsavedRequest } from '../../memory/extraction/unsavedRequests.ts';
import type { Proposal } from '../../memory/review/proposals.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { secretKind } from '../../memory/secrets/secrets.ts';
import type { Outcome } from './changeOutcomes.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { NOTIFICATION_CHARS, plainLine, shorten } from '../text/plainText.ts';
import { ended, joinedText } from '../text/joinedText.ts';
import { scopeLabel, tellingScope } from '../text/scopeLabel.ts';
import { sentenceText } from '../text/sentenceText.ts';

interface LearnedOutcome extends Pick<Learned, 'proposed' | 'refusedSecrets' | 'unsaved'> {
  readonly saved: readonly Outcome[];
  readonly consolidated: readonly Outcome[];
  readonly expired: readonly Outcome[];
}

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
    ? vscode.l10n.t('{0} memories saved: {1}', figure(kept.length), namesOf(kept))
    : vscode.l10n.t(
        'Memories saved: {0}. Moved to the trash: {1}.',
        namesOf(kept),
        namesOf(removed),
      );
}

/** Of all that happened by itself; undefined when that is nothing. */
export function learnedText(
  { saved, consolidated, expired, proposed, refusedSecrets, unsaved }: LearnedOutcome,
  scopes: MemoryScopes,
): string | undefined {
  const hasChanged = saved.length + consolidated.length + expired.length > 0;
  const tellProposed = hasChanged ? proposedAside : proposedText;
  const sentences = [
    ...(saved.length > 0 ? [noticeText(saved, scopes)] : []),
    ...(consolidated.length > 0 ? [consolidatedText(consolidated)] : []),
    ...(expired.length > 0 ? [expiredText(expired)] : []),
    ...(proposed.length > 0 ? [tellProposed(proposed)] : []),
    ...(refusedSecrets.length > 0 ? [refusedText(refusedSecrets)] : []),
    ...unsaved.map(unsavedText),
  ];
  return sentences.length > 1 ? joinedText(sentences.map(ended)) : sentences[0];
}

/** Of memories that were merged, made clearer and retired. */
export function consolidatedText(outcomes: readonly Outcome[]): string {
  const removed = outcomes.filter(({ kind }) => kind === 'removed');
  const kept = outcomes.filter(({ kind }) => kind !== 'removed');
  if (removed.length === 0) return vscode.l10n.t('Consolidated: {0}', namesOf(kept));
  return kept.length === 0
    ? vscode.l10n.t('Consolidated. Moved to the trash: {0}.', namesOf(removed))
    : vscode.l10n.t('Consolidated: {0}. Moved to the trash: {1}.', namesOf(kept), namesOf(removed));
}

/** Of memories that went by themselves. */
export function expiredText(outcomes: readonly Outcome[]): string {
  const names = namesOf(outcomes);
  return outcomes.length === 1
    ? vscode.l10n.t('The memory “{0}” has expired and moved to the trash.', names)
    : vscode.l10n.t(
        '{0} memories have expired and moved to the trash: {1}',
        figure(outcomes.length),
        names,
      );
}

function singleText(outcome: Outcome, scopes: MemoryScopes): string {
  const { kind, record } = outcome;
  const name = shorten(plainLine(record.name), NOTIFICATION_CHARS);
  const description = shorten(plainLine(record.description), NOTIFICATION_CHARS);
  switch (kind) {
    case 'created': {
      const scope = tellingScope(scopes.scopeOf(record), scopes);
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
  const count = figure(outcomes.length);
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

/** Where more important things are told before. */
function proposedAside({ length }: readonly Proposal[]): string {
  return length === 1
    ? vscode.l10n.t('1 proposed for review.')
    : vscode.l10n.t('{0} proposed for review.', figure(length));
}

/** One or more. */
function proposedText(proposed: readonly Proposal[]): string {
  const [first] = proposed;
  if (!first || proposed.length > 1)
    return vscode.l10n.t(
      '{0} memories proposed for review: {1}',
      figure(proposed.length),
      namesOf(proposed.map(({ fields }) => ({ record: fields }))),
    );
  const name = shorten(plainLine(first.fields.name), NOTIFICATION_CHARS);
  const description = shorten(plainLine(first.fields.description), NOTIFICATION_CHARS);
  return first.kind === 'add'
    ? vscode.l10n.t('Proposed “{0}” for review: {1}', name, description)
    : vscode.l10n.t('Proposed a change to “{0}”: {1}', name, description);
}

/** Names the kinds of secret, never a secret. */
function refusedText(kinds: readonly string[]): string {
  const told = [...new Set(kinds)].map((kind) => plainLine(sentenceText(secretKind(kind))));
  const list = shorten(listText(told), NOTIFICATION_CHARS);
  return vscode.l10n.t('Not saved, since secrets stay out of memories: a text with {0}.', list);
}

function unsavedText({ words, because }: UnsavedRequest): string {
  const said = shorten(plainLine(words).replace(/[.。]$/u, ''), NOTIFICATION_CHARS);
  return because === 'temporary'
    ? vscode.l10n.t(
        'Not remembered, since it holds for a while only: “{0}”. Say until which date, or write it behind /remember.',
        said,
      )
    : vscode.l10n.t('Not remembered: “{0}”. Write it behind /remember to save it as it is.', said);
}

function namesOf(outcomes: readonly { readonly record: { readonly name: string } }[]): string {
  return shorten(
    listText(outcomes.map(({ record }) => plainLine(record.name))),
    NOTIFICATION_CHARS,
  );
}

function labelOf(scope: Scope): string {
  return plainLine(scopeLabel(scope));
}
