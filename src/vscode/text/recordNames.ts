// The names of memories as they stand in messages and dialogs.

import * as vscode from 'vscode';
import type { MemoryRecord } from '../../memory/record.ts';
import { figure } from './figures.ts';
import { listText } from './listText.ts';
import { NOTIFICATION_CHARS, plainLine, shorten } from './plainText.ts';

/** More names than this do not help in a dialog. */
const NAMES_IN_DIALOG = 10;

/** In one line, in quotation marks. */
export function quotedNames(records: readonly Pick<MemoryRecord, 'name'>[]): string {
  const names = records.map(({ name }) => `“${plainLine(name)}”`);
  return shorten(listText(names), NOTIFICATION_CHARS);
}

/** One to a line. */
export function listedNames(records: readonly Pick<MemoryRecord, 'name'>[]): string {
  const more = records.length - NAMES_IN_DIALOG;
  const lines = records.slice(0, NAMES_IN_DIALOG).map(({ name }) => plainLine(name));
  if (more > 0) lines.push(vscode.l10n.t('and {0} more', figure(more)));
  return lines.join('\n');
}
