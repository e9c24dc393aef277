// "Delete": asks, then moves the files to the trash, several as one change.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Change } from '../../memory/change.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { plainLine } from '../text/plainText.ts';
import { listedNames, quotedNames } from '../text/recordNames.ts';

export async function deleteMemory(
  scopes: MemoryScopes,
  args: readonly unknown[],
  notify: (changes: readonly Change[]) => void,
): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to delete'),
    nothing: vscode.l10n.t('There is no memory to delete.'),
  });
  if (records.length === 0 || !(await confirmed(records))) return;
  const group = randomUUID();
  const changes: Change[] = [];
  try {
    for (const record of records) {
      const store = scopes.scopeOf(record)?.store;
      if (store) changes.push(await store.remove(record, 'deleted', group));
    }
  } finally {
    // Also when a later one failed: what is gone can be brought back.
    if (changes.length > 0) notify(changes);
  }
}

async function confirmed(records: readonly MemoryRecord[]): Promise<boolean> {
  const [only] = records;
  const single = only && records.length === 1;
  const question = single
    ? vscode.l10n.t('Delete the memory {0}?', quotedNames([only]))
    : vscode.l10n.t('Delete {0} memories?', records.length);
  const what = single ? plainLine(only.description) : listedNames(records);
  const where = vscode.l10n.t(
    'You can undo this, or bring deleted memories back later with “Memory: Restore Deleted”.',
  );
  const confirm = vscode.l10n.t('Delete');
  const answer = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail: `${what}\n\n${where}` },
    confirm,
  );
  return answer === confirm;
}
