// Memories as lines of the chat: each a link to its file, with what it says and of which type it is.

import * as vscode from 'vscode';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { figure } from '../text/figures.ts';
import { plainMarkdown } from '../text/plainText.ts';
import { scopeLabel } from '../text/scopeLabel.ts';

/** As many as a person reads in a chat. */
export const MOST_SHOWN = 10;

/** The first of them, a line each, and how many there are besides. */
export function listText(
  found: readonly MemoryRecord[],
  all: readonly MemoryRecord[],
  scopes: MemoryScopes,
): string {
  const text = memoryLines(found.slice(0, MOST_SHOWN), all, scopes);
  const more = found.length - text.length;
  if (more > 0) {
    text.push('', vscode.l10n.t('And {0} more: add words to narrow it down.', figure(more)));
  }
  return text.join('\n');
}

/** The scope of each is told when there are several folders, or when `all` are not of one scope. */
export function memoryLines(
  records: readonly MemoryRecord[],
  all: readonly MemoryRecord[],
  scopes: MemoryScopes,
): string[] {
  const tellsScope =
    scopes.workspace.length > 1 || new Set(all.map((record) => scopes.scopeOf(record))).size > 1;
  return records.map((record) => {
    const scope = tellsScope ? scopes.scopeOf(record) : undefined;
    const label = scope ? ` · ${plainMarkdown(scopeLabel(scope))}` : '';
    const link = `[${plainMarkdown(record.name)}](${vscode.Uri.file(record.path).toString()})`;
    return `- ${link} — ${plainMarkdown(record.description)} \`${record.type}\`${label}`;
  });
}
