// Tells what a command has done, with Undo. What was done as one change is taken back as one.

import * as vscode from 'vscode';
import { AlreadyUndoneError } from '../../memory/change.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { STATUS_MESSAGE_MS, tellAlreadyUndone, tellUndone, undoing } from '../host/undoing.ts';
import { plainLine } from '../text/plainText.ts';
import { errorSentence } from '../text/sentenceText.ts';

export interface Done {
  readonly text: string;
  /** Of the change. */
  readonly group: string;
  /** It needs something more of the person. */
  readonly isWarning?: boolean;
  /** Beside Undo. */
  readonly actions?: readonly Action[];
  readonly afterUndo?: () => Promise<void>;
}

interface Action {
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

/** Resolves when the message has been answered or is gone. Never rejects: failures are shown. */
export async function tellDone(scopes: MemoryScopes, done: Done): Promise<void> {
  const { text, group, isWarning = false, actions = [], afterUndo } = done;
  const undo: Action = {
    label: vscode.l10n.t('Undo'),
    run: async () => {
      await undoing((onProgress) => scopes.undoChange({ id: group }, onProgress));
      await afterUndo?.();
      tellUndone();
    },
  };
  const all = [...actions, undo];
  const labels = all.map(({ label }) => label);
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const choice = await (isWarning
    ? showWarningMessage(text, ...labels)
    : showInformationMessage(text, ...labels));
  const chosen = all.find(({ label }) => label === choice);
  try {
    await chosen?.run();
  } catch (error) {
    if (error instanceof AlreadyUndoneError) return tellAlreadyUndone();
    const reason = plainLine(errorSentence(error));
    void vscode.window.showErrorMessage(
      chosen === undo
        ? vscode.l10n.t('The change was not undone: {0}', reason)
        : vscode.l10n.t('That could not be done: {0}', reason),
    );
  }
}

/** For what there is nothing to do about. */
export function tellInStatusBar(text: string): void {
  vscode.window.setStatusBarMessage(text, STATUS_MESSAGE_MS);
}
