// The notice after memories changed: what became of them, in one sentence or a few, with Open, Undo and Review.
// There is none when nothing changed.

import * as vscode from 'vscode';
import type { Learned } from '../../agent/learning/learned.ts';
import { errorText, type Log } from '../../base/log.ts';
import { REVIEW_VIEW_ID } from '../../manifest.ts';
import type { Change } from '../../memory/change.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { movesAmong, outcomesOf, type Outcome } from './changeOutcomes.ts';
import { reviewChanges, showOutcome } from './changeReview.ts';
import { consolidatedText, expiredText, learnedText, noticeText } from './noticeText.ts';
import { plainLine } from '../text/plainText.ts';

const STATUS_MESSAGE_MS = 4000;

export interface Notice {
  readonly text: string;
  /** Resolves when the notification has been answered or is gone. Never rejects: failures are shown and logged. */
  show(): Promise<void>;
}

interface NoticeDeps {
  readonly scopes: MemoryScopes;
  readonly log: Log;
}

/** Of which many changes come. */
export type NoticeReason = 'expired' | 'consolidated';

/** `changes` are in the order in which they were made. */
export function changesNotice(
  deps: NoticeDeps,
  changes: readonly Change[],
  because?: NoticeReason,
): Notice | undefined {
  const outcomes = outcomesOf(changes);
  if (outcomes.length === 0) return undefined;
  const text = textOf(outcomes, deps.scopes, because);
  return noticeOf(deps, { text, changes, outcomes, proposed: 0 });
}

function textOf(
  outcomes: readonly Outcome[],
  scopes: MemoryScopes,
  because: NoticeReason | undefined,
): string {
  switch (because) {
    case 'expired':
      return expiredText(outcomes);
    case 'consolidated':
      return consolidatedText(outcomes);
    case undefined:
      return noticeText(outcomes, scopes);
  }
}

/** Of all that a turn taught. What was proposed only is not undone: it is rejected in the review. */
export function learnedNotice(deps: NoticeDeps, learned: Learned): Notice | undefined {
  const { saved, consolidated, proposed, refusedSecrets } = learned;
  const changes = [...saved, ...consolidated];
  const outcomes = outcomesOf(changes);
  const parts = { saved: outcomesOf(saved), consolidated: outcomesOf(consolidated) };
  const text = learnedText({ ...parts, proposed, refusedSecrets }, deps.scopes);
  if (text === undefined) return undefined;
  return noticeOf(deps, { text, changes, outcomes, proposed: proposed.length });
}

interface Told {
  readonly text: string;
  readonly changes: readonly Change[];
  readonly outcomes: readonly Outcome[];
  /** How many memories wait for the person's review since. */
  readonly proposed: number;
}

interface Button {
  readonly label: string;
  /** Says what could not be done. */
  readonly failure: (reason: string) => string;
  readonly run: () => Promise<void>;
}

function noticeOf(deps: NoticeDeps, told: Told): Notice {
  return {
    text: told.text,
    async show() {
      const buttons = buttonsOf(deps, told);
      const labels = buttons.map(({ label }) => label);
      const choice = await vscode.window.showInformationMessage(told.text, ...labels);
      const chosen = buttons.find(({ label }) => label === choice);
      if (!chosen) return;
      try {
        await chosen.run();
      } catch (error) {
        deps.log.error(`[notice] ${chosen.label} failed: ${errorText(error)}`);
        void vscode.window.showErrorMessage(chosen.failure(plainLine(errorText(error))));
      }
    },
  };
}

function buttonsOf(deps: NoticeDeps, told: Told): readonly Button[] {
  const { outcomes, changes } = told;
  const kept = outcomes.filter(({ kind }) => kind !== 'removed');
  const [only] = outcomes.length === 1 ? kept : [];
  const buttons: Button[] = [];
  if (only)
    buttons.push({
      label: vscode.l10n.t('Open'),
      failure: (reason) => vscode.l10n.t('The memory could not be opened: {0}', reason),
      run: async () =>
        void (await vscode.window.showTextDocument(vscode.Uri.file(only.record.path))),
    });
  if (changes.length > 0)
    buttons.push({
      label: vscode.l10n.t('Undo'),
      failure: (reason) => vscode.l10n.t('The change was not undone: {0}', reason),
      run: async () => void (await undoChanges(deps, changes)),
    });
  if (told.proposed > 0 || only?.kind === 'updated' || (outcomes.length > 1 && kept.length > 0))
    buttons.push({
      label: vscode.l10n.t('Review'),
      failure: (reason) => vscode.l10n.t('The changes could not be shown: {0}', reason),
      run: () => review(deps, told),
    });
  return buttons;
}

/** Goes straight to what there is to see, and asks only where there are several places. */
async function review(deps: NoticeDeps, { outcomes, proposed }: Told): Promise<void> {
  const [first] = outcomes;
  const isOnlyNew = outcomes.length === 1 && first?.kind !== 'updated';
  if (!first || (proposed > 0 && isOnlyNew)) return showProposed();
  if (outcomes.length === 1 && proposed === 0) return showOutcome(first, deps.scopes);
  await reviewChanges({
    outcomes,
    proposed,
    show: (outcome) => showOutcome(outcome, deps.scopes),
    undo: ({ changes }) => undoChanges(deps, changes),
    showProposed,
  });
}

async function showProposed(): Promise<void> {
  await vscode.commands.executeCommand(`${REVIEW_VIEW_ID}.focus`);
}

/**
 * Newest first, since a later change may rest on an earlier one. One that fails does not hold up the others. False
 * when something stayed as it is; the person has been told then.
 */
async function undoChanges(
  { scopes, log }: NoticeDeps,
  changes: readonly Change[],
): Promise<boolean> {
  const failures: string[] = [];
  const addedOf = movesAmong(changes);
  const kept = new Set<Change>();
  for (const change of changes.toReversed()) {
    if (kept.has(change)) continue;
    try {
      await scopes.undo(change);
    } catch (error) {
      log.warn(`[notice] ${change.record.file} was not undone: ${errorText(error)}`);
      failures.push(`“${plainLine(change.record.name)}”: ${plainLine(errorText(error))}`);
      // Where a moved memory does not come back to, it must not go from where it is.
      const added = addedOf.get(change);
      if (added) kept.add(added);
    }
  }
  if (failures.length === 0) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('Undone.'), STATUS_MESSAGE_MS);
    return true;
  }
  void vscode.window.showErrorMessage(
    vscode.l10n.t(
      'Not undone, and left as it is: {0} Open the file to change it by hand.',
      failures.join(' '),
    ),
  );
  return false;
}
