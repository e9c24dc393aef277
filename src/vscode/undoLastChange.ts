// "Undo Last Change": takes back what was changed last, in whatever scope and window. What a person has changed
// since stays as it is; then the change before it can be taken back.

import * as vscode from 'vscode';
import { errorText } from '../base/log.ts';
import type { ChangeGroup } from '../memory/journal.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { NOTIFICATION_CHARS, plainLine, shorten } from './plainText.ts';

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
    const text = vscode.l10n.t('Undone: the last change to {0}.', filesOf(last));
    void vscode.window.showInformationMessage(text);
    return;
  }
}

async function wantsTheOneBefore(error: unknown): Promise<boolean> {
  const undo = vscode.l10n.t('Undo the Change Before');
  const reason = plainLine(errorText(error));
  const text = vscode.l10n.t('The last change was not undone: {0}', reason);
  return (await vscode.window.showWarningMessage(text, undo)) === undo;
}

function filesOf({ steps }: ChangeGroup): string {
  const files = steps.map(({ after, before }) => (before ?? after)?.file ?? '');
  return shorten([...new Set(files)].map(plainLine).join(', '), NOTIFICATION_CHARS);
}
