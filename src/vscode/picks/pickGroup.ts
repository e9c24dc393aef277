// Items of a pick list below a line that says what they have in common.

import * as vscode from 'vscode';

/** Without items there is no line either. */
export function pickGroup<Item extends vscode.QuickPickItem>(
  label: string,
  items: readonly Item[],
): readonly (Item | vscode.QuickPickItem)[] {
  return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}
