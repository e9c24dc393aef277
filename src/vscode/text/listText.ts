// Several words or names in a row, with the marks between them that the person's language has.

import * as vscode from 'vscode';

export function listText(words: readonly string[]): string {
  const format = new Intl.ListFormat(vscode.env.language, { type: 'conjunction', style: 'narrow' });
  return format.format(words);
}
