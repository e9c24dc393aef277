// A chat's response that keeps what it is given, in place of the one that only VS Code can make.

import type * as vscode from 'vscode';

export interface KeptResponse {
  readonly response: vscode.ChatResponseStream;
  /** All Markdown. */
  readonly text: () => string;
  readonly progress: readonly string[];
  readonly buttons: readonly vscode.Command[];
}

export function keptResponse(): KeptResponse {
  const said: string[] = [];
  const progress: string[] = [];
  const buttons: vscode.Command[] = [];
  const response = {
    markdown: (text: string | vscode.MarkdownString) =>
      said.push(typeof text === 'string' ? text : text.value),
    progress: (text: string) => progress.push(text),
    button: (button: vscode.Command) => buttons.push(button),
    reference: () => undefined,
  };
  return {
    response: response as unknown as vscode.ChatResponseStream,
    text: () => said.join(''),
    progress,
    buttons,
  };
}
