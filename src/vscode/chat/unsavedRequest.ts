// Models nod when they are asked to remember something, also where nothing is saved. So while saving is off, or no
// folder is open, an answer to such a request ends with the truth and a way to save the words all the same.

import * as vscode from 'vscode';
import { COMMANDS } from '../../manifest.ts';
import type { Mode } from '../../memory/mode.ts';
import type { NewRecord } from '../../memory/record.ts';
import { recordFromWords } from '../../memory/remember.ts';
import { wordsToRemember } from '../../memory/extraction/rememberRequest.ts';

/** Characters. A longer sentence holds more than what is to be remembered. */
const MOST_CHARS = 500;

/** At the end of the answer. Nothing when nothing was to be remembered, or what was said is looked through. */
export function tellUnsaved(
  response: vscode.ChatResponseStream,
  prompt: string,
  { extraction, folders }: { readonly extraction: Mode; readonly folders: number },
): void {
  if (extraction !== 'off' && folders > 0) return;
  const words = wordsToRemember(prompt);
  if (words === undefined) return;
  const line = extraction === 'off' ? offText() : noFolderText();
  response.markdown(`\n\n_${line}_`);
  const record = words.length <= MOST_CHARS ? recordOf(words) : undefined;
  if (record) offerToSave(response, record);
}

function offText(): string {
  return vscode.l10n.t(
    'Nothing was saved, since the setting `memoryAgent.extraction` is off. What you write after `/remember` is saved all the same.',
  );
}

function noFolderText(): string {
  return vscode.l10n.t(
    'Nothing was saved by itself, since no folder is open. What you write after `/remember` is saved among your personal memories.',
  );
}

/** Undefined where the words hold a secret, or nothing but the request: the line above says what can be done then. */
function recordOf(words: string): NewRecord | undefined {
  try {
    return recordFromWords(words);
  } catch {
    return undefined;
  }
}

function offerToSave(response: vscode.ChatResponseStream, record: NewRecord): void {
  response.button({
    // Takes any new memory, and leaves one without secrets as it is.
    command: COMMANDS.saveRedacted,
    title: vscode.l10n.t('Remember These Words'),
    arguments: [record],
  });
}
