// What reports are made of, in Markdown: sections, links to files, lines for memories. Whatever comes from a memory
// is escaped, and a description that holds a secret is left out.

import * as vscode from 'vscode';
import type { MemoryRecord } from '../../memory/record.ts';
import { secretIn } from '../../memory/secrets/secrets.ts';
import { figure } from '../text/figures.ts';
import { plainLine, plainMarkdown, shorten } from '../text/plainText.ts';

export interface Report {
  /** Shown in the tab. A report takes the place of an older one with its title. */
  readonly title: string;
  /** Links to files are absolute `file:` URIs, and all that comes from elsewhere is escaped. */
  readonly markdown: string;
}

/** Where a file belongs, as the person knows it; undefined where that goes without saying. */
export type ScopeOf = (path: string) => string | undefined;

/** A section with more would not be read; the rest is counted. */
const MAX_ITEMS = 100;
/** Characters of a description: enough to know the memory again. */
const SHOWN_DESCRIPTION = 100;

/** The head of a report. Both texts are plain. */
export function reportHead(title: string, now: Date, summary: string): string {
  const date = new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(now);
  return `# ${title}\n\n${plainMarkdown(date)}\n\n**${summary}**`;
}

/** `otherwise` stands in the place of a list without items. */
export function section(
  title: string,
  advice: string,
  items: readonly string[],
  otherwise = '',
): string {
  const left = items.length - MAX_ITEMS;
  const list = [
    ...items.slice(0, MAX_ITEMS),
    ...(left > 0 ? [vscode.l10n.t('and {0} more', figure(left))] : []),
  ];
  const text = list.length > 0 ? list.map((item) => `- ${item}`).join('\n') : otherwise;
  return `## ${title}\n\n${advice}\n\n${text}`;
}

export function recordLine(record: MemoryRecord, scopeOf: ScopeOf): string {
  const description = shownDescription(record);
  return fileLink(record, scopeOf) + (description && ` — ${description}`);
}

export function fileLink(
  { file, path }: Pick<MemoryRecord, 'file' | 'path'>,
  scopeOf: ScopeOf,
): string {
  // `Uri` leaves parentheses, which would end the link.
  const uri = vscode.Uri.file(path).toString().replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${plainMarkdown(plainLine(file))}](${uri})${scopeMark(path, scopeOf)}`;
}

/** For a memory whose file is no longer there. */
export function goneRecordLine(record: MemoryRecord, scopeOf: ScopeOf): string {
  const description = shownDescription(record);
  const name = plainMarkdown(plainLine(record.file));
  return `${name}${scopeMark(record.path, scopeOf)}${description && ` — ${description}`}`;
}

export function shownDescription({ description }: MemoryRecord): string {
  if (secretIn(description) !== undefined) return '';
  return plainMarkdown(shorten(plainLine(description), SHOWN_DESCRIPTION));
}

function scopeMark(path: string, scopeOf: ScopeOf): string {
  const scope = scopeOf(path);
  return scope === undefined ? '' : ` (${plainMarkdown(plainLine(scope))})`;
}
