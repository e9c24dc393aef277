// The hover over a memory: what it says, since when, from where.
// Neither trusted nor HTML, and every mark escaped: a link or a picture in a memory must not act here.

import * as vscode from 'vscode';
import type { MemoryRecord } from '../memory/record.ts';
import { excerpt, plainLine, plainMarkdown } from './plainText.ts';

/** What fits in a hover without scrolling. */
const TOOLTIP_EXCERPT = { lines: 12, characters: 600 };

export function recordTooltip(record: MemoryRecord): vscode.MarkdownString {
  const path = vscode.workspace.asRelativePath(record.path);
  const parts = [
    `**${plainMarkdown(plainLine(record.description))}**`,
    plainMarkdown(excerpt(record.body, TOOLTIP_EXCERPT)),
    `---\n\n${[...dateLines(record), originLine(record), path].map(plainMarkdown).join('  \n')}`,
  ];
  return new vscode.MarkdownString(parts.filter((part) => part !== '').join('\n\n'));
}

function dateLines({ created, updated, modified }: MemoryRecord): string[] {
  const lines = [];
  const createdOn = dateText(created);
  if (createdOn) lines.push(vscode.l10n.t('Created: {0}', createdOn));
  const changedOn = dateText(updated ?? modified);
  if (changedOn) lines.push(vscode.l10n.t('Changed: {0}', changedOn));
  return lines;
}

/** Undefined for what is not a date: front matter may hold anything. */
function dateText(date: string | number | undefined): string | undefined {
  const time = date === undefined ? Number.NaN : new Date(date).getTime();
  if (Number.isNaN(time)) return undefined;
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(time);
}

function originLine({ source }: MemoryRecord): string {
  if (source === 'extraction') return vscode.l10n.t('Saved from a chat');
  if (source === 'consolidation') return vscode.l10n.t('Written by a consolidation');
  return vscode.l10n.t('Written by a person');
}
