// What a compaction did, in one line of Markdown: the stages in words, the sizes, a link to what was archived.

import * as vscode from 'vscode';
import type { StageName } from '../../context/stage.ts';
import type { CompactionMark } from '../../sessions/session.ts';
import { figure } from './figures.ts';
import { relativeTime } from './relativeTime.ts';

type Compaction = Omit<CompactionMark, 'at'>;

/** Of one that was just made. */
export function compactionText(compaction: Compaction): string {
  return vscode.l10n.t(
    'Compacted: {0}. About {1} → {2} tokens. [Archive]({3})',
    ...figuresOf(compaction),
  );
}

export function lastCompactionText(compaction: CompactionMark): string {
  return vscode.l10n.t(
    'Last compaction ({4}): {0}. About {1} → {2} tokens. [Archive]({3})',
    ...figuresOf(compaction),
    relativeTime(compaction.at.getTime(), Date.now()),
  );
}

function figuresOf({ stages, before, after, archive }: Compaction): string[] {
  const list = new Intl.ListFormat(vscode.env.language).format(stages.map(stageWords));
  return [list, figure(before), figure(after), vscode.Uri.file(archive).toString()];
}

function stageWords(stage: string): string {
  const words: Record<StageName, string> = {
    toolResultBudget: vscode.l10n.t('large tool results shortened'),
    snip: vscode.l10n.t('the middle of the conversation moved to the archive'),
    micro: vscode.l10n.t('older tool results moved to the archive'),
    fit: vscode.l10n.t('the longest texts shortened'),
    summarise: vscode.l10n.t('the conversation summarised'),
    mechanicalCut: vscode.l10n.t('the older part of the conversation moved to the archive'),
  };
  // A mark in the database may be of another version.
  return isStageName(stage, words) ? words[stage] : stage;
}

function isStageName(stage: string, words: Record<StageName, string>): stage is StageName {
  return Object.hasOwn(words, stage);
}
