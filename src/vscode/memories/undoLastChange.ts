// "Undo Last Change": takes back what was changed last, in whatever scope and window. What a person has changed
// since stays as it is; then the change before it can be taken back.

import path from 'node:path';
import * as vscode from 'vscode';
import { errorText } from '../../base/log.ts';
import type { ChangeGroup } from '../../memory/folder/journal.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { plainLine } from '../text/plainText.ts';
import { quotedNames } from '../text/recordNames.ts';

export async function undoLastChange(scopes: MemoryScopes): Promise<void> {
  const passedOver = new Set<string>();
  for (;;) {
    const last = await scopes.lastChange(passedOver);
    if (!last) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is no change to undo.'));
      return;
    }
    try {
      await scopes.undoChange(last);
    } catch (error) {
      if (!(await wantsTheOneBefore(error))) return;
      passedOver.add(last.id);
      continue;
    }
    void vscode.window.showInformationMessage(undoneText(last));
    return;
  }
}

async function wantsTheOneBefore(error: unknown): Promise<boolean> {
  const undo = vscode.l10n.t('Undo the Change Before');
  const reason = plainLine(errorText(error));
  const text = vscode.l10n.t('The last change was not undone: {0}', reason);
  return (await vscode.window.showWarningMessage(text, undo)) === undo;
}

/** What became of the memories: one that was new is gone, one that was gone is back. */
function undoneText({ steps }: ChangeGroup): string {
  const files = steps.map(({ after, before }) => (before ?? after)?.file ?? '');
  const names = quotedNames([...new Set(files)].map((file) => ({ name: path.parse(file).name })));
  if (steps.every(({ before }) => before === undefined))
    return vscode.l10n.t('Undone. Moved to the trash: {0}', names);
  if (steps.every(({ after }) => after === undefined))
    return vscode.l10n.t('Undone. Back again: {0}', names);
  return vscode.l10n.t('Undone. As before: {0}', names);
}
