// The words of the status bar item: its text, its hover in Markdown with links to what can be done, and the same for
// a screen reader.

import * as vscode from 'vscode';
import type { TurnEvent } from '../../agent/events.ts';
import { COMMANDS, EXTENSION_ID, MEMORIES_VIEW_ID, REVIEW_VIEW_ID } from '../../manifest.ts';
import type { Settings } from '../host/settings.ts';
import { commandTarget } from '../text/commandTarget.ts';
import { figure, percent } from '../text/figures.ts';
import { plainLine, plainMarkdown, shorten } from '../text/plainText.ts';
import { ended, joinedText } from '../text/joinedText.ts';
import { tokenBar } from '../text/tokenBar.ts';
import { usageText } from '../text/usageText.ts';

export interface Counts {
  /** Undefined while no folder is open. */
  readonly workspace: number | undefined;
  readonly personal: number;
  readonly damaged: number;
  /** Proposed memories that wait for the person's review. */
  readonly waiting: number;
  /** Of memories that cannot be read, in sentences; they are not counted. */
  readonly problems: readonly string[];
}

export interface Shown {
  readonly counts: Counts;
  readonly modes: Pick<Settings, 'extraction' | 'recall'>;
  readonly context:
    Pick<Extract<TurnEvent, { type: 'answered' }>, 'tokens' | 'limit' | 'usage'> | undefined;
  /** What was told last. */
  readonly notice: string | undefined;
}

/** A path in an error may be very long. */
const PROBLEM_CHARS = 300;

const SHOW_MEMORIES = `${MEMORIES_VIEW_ID}.focus`;
const REVIEW = `${REVIEW_VIEW_ID}.focus`;
const OPEN_SETTINGS = 'workbench.action.openSettings';

/** `working` is what runs now. */
export function statusText({ counts }: Shown, working: string | undefined): string {
  if (working !== undefined) return `$(loading~spin) ${working}`;
  const { workspace = 0, personal, waiting, problems } = counts;
  const count = figure(workspace + personal);
  const figures =
    waiting > 0 ? vscode.l10n.t('{0} · {1} to review', count, figure(waiting)) : count;
  return problems.length > 0 ? `$(warning) ${figures}` : `$(notebook) ${figures}`;
}

/** But for errors and the notice, which are escaped, it holds nothing but our own words and figures. */
export function statusTooltip(shown: Shown): vscode.MarkdownString {
  const { counts, context, notice } = shown;
  const parts = [`**${countText(counts)}**`];
  if (counts.problems.length > 0) {
    const problem = plainMarkdown(problemText(counts));
    const again = link(vscode.l10n.t('Try Again'), COMMANDS.refreshMemories);
    parts.push(`$(warning) ${problem} ${again} · ${logLink()}`);
  }
  parts.push(...modeTexts(shown.modes));
  if (context) {
    const bar = tokenBar(context.tokens / context.limit);
    parts.push('---', `${contextText(context)}\n\n\`${bar}\``);
    const usage = usageText(context.usage);
    if (usage !== '') parts.push(usage);
  }
  if (notice !== undefined)
    parts.push(
      '---',
      `${plainMarkdown(notice)} ${link(vscode.l10n.t('Show'), COMMANDS.showLastNotice)}`,
    );
  parts.push('---', linksOf(counts));
  const text = new vscode.MarkdownString(parts.join('\n\n'), true);
  text.isTrusted = {
    enabledCommands: [
      SHOW_MEMORIES,
      REVIEW,
      OPEN_SETTINGS,
      COMMANDS.newMemory,
      COMMANDS.refreshMemories,
      COMMANDS.showLastNotice,
      COMMANDS.showLog,
    ],
  };
  return text;
}

/** For a screen reader: the same in words alone. */
export function statusLabel(shown: Shown, working: string | undefined): string {
  const { counts, modes, context, notice } = shown;
  const sentences = [
    ...(working === undefined ? [] : [working]),
    countText(counts),
    ...(counts.problems.length > 0 ? [problemText(counts)] : []),
    ...modeTexts(modes),
    ...(context ? [contextText(context)] : []),
    ...(notice === undefined ? [] : [notice]),
  ];
  return joinedText(sentences.map(ended));
}

function problemText({ problems }: Counts): string {
  const reasons = shorten(joinedText(problems.map(plainLine)), PROBLEM_CHARS);
  return vscode.l10n.t('The memories cannot be read: {0}', reasons);
}

/** Only of what is not as it comes. */
function modeTexts({ extraction, recall }: Shown['modes']): readonly string[] {
  const texts: string[] = [];
  if (extraction === 'off') texts.push(vscode.l10n.t('Nothing is saved by itself.'));
  if (extraction === 'review')
    texts.push(vscode.l10n.t('Nothing is saved before you have reviewed it.'));
  if (recall === 'off') texts.push(vscode.l10n.t('No memories go with your requests.'));
  if (recall === 'review')
    texts.push(vscode.l10n.t('You pick the memories that go with a request.'));
  return texts;
}

function contextText({ tokens, limit }: NonNullable<Shown['context']>): string {
  return vscode.l10n.t(
    'Context: {0} tokens; compaction begins at {1} ({2})',
    figure(tokens),
    figure(limit),
    percent(tokens / limit),
  );
}

function countText({ workspace, personal, damaged, waiting }: Counts): string {
  const count = workspace === undefined ? personalText(personal) : workspaceText(workspace);
  const parts = [
    count,
    ...(workspace !== undefined && personal > 0
      ? [vscode.l10n.t('{0} personal', figure(personal))]
      : []),
    ...(waiting > 0 ? [vscode.l10n.t('{0} to review', figure(waiting))] : []),
    ...(damaged > 0 ? [damagedText(damaged)] : []),
  ];
  return parts.reduce((all, part) => vscode.l10n.t('{0}, {1}', all, part));
}

function workspaceText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 memory in this workspace')
    : vscode.l10n.t('{0} memories in this workspace', figure(count));
}

function personalText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 personal memory')
    : vscode.l10n.t('{0} personal memories', figure(count));
}

function damagedText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 damaged file')
    : vscode.l10n.t('{0} damaged files', figure(count));
}

function linksOf({ waiting }: Counts): string {
  const links = [
    link(vscode.l10n.t('Show Memories'), SHOW_MEMORIES),
    ...(waiting > 0 ? [link(vscode.l10n.t('Review Proposals'), REVIEW)] : []),
    link(vscode.l10n.t('New Memory'), COMMANDS.newMemory),
    link(vscode.l10n.t('Open Settings'), OPEN_SETTINGS, `@ext:${EXTENSION_ID}`),
  ];
  return links.join(' · ');
}

function logLink(): string {
  return link(vscode.l10n.t('Show Log'), COMMANDS.showLog);
}

function link(title: string, command: string, ...args: readonly string[]): string {
  return `[${title}](${commandTarget(command, ...args)})`;
}
