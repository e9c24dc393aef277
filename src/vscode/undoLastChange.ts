// "Undo Last Change": takes back what was changed last, in whatever scope and window.

import * as vscode from 'vscode';
import type { MemoryScopes } from '../memory/scopes.ts';
import { NOTIFICATION_CHARS, plainLine, shorten } from './plainText.ts';

export async function undoLastChange(scopes: MemoryScopes): Promise<void> {
  const undone = await scopes.undoLast();
  const files = (undone?.steps ?? []).map(({ after, before }) => (before ?? after)?.file ?? '');
  void vscode.window.showInformationMessage(
    undone
      ? vscode.l10n.t(
          'Undone: the last change to {0}.',
          shorten([...new Set(files)].map(plainLine).join(', '), NOTIFICATION_CHARS),
        )
      : vscode.l10n.t('There is no change to undo.'),
  );
}
