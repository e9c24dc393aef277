// The hover over a memory: what it says, whose it is, since when, from where.
// Neither trusted nor HTML, and every mark escaped: a link or a picture in a memory must not act here.

import * as vscode from 'vscode';
import { canExpire, endOf } from '../../memory/expiry.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { dayOf } from '../text/dayOf.ts';
import { relativeTime } from '../text/relativeTime.ts';
import type { RecordNode } from './memoryNodes.ts';
import { excerpt, plainLine, plainMarkdown } from '../text/plainText.ts';
import { scopeLabel } from '../text/scopeLabel.ts';

/** What fits in a hover without scrolling. */
const TOOLTIP_EXCERPT = { lines: 12, characters: 600 };

/** `now` is in milliseconds since 1970. */
export function recordTooltip(node: RecordNode, now: number): vscode.MarkdownString {
  const { record } = node;
  const facts = [
    ...stateLines(node),
    ...dateLines(record, now),
    originLine(record),
    vscode.workspace.asRelativePath(record.path),
  ];
  const parts = [
    `**${plainMarkdown(plainLine(record.description))}**`,
    plainMarkdown(excerpt(record.body, TOOLTIP_EXCERPT)),
    `---\n\n${facts.map(plainMarkdown).join('  \n')}`,
  ];
  return new vscode.MarkdownString(parts.filter((part) => part !== '').join('\n\n'));
}

function stateLines({ record, scope, shared, recalled }: RecordNode): string[] {
  const lines = [
    scope.kind === 'personal'
      ? vscode.l10n.t('Personal: goes with you into every folder')
      : vscode.l10n.t('Belongs to {0}', plainLine(scopeLabel(scope))),
  ];
  if (shared) lines.push(vscode.l10n.t('Shared with Git'));
  if (record.pinned) lines.push(vscode.l10n.t('Pinned'));
  if (recalled) lines.push(vscode.l10n.t('Recalled for the last request'));
  return lines;
}

function dateLines(
  { created, updated, modified, expires, ...record }: MemoryRecord,
  now: number,
): string[] {
  const lines = [];
  const createdOn = pastText(created, now);
  if (createdOn) lines.push(vscode.l10n.t('Created: {0}', createdOn));
  const changedOn = pastText(updated ?? modified, now);
  // Nothing was changed since, when both are told as the same moment.
  if (changedOn && changedOn !== createdOn) lines.push(vscode.l10n.t('Changed: {0}', changedOn));
  const expiresOn = dateText(endOf(expires));
  if (expiresOn)
    lines.push(
      canExpire(record)
        ? vscode.l10n.t('Expires: {0}', expiresOn)
        : vscode.l10n.t(
            'Has the date {0}, but stays: it is pinned, or of a type that never expires',
            expiresOn,
          ),
    );
  return lines;
}

/** The day, and how long ago that is. */
function pastText(date: string | number | undefined, now: number): string | undefined {
  const time = timeOf(date);
  if (time === undefined) return undefined;
  return vscode.l10n.t('{0} ({1})', dayOf(time), relativeTime(time, now));
}

function dateText(date: string | number | undefined): string | undefined {
  const time = timeOf(date);
  return time === undefined ? undefined : dayOf(time);
}

/** Undefined for what is not a date: front matter may hold anything. */
function timeOf(date: string | number | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : new Date(date).getTime();
  return Number.isNaN(time) ? undefined : time;
}

function originLine({ source }: MemoryRecord): string {
  if (source === 'extraction') return vscode.l10n.t('Saved from a chat');
  if (source === 'consolidation') return vscode.l10n.t('Written by a consolidation');
  if (source === 'import') return vscode.l10n.t('Imported');
  if (source === 'agent') return vscode.l10n.t('Saved by another agent');
  return vscode.l10n.t('Written by a person');
}
