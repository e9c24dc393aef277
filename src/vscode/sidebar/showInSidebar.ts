// "Show in Memories View": from a file, the active editor or a notice to the row of the tree.

import * as vscode from 'vscode';
import type { MemoryTree } from './memoryTree.ts';

/** `args` is the path of a memory, a row that has one, or the address of the file; else the editor says which. */
export async function showInSidebar(
  tree: MemoryTree | undefined,
  [argument]: readonly unknown[],
): Promise<void> {
  const path = pathOf(argument) ?? vscode.window.activeTextEditor?.document.uri.fsPath;
  if (path !== undefined && (await tree?.show(path))) return;
  if (argument !== undefined && path !== undefined) throw new Error(goneText(path));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The active editor shows no memory. Open one first, or search for it.'),
  );
}

function pathOf(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri) return argument.fsPath;
  return typeof argument === 'string' ? argument : undefined;
}

function goneText(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return vscode.l10n.t('{0} is no longer there. Refresh the list.', file);
}
