// /remember: saves the person's own words as a memory, without a model.

import * as vscode from 'vscode';
import { COMMANDS } from '../../manifest.ts';
import { MAX_BODY, type MemoryRecord } from '../../memory/record.ts';
import { recordFromWords } from '../../memory/remember.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { redactSecrets, secretIn, secretKind } from '../../memory/secrets/secrets.ts';
import { repeats } from '../../memory/words/likeness.ts';
import { figure } from '../text/figures.ts';
import { sentenceText } from '../text/sentenceText.ts';
import type { NextStep } from './followups.ts';
import { memoryLines } from './memoryLines.ts';

interface RememberRequest {
  readonly prompt: string;
  /** Whether something is attached. */
  readonly hasAttachments: boolean;
  readonly response: vscode.ChatResponseStream;
}

export async function remember(
  scopes: MemoryScopes,
  { prompt, hasAttachments, response }: RememberRequest,
): Promise<readonly NextStep[]> {
  const secret = secretIn(prompt);
  if (secret !== undefined) {
    refuseSecret(secret, prompt, response);
    return [];
  }
  const words = recordFromWords(prompt);
  if (!words) {
    response.markdown(
      vscode.l10n.t(
        'Write what to remember after the command, for example `/remember I prefer tabs for indentation.` Begin with `project:`, `feedback:` or `reference:` for a type other than `user`.',
      ),
    );
    return [];
  }
  if (words.body.length > MAX_BODY) {
    response.markdown(
      vscode.l10n.t(
        'Not remembered: this has {0} characters, and a memory at most {1}, so that it leaves room for the work when it is recalled. Shorten it, or save it as several memories.',
        figure(words.body.length),
        figure(MAX_BODY),
      ),
    );
    return [];
  }
  const { records } = await scopes.list();
  const twin = records.find((record) => repeats(words, record));
  if (twin) {
    response.markdown(told(vscode.l10n.t('Already remembered:'), twin, records, scopes));
    openButton(twin, response);
    return [];
  }
  const { record } = await scopes.create(words);
  const opening =
    scopes.workspace.length > 0
      ? vscode.l10n.t('Remembered:')
      : vscode.l10n.t('Remembered among your personal memories, since no folder is open:');
  response.markdown(told(opening, record, [...records, record], scopes));
  if (hasAttachments) {
    const line = vscode.l10n.t('Only your words are remembered, not what you attached.');
    response.markdown(`\n\n_${line}_`);
  }
  openButton(record, response);
  // The only one has just been shown.
  return records.length > 0 ? [{ kind: 'showAll' }] : [];
}

function told(
  opening: string,
  record: MemoryRecord,
  all: readonly MemoryRecord[],
  scopes: MemoryScopes,
): string {
  return [opening, ...memoryLines([record], all, scopes)].join('\n\n');
}

function openButton({ path }: MemoryRecord, response: vscode.ChatResponseStream): void {
  response.button({
    command: COMMANDS.editMemory,
    title: vscode.l10n.t('Open Memory'),
    arguments: [path],
  });
}

function refuseSecret(secret: string, prompt: string, response: vscode.ChatResponseStream): void {
  const kind = sentenceText(secretKind(secret));
  const redacted = recordFromWords(redactSecrets(prompt));
  response.markdown(
    redacted
      ? vscode.l10n.t(
          'Not remembered: this holds {0}, and secrets are not saved in memories.',
          kind,
        )
      : vscode.l10n.t(
          'Not remembered: this is nothing but {0}, and secrets are not saved in memories.',
          kind,
        ),
  );
  if (!redacted || redacted.body.length > MAX_BODY) return;
  response.button({
    command: COMMANDS.saveRedacted,
    title: vscode.l10n.t('Save Without the Secret'),
    arguments: [redacted],
  });
}
