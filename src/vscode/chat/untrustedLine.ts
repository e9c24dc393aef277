// What the chat says in a workspace that is not trusted, with the button that manages trust. VS Code itself offers no
// chat there, but some versions did, and one may again.

import * as vscode from 'vscode';
import { trustButton } from './buttons.ts';

/** At the start of an answer. It is told once a chat: when a session begins. */
export function tellUntrusted(
  response: vscode.ChatResponseStream,
  { isTrusted, isFirst }: { readonly isTrusted: boolean; readonly isFirst: boolean },
): void {
  if (isTrusted || !isFirst) return;
  response.markdown(`_${untrustedText()}_\n\n`);
  trustButton(response);
}

export function untrustedText(): string {
  return vscode.l10n.t(
    'This workspace is not trusted, so I can only read in it: I change no files, run no commands, and use no memories. That changes when you trust it.',
  );
}

/** In place of what a command over the memories would do. */
export function refuseUntrusted(response: vscode.ChatResponseStream): void {
  response.markdown(
    vscode.l10n.t(
      'Nothing was done: memories are neither read nor written until you trust the workspace.',
    ),
  );
  trustButton(response);
}
