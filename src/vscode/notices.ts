// The notification after memories changed: what became of them, in one sentence, with Open and Undo.
// Nothing is shown when nothing changed.

import * as vscode from 'vscode';
import { errorText, type Log } from '../base/log.ts';
import type { Change } from '../memory/change.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { movesAmong, outcomesOf } from './changeOutcomes.ts';
import { expiredText, noticeText } from './noticeText.ts';
import { plainLine } from './plainText.ts';

const STATUS_MESSAGE_MS = 4000;

interface NotifyOptions {
  readonly scopes: MemoryScopes;
  /** In the order in which they were made. */
  readonly changes: readonly Change[];
  /** Said where nobody asked for the changes. */
  readonly because?: NoticeReason | undefined;
  readonly log: Log;
}

/** Why something was changed that nobody asked to change. */
export type NoticeReason = 'expired';

/** Resolves when the notification has been answered or is gone. Never rejects: failures are shown and logged here. */
export async function notifyChanges(options: NotifyOptions): Promise<void> {
  const outcomes = outcomesOf(options.changes);
  if (outcomes.length === 0) return;
  const open = vscode.l10n.t('Open');
  const undo = vscode.l10n.t('Undo');
  const records = outcomes.filter(({ kind }) => kind !== 'removed').map(({ record }) => record);
  const buttons = records.length > 0 ? [open, undo] : [undo];
  const text =
    options.because === 'expired' ? expiredText(outcomes) : noticeText(outcomes, options.scopes);
  const choice = await vscode.window.showInformationMessage(text, ...buttons);
  if (choice === undo) await undoChanges(options);
  if (choice !== open) return;
  try {
    await openOneOf(records);
  } catch (error) {
    options.log.error(`[notice] A memory could not be opened: ${errorText(error)}`);
    const reason = plainLine(errorText(error));
    void vscode.window.showErrorMessage(
      vscode.l10n.t('The memory could not be opened: {0}', reason),
    );
  }
}

async function openOneOf(records: readonly MemoryRecord[]): Promise<void> {
  const picked = records.length === 1 ? records[0] : await pickRecord(records);
  if (picked) await vscode.window.showTextDocument(vscode.Uri.file(picked.path));
}

async function pickRecord(records: readonly MemoryRecord[]): Promise<MemoryRecord | undefined> {
  const items = records.map((record) => ({
    label: plainLine(record.name),
    description: plainLine(record.description),
    record,
  }));
  const placeHolder = vscode.l10n.t('Open a memory');
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))
    ?.record;
}

/** Newest first, since a later change may rest on an earlier one. One that fails does not hold up the others. */
async function undoChanges({ scopes, changes, log }: NotifyOptions): Promise<void> {
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
    return;
  }
  void vscode.window.showErrorMessage(
    vscode.l10n.t(
      'Not undone, and left as it is: {0} Open the file to change it by hand.',
      failures.join(' '),
    ),
  );
}
