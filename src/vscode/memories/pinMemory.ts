// "Pin" and "Unpin". A pinned memory stays in the index, and no consolidation or expiry touches it.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { MemoryRecord, RecordChanges } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { workThrough } from '../host/progress.ts';
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
  const pinned: MemoryRecord[] = [];
  try {
    await workThrough(records, {
      title: vscode.l10n.t('Pinning memories…'),
      work: changeAll(scopes, { pinned: true }, pinned),
    });
  } finally {
    if (pinned.length > 0) tellInStatusBar(vscode.l10n.t('Pinned {0}.', quotedNames(pinned)));
  }
}

export async function unpinMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to unpin'),
    fits: ({ pinned }) => pinned,
    nothing: vscode.l10n.t('No memory is pinned.'),
  });
  const unpinned: MemoryRecord[] = [];
  try {
    await workThrough(records, {
      title: vscode.l10n.t('Unpinning memories…'),
      work: changeAll(scopes, { pinned: false }, unpinned),
    });
  } finally {
    if (unpinned.length > 0) tellInStatusBar(vscode.l10n.t('Unpinned {0}.', quotedNames(unpinned)));
  }
}

/** As one change to undo. `changed` is given the memories. There is no notice: the same key takes it back. */
function changeAll(scopes: MemoryScopes, changes: RecordChanges, changed: MemoryRecord[]) {
  const group = randomUUID();
  return async (some: readonly MemoryRecord[]) => {
    const { done, failures } = await scopes.updateAll(some, changes, group);
    changed.push(...done.map(({ record }) => record));
    return failures;
  };
}
