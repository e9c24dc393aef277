// "Empty Trash": deletes for good, after a question that says what is lost with it.

import * as vscode from 'vscode';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { confirm } from '../host/ask.ts';
import { chooseScope } from '../picks/chooseScope.ts';
import { figure } from '../text/figures.ts';
import { scopeLabel } from '../text/scopeLabel.ts';

interface FilledTrash {
  readonly scope: Scope;
  /** Of files. */
  readonly count: number;
}

export async function emptyTrash(scopes: MemoryScopes): Promise<void> {
  const filled = (await Promise.all(scopes.all.map(trashOf))).filter(({ count }) => count > 0);
  if (filled.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty.'));
    return;
  }
  const scope = await chooseScope(
    filled.map(({ scope }) => scope),
    {
      title: vscode.l10n.t('Empty Trash'),
      placeHolder: vscode.l10n.t('Whose trash?'),
    },
  );
  const trash = filled.find((each) => each.scope === scope);
  if (!trash || !(await confirmed(trash))) return;
  await trash.scope.store.emptyTrash();
  void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty now.'));
}

async function trashOf(scope: Scope): Promise<FilledTrash> {
  return { scope, count: (await scope.store.trashed()).length };
}

async function confirmed({ scope, count }: FilledTrash): Promise<boolean> {
  const where = scopeLabel(scope);
  const question =
    count === 1
      ? vscode.l10n.t('Delete the 1 file in the trash of “{0}” for good?', where)
      : vscode.l10n.t('Delete the {0} files in the trash of “{1}” for good?', figure(count), where);
  const detail = vscode.l10n.t(
    'Deleted memories and earlier versions cannot be restored afterwards, and no change made so far can be undone.',
  );
  return confirm({ text: question, detail, button: vscode.l10n.t('Empty Trash') });
}
