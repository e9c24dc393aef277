// The rows that a key in the tree is meant for. A key brings no row along, and VS Code tells extensions which rows are
// selected but not which one has the focus, which the arrow keys move alone.

import * as vscode from 'vscode';

/** Changes whether the row with the focus is selected, and opens nothing. */
const TOGGLE_SELECTION = 'list.toggleSelection';

/**
 * All selected rows when the row with the focus is one of them, else that row alone, as in the Explorer. Only while
 * the tree has the focus; the selection stays as it is.
 */
export async function focusedRows<Row>(view: vscode.TreeView<Row>): Promise<readonly Row[]> {
  const before = view.selection;
  await vscode.commands.executeCommand(TOGGLE_SELECTION);
  const toggled = view.selection;
  await vscode.commands.executeCommand(TOGGLE_SELECTION);
  const added = toggled.filter((row) => !before.includes(row));
  return added.length > 0 ? added : before;
}
