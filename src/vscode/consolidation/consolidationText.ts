// The words for what a consolidation would change. Names and reasons come from memories and from a model: they are
// shown as plain text, and shortened, since a pick list shows one line of each.

import path from 'node:path';
import * as vscode from 'vscode';
import type { DroppedFact, PlannedChange } from '../../memory/consolidation/changeSet.ts';
import type { RefusedChange } from '../../memory/consolidation/changeSetCheck.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';

/** Two that are merged and what becomes of them fit on a line. */
const NAME_CHARS = 26;
/** More names than this push what becomes of them out of sight. */
const NAMES_SHOWN = 3;
/** A reason in front must leave room for what follows it. */
const FACT_CHARS = 60;
const REASON_CHARS = 160;
/** More than these do not fit; the difference shows them all. */
const FACTS_SHOWN = 2;

/** What becomes of what. */
export function changeText(change: PlannedChange): string {
  const names = namesText(change.sources);
  switch (change.kind) {
    case 'merge':
      return vscode.l10n.t('Merge {0} → {1}', names, nameText(change.fields));
    case 'update':
      return vscode.l10n.t('Update {0}', names);
    case 'retire':
      return vscode.l10n.t('Retire {0}', names);
  }
}

/** What is lost comes first, then why. */
export function detailText(change: PlannedChange): string {
  const reason = shorten(plainLine(change.reason), REASON_CHARS);
  if (change.kind !== 'retire')
    return [...droppedTexts(change.dropped), reason].filter((part) => part !== '').join(' · ');
  const { supersededBy } = change;
  if (!supersededBy) return reason;
  return vscode.l10n.t('“{0}” holds instead · {1}', nameText(supersededBy), reason);
}

/** Empty where no person has written any of it. */
export function handEditedText({ sources, handEdited }: PlannedChange): string {
  if (handEdited.length === 0) return '';
  return handEdited.length === sources.length
    ? vscode.l10n.t('edited by hand')
    : vscode.l10n.t('edited by hand: {0}', namesText(handEdited));
}

/** How many were refused, in one sentence without its full stop. There is at least one. */
export function refusedText(refused: readonly RefusedChange[]): string {
  const count = refused.length;
  if (refused.every(({ lost }) => lost && lost.length > 0))
    return count === 1
      ? vscode.l10n.t('1 proposed change was left out, since it would lose facts')
      : vscode.l10n.t(
          '{0} proposed changes were left out, since they would lose facts',
          figure(count),
        );
  return count === 1
    ? vscode.l10n.t('1 proposed change was left out')
    : vscode.l10n.t('{0} proposed changes were left out', figure(count));
}

/** Why one was refused. */
export function refusalText({ files, problem, lost = [] }: RefusedChange): string {
  const names = namesText(files.map((file) => ({ name: path.parse(file).name })));
  const [first] = lost;
  return first === undefined
    ? vscode.l10n.t('{0}: {1}', names, shorten(plainLine(sentenceText(problem)), REASON_CHARS))
    : vscode.l10n.t('{0}: would lose “{1}”.', names, shorten(plainLine(first), FACT_CHARS));
}

function droppedTexts(dropped: readonly DroppedFact[]): readonly string[] {
  const shown = dropped.slice(0, FACTS_SHOWN).map(({ fact, reason }) => {
    const why = plainLine(reason).replace(/[.。]$/u, '');
    return vscode.l10n.t(
      'drops “{0}”: {1}',
      shorten(plainLine(fact), FACT_CHARS),
      shorten(why, FACT_CHARS),
    );
  });
  const more = dropped.length - FACTS_SHOWN;
  return more > 0 ? [...shown, vscode.l10n.t('drops {0} more', figure(more))] : shown;
}

function namesText(records: readonly Named[]): string {
  const names = listText(records.slice(0, NAMES_SHOWN).map(nameText));
  const more = records.length - NAMES_SHOWN;
  return more > 0 ? vscode.l10n.t('{0} and {1} more', names, figure(more)) : names;
}

function nameText({ name }: Named): string {
  return shorten(plainLine(name), NAME_CHARS);
}

interface Named {
  readonly name: string;
}
