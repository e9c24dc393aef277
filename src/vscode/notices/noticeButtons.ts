// What can be done from a notice: open the memory, show it in the sidebar, undo, review. Never more than three, as more
// do not fit on one line.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { COMMANDS, REVIEW_VIEW_ID } from '../../manifest.ts';
import { AlreadyUndoneError, type Change } from '../../memory/change.ts';
import type { Proposal } from '../../memory/review/proposals.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { tellAlreadyUndone, tellUndone, undoing } from '../host/undoing.ts';
import { plainLine } from '../text/plainText.ts';
import { joinedText } from '../text/joinedText.ts';
import { errorSentence } from '../text/sentenceText.ts';
import type { Outcome } from './changeOutcomes.ts';
import { reviewChanges, showOutcome } from './changeReview.ts';

export interface NoticeDeps {
  readonly scopes: MemoryScopes;
  readonly log: Log;
}

/** What a notice is about. */
export interface Told {
  /** In the order in which they were made. */
  readonly changes: readonly Change[];
  /** What they came to. */
  readonly outcomes: readonly Outcome[];
  /** What waits for the person's review since. */
  readonly proposed: readonly Proposal[];
}

interface NoticeButton {
  readonly label: string;
  /** Says what could not be done. */
  readonly failure: (reason: string) => string;
  readonly run: () => Promise<void>;
}

export function noticeButtons(deps: NoticeDeps, told: Told): readonly NoticeButton[] {
  const { changes, outcomes, proposed } = told;
  const kept = outcomes.filter(({ kind }) => kind !== 'removed');
  const [only] = outcomes.length === 1 ? kept : [];
  const isReviewed =
    proposed.length > 0 || only?.kind === 'updated' || (outcomes.length > 1 && kept.length > 0);
  return [
    ...(only && only.kind !== 'updated' ? [openButton(only)] : []),
    // The review is in the sidebar as well.
    ...(only && proposed.length === 0 ? [showButton(only)] : []),
    ...(changes.length > 0 ? [undoButton(deps, changes)] : []),
    ...(isReviewed ? [reviewButton(deps, told)] : []),
  ];
}

function openButton({ record }: Outcome): NoticeButton {
  return {
    label: vscode.l10n.t('Open'),
    failure: (reason) => vscode.l10n.t('The memory could not be opened: {0}', reason),
    run: async () => void (await vscode.window.showTextDocument(vscode.Uri.file(record.path))),
  };
}

function showButton({ record }: Outcome): NoticeButton {
  return {
    label: vscode.l10n.t('Show in Memories View'),
    failure: (reason) => vscode.l10n.t('The memory could not be shown: {0}', reason),
    run: async () =>
      void (await vscode.commands.executeCommand(COMMANDS.showInSidebar, record.path)),
  };
}

function undoButton(deps: NoticeDeps, changes: readonly Change[]): NoticeButton {
  return {
    label: vscode.l10n.t('Undo'),
    failure: (reason) => vscode.l10n.t('The change was not undone: {0}', reason),
    run: async () => void (await undoChanges(deps, changes)),
  };
}

function reviewButton(deps: NoticeDeps, told: Told): NoticeButton {
  return {
    label: vscode.l10n.t('Review'),
    failure: (reason) => vscode.l10n.t('The changes could not be shown: {0}', reason),
    run: () => review(deps, told),
  };
}

/** Goes straight to what there is to see, and asks only where there are several places. */
async function review(deps: NoticeDeps, { outcomes, proposed }: Told): Promise<void> {
  const [first] = outcomes;
  const isOnlyNew = outcomes.length === 1 && first?.kind !== 'updated';
  if (!first || (proposed.length > 0 && isOnlyNew)) return showProposed();
  if (outcomes.length === 1 && proposed.length === 0) return showOutcome(first, deps.scopes);
  await reviewChanges({
    outcomes,
    proposed: proposed.length,
    show: (outcome) => showOutcome(outcome, deps.scopes),
    undo: ({ changes }) => undoChanges(deps, changes),
    showProposed,
  });
}

async function showProposed(): Promise<void> {
  await vscode.commands.executeCommand(`${REVIEW_VIEW_ID}.focus`);
}

/** False when something stayed as it is; the person has been told then. */
async function undoChanges(
  { scopes, log }: NoticeDeps,
  changes: readonly Change[],
): Promise<boolean> {
  const kept = await undoing((onProgress) => scopes.undoAll(changes, onProgress));
  const failed = kept.filter(({ error }) => !(error instanceof AlreadyUndoneError));
  if (failed.length === 0) {
    if (kept.length === changes.length) tellAlreadyUndone();
    else tellUndone();
    return true;
  }
  for (const { change, error } of failed)
    log.warn(`[notice] ${change.record.file} was not undone: ${errorText(error)}`);
  const failures = failed.map(
    ({ change, error }) => `“${plainLine(change.record.name)}”: ${plainLine(errorSentence(error))}`,
  );
  void vscode.window.showErrorMessage(
    vscode.l10n.t(
      'Not undone, and left as it is: {0} Open the file to change it by hand.',
      joinedText(failures),
    ),
  );
  return false;
}
