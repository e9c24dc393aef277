// "Change Type": what a memory is about, which decides how it is used. Several are changed as one, and those that are of
// the type already stay as they are.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Change } from '../../memory/change.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { workThrough } from '../host/progress.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { quotedNames } from '../text/recordNames.ts';
import { pickType } from './typePick.ts';

export async function changeType(
  scopes: MemoryScopes,
  args: readonly unknown[],
  notify: (changes: readonly Change[]) => void,
): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to change the type of'),
    nothing: vscode.l10n.t('There is no memory to change.'),
  });
  if (records.length === 0) return;
  const [present, another] = new Set(records.map(({ type }) => type));
  const type = await pickType({
    title: vscode.l10n.t('Change Type'),
    placeHolder: vscode.l10n.t('What kind of memory is {0}?', quotedNames(records)),
    present: another ? undefined : present,
  });
  if (!type) return;
  const changes: Change[] = [];
  const group = randomUUID();
  try {
    await workThrough(
      records.filter((record) => record.type !== type),
      {
        title: vscode.l10n.t('Changing the type of memories…'),
        work: async (some) => {
          const { done, failures } = await scopes.updateAll(some, { type }, group);
          changes.push(...done);
          return failures;
        },
      },
    );
  } finally {
    // Also when a later one failed: what was changed can be changed back.
    if (changes.length > 0) notify(changes);
  }
}
