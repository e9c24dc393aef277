// The notification after memories changed: what was saved, updated or deleted, with Open and Undo.
// Words from memories are shown as plain text; nothing shown when nothing changed.

import * as vscode from 'vscode';
import { errorText } from '../base/log.ts';
import type { Log } from '../base/log.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Change } from '../memory/change.ts';
import type { MemoryStore } from '../memory/store.ts';
import { plainLine, shorten } from './plainText.ts';

/** A notification shows about two lines before it has to be unfolded. */
const LONGEST_TEXT = 120;
const STATUS_MESSAGE_MS = 4000;

interface NotifyOptions {
  readonly store: MemoryStore;
  /** In the order in which they were made. */
  readonly changes: readonly Change[];
  readonly log: Log;
}

/** Resolves when the notification has been answered or is gone. Never rejects: failures are shown and logged here. */
export async function notifyChanges(options: NotifyOptions): Promise<void> {
  const shown = lastPerFile(options.changes);
  if (shown.length === 0) return;
  const open = vscode.l10n.t('Open');
  const undo = vscode.l10n.t('Undo');
  const records = shown.filter((change) => change.kind !== 'removed').map(({ record }) => record);
  const buttons = records.length > 0 ? [open, undo] : [undo];
  const choice = await vscode.window.showInformationMessage(noticeText(shown), ...buttons);
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

/** What a file has been through, as one change: of a memory saved and then updated, that it was saved. */
function lastPerFile(changes: readonly Change[]): Change[] {
  const perFile = new Map<string, Change>();
  for (const change of changes) {
    const isNew = perFile.get(change.record.file)?.kind === 'created';
    const kept: Change =
      isNew && change.kind === 'updated' ? { ...change, kind: 'created' } : change;
    perFile.set(change.record.file, kept);
  }
  return [...perFile.values()];
}

function noticeText(changes: readonly Change[]): string {
  const [first] = changes;
  if (first && changes.length === 1) return singleText(first);
  const kept = changes.filter((change) => change.kind !== 'removed');
  const removed = changes.filter((change) => change.kind === 'removed');
  if (removed.length === 0) {
    return vscode.l10n.t('{0} memories saved: {1}', kept.length, namesOf(kept));
  }
  if (kept.length === 0) {
    return vscode.l10n.t('{0} memories deleted: {1}', removed.length, namesOf(removed));
  }
  return vscode.l10n.t(
    'Memories saved: {0}. Moved to the trash: {1}.',
    namesOf(kept),
    namesOf(removed),
  );
}

function namesOf(changes: readonly Change[]): string {
  return shorten(changes.map(({ record }) => plainLine(record.name)).join(', '), LONGEST_TEXT);
}

function singleText({ kind, record }: Change): string {
  const name = shorten(plainLine(record.name), LONGEST_TEXT);
  const description = shorten(plainLine(record.description), LONGEST_TEXT);
  if (kind === 'created') return vscode.l10n.t('Remembered “{0}”: {1}', name, description);
  if (kind === 'updated') return vscode.l10n.t('Updated memory “{0}”: {1}', name, description);
  return vscode.l10n.t('Deleted “{0}”.', name);
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
async function undoChanges({ store, changes, log }: NotifyOptions): Promise<void> {
  const failures: string[] = [];
  for (const change of changes.toReversed()) {
    try {
      await store.undo(change);
    } catch (error) {
      log.warn(`[notice] ${change.record.file} was not undone: ${errorText(error)}`);
      failures.push(`“${plainLine(change.record.name)}”: ${plainLine(errorText(error))}`);
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
