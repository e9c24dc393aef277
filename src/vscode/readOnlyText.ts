// Texts that no file holds, or whose file must not be changed, in editors that only show. The text is in the address
// itself: nothing has to be kept for it, and an editor that VS Code brings back after a reload still shows it.

import * as vscode from 'vscode';

const SCHEME = 'memory-agent-text';

export function registerReadOnlyTexts(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => query,
  });
}

/** `title` is what the tab is called. The text is shown as Markdown. */
export async function showText(title: string, text: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', readOnlyText(title, text), SHOWN, title);
}

/** Each side is a text, or the address of what is to be shown. `title` says what stands left and right. */
export async function showDifference(difference: {
  readonly name: string;
  readonly before: string;
  readonly after: string | vscode.Uri;
  readonly title: string;
}): Promise<void> {
  const { name, before, after, title } = difference;
  const right = typeof after === 'string' ? readOnlyText(name, after) : after;
  await vscode.commands.executeCommand(
    'vscode.diff',
    readOnlyText(name, before),
    right,
    title,
    SHOWN,
  );
}

/** Looked at in passing, also while a list of them stays open. */
const SHOWN: vscode.TextDocumentShowOptions = { preview: true, preserveFocus: true };

function readOnlyText(name: string, text: string): vscode.Uri {
  // A name from a model may hold what an address cannot; half a character cannot stand in one at all.
  const path = `/${name.toWellFormed().replaceAll(/[\\/]/gu, '-')}.md`;
  return vscode.Uri.from({ scheme: SCHEME, path, query: text.toWellFormed() });
}
