// "Move to Personal" and "Move to Workspace": where a memory lies decides in which workspaces it is known.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Change } from '../../memory/change.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { workThrough } from '../host/progress.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { chooseScope } from '../picks/chooseScope.ts';

type Notify = (changes: readonly Change[]) => void;

export async function moveToPersonal(
  scopes: MemoryScopes,
  args: readonly unknown[],
  notify: Notify,
): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to take into every workspace'),
    fits: (record) => scopes.scopeOf(record)?.kind === 'workspace',
    nothing: vscode.l10n.t('This workspace has no memory to move.'),
  });
  await moveAll(scopes, { records, to: scopes.personal, notify });
}

export async function moveToWorkspace(
  scopes: MemoryScopes,
  args: readonly unknown[],
  notify: Notify,
): Promise<void> {
  if (scopes.workspace.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No folder is open, so there is no workspace to move a memory to.'),
    );
    return;
  }
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to keep in this workspace only'),
    fits: (record) => scopes.scopeOf(record)?.kind === 'personal',
    nothing: vscode.l10n.t('There is no personal memory to move.'),
  });
  if (records.length === 0) return;
  const to = await chooseScope(scopes.workspace, {
    title: vscode.l10n.t('Move to Workspace'),
    placeHolder: vscode.l10n.t('To which folder?'),
  });
  if (to) await moveAll(scopes, { records, to, notify });
}

async function moveAll(
  scopes: MemoryScopes,
  move: {
    readonly records: readonly MemoryRecord[];
    readonly to: Scope;
    readonly notify: Notify;
  },
): Promise<void> {
  const changes: Change[] = [];
  const group = randomUUID();
  try {
    await workThrough(move.records, {
      title: vscode.l10n.t('Moving memories…'),
      work: async (some) => {
        const { done, failures } = await scopes.moveAll(some, move.to, group);
        changes.push(...done.flat());
        return failures;
      },
    });
  } finally {
    // Also when a later one failed: what was moved can be moved back.
    if (changes.length > 0) move.notify(changes);
  }
}
