// The status bar item: how many memories there are, how many wait for review, and what is at work on them now. Its
// tooltip also tells how far the chat that was last written in is from its next compaction.

import * as vscode from 'vscode';
import type { TurnEvent } from '../../agent/events.ts';
import { errorText, type Log } from '../../base/log.ts';
import { COMMANDS, MEMORIES_VIEW_ID } from '../../manifest.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { coalesce } from '../host/coalesce.ts';
import { figure, percent } from '../text/figures.ts';
import { plainMarkdown } from '../text/plainText.ts';
import { listProposals, onDidChangeProposals } from '../review/proposalRows.ts';
import { tokenBar } from '../text/tokenBar.ts';
import { usageText } from '../text/usageText.ts';

/** Long enough to read a sentence or two in passing. */
const NOTICE_MS = 8_000;

/** Shown by VS Code in the context menu of the status bar. */
const ITEM_ID = 'memoryAgent.status';

export interface StatusItem extends vscode.Disposable {
  /** Shows that something runs (`text` is translated) until the result is disposed of. The newest text is shown. */
  working(text: string): vscode.Disposable;
  /** Takes from the events of turns what the tooltip tells. */
  follow(event: TurnEvent): void;
  /** Shows a text for some seconds; the tooltip keeps it, with a link to what can be done about it. */
  tell(text: string): void;
}

export function createStatusItem(options: {
  readonly scopes: MemoryScopes;
  readonly log: Log;
}): StatusItem {
  const { scopes, log } = options;
  const item = vscode.window.createStatusBarItem(ITEM_ID, vscode.StatusBarAlignment.Right, 50);
  item.name = vscode.l10n.t('Memory Agent');
  item.command = `${MEMORIES_VIEW_ID}.focus`;

  let counts: Counts = { workspace: undefined, personal: 0, damaged: 0, waiting: 0 };
  let notice: string | undefined;
  let context: ContextState | undefined;
  const running = new Set<{ readonly text: string }>();

  const show = (): void => {
    const newest = [...running].at(-1);
    item.text = newest ? `$(loading~spin) ${newest.text}` : `$(notebook) ${figures(counts)}`;
    const shown = { counts, context, notice };
    item.tooltip = tooltip(shown);
    item.accessibilityInformation = { label: newest?.text ?? label(shown) };
  };
  const count = coalesce(async () => {
    try {
      counts = await countIn(scopes);
      show();
    } catch (error) {
      log.error(`[status] The memories were not counted: ${errorText(error)}`);
    }
  });

  show();
  item.show();
  count();
  const unsubscribe = onDidChangeProposals(scopes, count);
  return {
    working(text) {
      const work = { text };
      running.add(work);
      show();
      return {
        dispose() {
          running.delete(work);
          show();
        },
      };
    },
    follow(event) {
      if (event.type === 'answered') context = event;
      else if (event.type === 'compacted' && context) context = { ...context, tokens: event.after };
      else return;
      show();
    },
    tell(text) {
      notice = text;
      show();
      vscode.window.setStatusBarMessage(text, NOTICE_MS);
    },
    dispose() {
      unsubscribe();
      item.dispose();
    },
  };
}

type ContextState = Pick<Extract<TurnEvent, { type: 'answered' }>, 'tokens' | 'limit' | 'usage'>;

interface Shown {
  readonly counts: Counts;
  readonly context: ContextState | undefined;
  /** What was told last. */
  readonly notice: string | undefined;
}

interface Counts {
  /** Undefined while no folder is open. */
  readonly workspace: number | undefined;
  readonly personal: number;
  readonly damaged: number;
  /** Proposed memories that wait for the person's review. */
  readonly waiting: number;
}

async function countIn(scopes: MemoryScopes): Promise<Counts> {
  const { records, damaged } = await scopes.list();
  const { rows } = await listProposals(scopes);
  const personal = records.filter((record) => scopes.scopeOf(record) === scopes.personal).length;
  const hasFolder = scopes.workspace.length > 0;
  return {
    workspace: hasFolder ? records.length - personal : undefined,
    personal,
    damaged: damaged.length,
    waiting: rows.length,
  };
}

function figures({ workspace = 0, personal, waiting }: Counts): string {
  const count = workspace + personal;
  return waiting > 0 ? vscode.l10n.t('{0} · {1} to review', count, waiting) : String(count);
}

/** But for the notice, which is escaped, it holds nothing but our own words and figures. */
function tooltip({ counts, context, notice }: Shown): vscode.MarkdownString {
  const parts = [countText(counts)];
  if (context) {
    const bar = tokenBar(context.tokens / context.limit);
    parts.push(`${contextText(context)}\n\n\`${bar}\``);
    const usage = usageText(context.usage);
    if (usage !== '') parts.push(usage);
  }
  if (notice !== undefined) {
    const link = `[${vscode.l10n.t('Show')}](command:${COMMANDS.showLastNotice})`;
    parts.push('---', `${plainMarkdown(notice)} ${link}`);
  }
  const text = new vscode.MarkdownString(parts.join('\n\n'));
  text.isTrusted = { enabledCommands: [COMMANDS.showLastNotice] };
  return text;
}

/** For a screen reader: the same in words alone. */
function label({ counts, context, notice }: Shown): string {
  const parts = [countText(counts), ...(context ? [contextText(context)] : [])];
  return [...parts, ...(notice === undefined ? [] : [notice])].join('. ');
}

function contextText({ tokens, limit }: ContextState): string {
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
    ...(workspace !== undefined && personal > 0 ? [vscode.l10n.t('{0} personal', personal)] : []),
    ...(waiting > 0 ? [vscode.l10n.t('{0} to review', waiting)] : []),
    ...(damaged > 0 ? [vscode.l10n.t('damaged files: {0}', damaged)] : []),
  ];
  return parts.join(', ');
}

function workspaceText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 memory in this workspace')
    : vscode.l10n.t('{0} memories in this workspace', count);
}

function personalText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 personal memory')
    : vscode.l10n.t('{0} personal memories', count);
}
