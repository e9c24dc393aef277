// Several sentences that are words already, one behind the other as the language of the editor does it.

import * as vscode from 'vscode';

/** Empty for none. */
export function joinedText(sentences: readonly string[]): string {
  const [first = '', ...rest] = sentences;
  return rest.reduce((all, next) => vscode.l10n.t('{0} {1}', all, next), first);
}

/** With a full stop, where others follow: a text from elsewhere may end without one. */
export function ended(sentence: string): string {
  return /[.!?…。！？]$/u.test(sentence) ? sentence : vscode.l10n.t('{0}.', sentence);
}
