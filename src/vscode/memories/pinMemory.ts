// "Pin" and "Unpin". A pinned memory stays in the index, and no consolidation or expiry touches it.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { MemoryRecord, RecordChanges } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { quotedNames } from '../text/recordNames.ts';
import { tellInStatusBar } from './tellDone.ts';

export async function pinMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to pin'),
    fits: ({ pinned }) => !pinned,
    nothing: vscode.l10n.t('There is no memory that is not pinned.'),
  });
  await updateAll(scopes, records, { pinned: true });
  tell(records, vscode.l10n.t('Pinned {0}.', quotedNames(records)));
}

export async function unpinMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to unpin'),
    fits: ({ pinned }) => pinned,
    nothing: vscode.l10n.t('No memory is pinned.'),
  });
  await updateAll(scopes, records, { pinned: false });
  tell(records, vscode.l10n.t('Unpinned {0}.', quotedNames(records)));
}

/** As one change to undo. */
async function updateAll(
  scopes: MemoryScopes,
  records: readonly MemoryRecord[],
  changes: RecordChanges,
): Promise<void> {
  const group = randomUUID();
  for (const record of records) await scopes.update(record, changes, group);
}

/** No notice: the same key takes it back. */
function tell(records: readonly MemoryRecord[], message: string): void {
  if (records.length > 0) tellInStatusBar(message);
}
