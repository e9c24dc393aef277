// Words for a recall: why each memory was chosen, how old it is, what it costs, and one line about all of them.

import * as vscode from 'vscode';
import type { NoAnswer, RecalledRecord } from '../../memory/recall/recall.ts';
import type { RecallReceipt, ToldEntry } from '../../memory/recall/recallReceipt.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { writtenAt } from '../../memory/recordTime.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { relativeTime } from '../text/relativeTime.ts';

/** More words, or longer ones, do not tell more. */
const WORDS_NAMED = 4;
const WORD_CHARS = 30;

/** How many of how many, and what they cost in this turn. */
export function receiptLine({ recalled, total, leftOut, tokens }: RecallReceipt): string {
  const parts = [countText(recalled.length, total)];
  if (tokens > 0) parts.push(vscode.l10n.t('about {0} tokens', figure(tokens)));
  else if (recalled.length > 0) parts.push(vscode.l10n.t('already in this chat'));
  if (leftOut.length > 0) parts.push(vscode.l10n.t('{0} did not fit', figure(leftOut.length)));
  return parts.join(' · ');
}

/** Who chose, and where it was not the model, why. */
export function choiceText({ chosenBy, lateAnswers }: RecallReceipt): string {
  switch (chosenBy.kind) {
    case 'all':
      return vscode.l10n.t('All memories fit, so none had to be chosen.');
    case 'model':
      return vscode.l10n.t('The model chose them for this request.');
    case 'words':
      return noAnswerText(chosenBy.because, lateAnswers);
  }
}

export function reasonText({ reason }: ToldEntry | RecalledRecord): string {
  switch (reason.kind) {
    case 'all':
      return vscode.l10n.t('all memories fit');
    case 'model':
      return vscode.l10n.t('chosen by the model for this request');
    case 'words':
      return wordsText(reason.words);
    case 'changed':
      return vscode.l10n.t('has changed since it was shown in this chat');
  }
}

export function ageText(record: MemoryRecord): string {
  return relativeTime(writtenAt(record), Date.now());
}

function countText(recalled: number, total: number): string {
  if (total === 1 && recalled === 1) return vscode.l10n.t('Recalled your only memory');
  if (total === recalled) return vscode.l10n.t('Recalled all {0} memories', figure(total));
  return vscode.l10n.t('Recalled {0} of {1} memories', figure(recalled), figure(total));
}

function noAnswerText(because: NoAnswer, lateAnswers: number): string {
  const texts: Record<NoAnswer, string> = {
    notAsked: vscode.l10n.t('Chosen by shared words: no model was asked.'),
    failed: vscode.l10n.t('Chosen by shared words: the model that chooses failed.'),
    late: vscode.l10n.t(
      'Chosen by shared words: the model that chooses was too slow (late answers in this window: {0}).',
      lateAnswers,
    ),
    paused: vscode.l10n.t(
      'Chosen by shared words: the model that chooses was too slow lately (late answers in this window: {0}), so it is left out for a few requests.',
      lateAnswers,
    ),
    unusable: vscode.l10n.t(
      'Chosen by shared words: the answer of the model that chooses could not be used.',
    ),
  };
  return texts[because];
}

/** The words are the person's own, but may be anything that they pasted. */
function wordsText(words: readonly string[]): string {
  const named = words
    .slice(0, WORDS_NAMED)
    .map((word) => `“${shorten(plainLine(word), WORD_CHARS)}”`);
  const list = listText(named);
  return named.length === 1
    ? vscode.l10n.t('shares the word {0}', list)
    : vscode.l10n.t('shares the words {0}', list);
}
