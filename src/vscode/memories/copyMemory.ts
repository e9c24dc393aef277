// "Copy": memories as Markdown for another place, such as a chat or a file for another agent. That place has no use for
// the front matter, whose name is that of a file and whose dates are ours.

import * as vscode from 'vscode';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { chooseRecords } from '../picks/chooseRecords.ts';
import { quotedNames } from '../text/recordNames.ts';
import { tellInStatusBar } from './tellDone.ts';

export async function copyMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const records = await chooseRecords(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to copy'),
    nothing: vscode.l10n.t('There is no memory to copy.'),
  });
  if (records.length === 0) return;
  await vscode.env.clipboard.writeText(`${records.map(markdownOf).join('\n\n')}\n`);
  tellInStatusBar(vscode.l10n.t('Copied as Markdown: {0}', quotedNames(records)));
}

/** A memory made of one line has it twice. */
function markdownOf({ description, body }: MemoryRecord): string {
  const text = body.trim();
  if (text === '' || text === description) return description;
  return `## ${description}\n\n${text}`;
}
