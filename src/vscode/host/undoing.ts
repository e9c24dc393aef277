// What a person sees of taking changes back, wherever they asked for it.

import * as vscode from 'vscode';
import type { OnProgress } from '../../base/atMost.ts';
import { withProgress } from './progress.ts';

/** The result shows as well, but not always where the person looks. */
export const STATUS_MESSAGE_MS = 4_000;

/** Not to be stopped: a change that is taken back by half helps nobody. */
export function undoing<T>(work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  return withProgress({ title: vscode.l10n.t('Undoing…') }, work);
}

export function tellUndone(): void {
  vscode.window.setStatusBarMessage(vscode.l10n.t('Undone.'), STATUS_MESSAGE_MS);
}

/** Perhaps from another notice or in another window. */
export function tellAlreadyUndone(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('It is already undone.'));
}
