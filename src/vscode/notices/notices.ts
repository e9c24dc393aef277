// The notice after memories changed: what became of them, in one sentence or a few, with what can be done about it.
// There is none when nothing changed.

import * as vscode from 'vscode';
import type { Learned } from '../../agent/learning/learned.ts';
import { errorText } from '../../base/log.ts';
import type { Change } from '../../memory/change.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { plainLine } from '../text/plainText.ts';
import { errorSentence } from '../text/sentenceText.ts';
import { outcomesOf, type Outcome } from './changeOutcomes.ts';
import { noticeButtons, type NoticeDeps, type Told } from './noticeButtons.ts';
import { consolidatedText, expiredText, learnedText, noticeText } from './noticeText.ts';
import { openParts } from './openParts.ts';

export interface Notice {
  readonly text: string;
  /** Resolves when the notification has been answered or is gone. Never rejects: failures are shown and logged. */
  show(): Promise<void>;
  /** Some time later: says what was settled since, and offers only what can still be done. Never rejects. */
  showAgain(): Promise<void>;
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
  return noticeOf(deps, text, { changes, outcomes, proposed: [] });
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

/** What happened to the memories by itself. */
export interface Happened extends Learned {
  readonly expired: readonly Change[];
}

/** What was proposed only is not undone: it is rejected in the review. */
export function happenedNotice(deps: NoticeDeps, happened: Happened): Notice | undefined {
  const { saved, consolidated, expired, proposed, refusedSecrets, unsaved } = happened;
  const changes = [...expired, ...saved, ...consolidated];
  const parts = {
    saved: outcomesOf(saved),
    consolidated: outcomesOf(consolidated),
    expired: outcomesOf(expired),
  };
  const text = learnedText({ ...parts, proposed, refusedSecrets, unsaved }, deps.scopes);
  if (text === undefined) return undefined;
  return noticeOf(deps, text, { changes, outcomes: outcomesOf(changes), proposed });
}

function noticeOf(deps: NoticeDeps, text: string, told: Told): Notice {
  return {
    text,
    show: () => show(deps, text, told),
    async showAgain() {
      const open = await openParts(told, deps.scopes);
      await show(deps, laterText(text, told, open), open);
    },
  };
}

async function show(deps: NoticeDeps, text: string, told: Told): Promise<void> {
  const buttons = noticeButtons(deps, told);
  const labels = buttons.map(({ label }) => label);
  const choice = await vscode.window.showInformationMessage(text, ...labels);
  const chosen = buttons.find(({ label }) => label === choice);
  if (!chosen) return;
  try {
    await chosen.run();
  } catch (error) {
    deps.log.error(`[notice] ${chosen.label} failed: ${errorText(error)}`);
    void vscode.window.showErrorMessage(chosen.failure(plainLine(errorSentence(error))));
  }
}

function laterText(text: string, told: Told, open: Told): string {
  const left = open.outcomes.length + open.proposed.length;
  if (left === told.outcomes.length + told.proposed.length) return text;
  return left === 0
    ? vscode.l10n.t('Changed or settled since: {0}', text)
    : vscode.l10n.t('Partly changed or settled since: {0}', text);
}
