// Texts that no file holds, or whose file must not be changed, in editors that only show. The text is in the address
// itself: nothing has to be kept for it, and an editor that VS Code brings back after a reload still shows it.

import * as vscode from 'vscode';
import { PROPOSAL_SCHEME } from '../../manifest.ts';

const SCHEME = 'memory-agent-text';

export function registerReadOnlyTexts(): vscode.Disposable {
  const provider = { provideTextDocumentContent: ({ query }: vscode.Uri) => query };
  const { registerTextDocumentContentProvider: register } = vscode.workspace;
  return vscode.Disposable.from(
    ...[SCHEME, PROPOSAL_SCHEME].map((scheme) => register(scheme, provider)),
  );
}

/** The address of a text, which is shown as Markdown. That of a proposed memory also says where the proposal lies. */
export function readOnlyText(name: string, text: string, proposal?: string): vscode.Uri {
  // A name from a model may hold what an address cannot; half a character cannot stand in one at all.
  const path = `/${name.toWellFormed().replaceAll(/[\\/]/gu, '-')}.md`;
  const query = text.toWellFormed();
  return proposal === undefined
    ? vscode.Uri.from({ scheme: SCHEME, path, query })
    : vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path, query, fragment: proposal });
}

/** `title` is what the tab is called. */
export async function showText(
  title: string,
  text: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', text, { ...SHOWN, ...options }, title);
}

/** Each side is a text, or the address of what is to be shown. `title` says what stands left and right. */
export async function showDifference(
  difference: {
    readonly name: string;
    readonly before: string;
    readonly after: string | vscode.Uri;
    readonly title: string;
  },
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const { name, before, after, title } = difference;
  const left = readOnlyText(name, before);
  const right = typeof after === 'string' ? readOnlyText(name, after) : after;
  const shown = { ...SHOWN, ...options };
  await vscode.commands.executeCommand('vscode.diff', left, right, title, shown);
}

/** Looked at in passing, also while a list of them stays open. */
const SHOWN: vscode.TextDocumentShowOptions = { preview: true, preserveFocus: true };
