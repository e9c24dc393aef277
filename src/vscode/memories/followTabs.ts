// Keeps an editor open on a file that has another name now: where it was, and with the cursor where it was.

import * as vscode from 'vscode';

/** Absolute paths. Editors with changes that are not saved stay. */
export async function followTabs(from: string, to: string): Promise<void> {
  if (from === to) return;
  const old = vscode.Uri.file(from);
  for (const group of vscode.window.tabGroups.all) {
    const tab = group.tabs.find((each) => isOn(each, old) && !each.isDirty);
    if (!tab) continue;
    const { activeTab: front, viewColumn } = group;
    const editor = vscode.window.visibleTextEditors.find(
      (each) => each.viewColumn === viewColumn && each.document.uri.fsPath === old.fsPath,
    );
    await vscode.window.showTextDocument(vscode.Uri.file(to), {
      viewColumn,
      preview: tab.isPreview,
      preserveFocus: !(group.isActive && tab.isActive),
      ...(editor && { selection: editor.selection }),
    });
    // A preview has taken the place of the old one already.
    const left = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    await vscode.window.tabGroups.close(
      left.filter((each) => each.group.viewColumn === viewColumn && isOn(each, old)),
      true,
    );
    if (front && front !== tab && front.input instanceof vscode.TabInputText)
      await vscode.window.showTextDocument(front.input.uri, {
        viewColumn,
        preview: front.isPreview,
        preserveFocus: true,
      });
  }
}

function isOn({ input }: vscode.Tab, { fsPath }: vscode.Uri): boolean {
  return input instanceof vscode.TabInputText && input.uri.fsPath === fsPath;
}
