// The status bar item: how many memories there are, and what is at work on them now. Its tooltip also tells how far the
// chat that was last written in is from its next compaction.

import * as vscode from 'vscode';
import type { TurnEvent } from '../agent/events.ts';
import { errorText, type Log } from '../base/log.ts';
import { MEMORIES_VIEW_ID } from '../manifest.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { coalesce } from './coalesce.ts';
import { figure, percent } from './figures.ts';
import { tokenBar } from './tokenBar.ts';
import { usageText } from './usageText.ts';

/** Shown by VS Code in the context menu of the status bar. */
const ITEM_ID = 'memoryAgent.status';

export interface StatusItem extends vscode.Disposable {
  /** Shows that something runs (`text` is translated) until the result is disposed of. The newest text is shown. */
  working(text: string): vscode.Disposable;
  /** Takes from the events of turns what the tooltip tells. */
  follow(event: TurnEvent): void;
}

export function createStatusItem(options: {
  readonly scopes: MemoryScopes;
  readonly log: Log;
}): StatusItem {
  const { scopes, log } = options;
  const item = vscode.window.createStatusBarItem(ITEM_ID, vscode.StatusBarAlignment.Right, 50);
  item.name = vscode.l10n.t('Memory Agent');
  item.command = `${MEMORIES_VIEW_ID}.focus`;

  let counts: Counts = { workspace: undefined, personal: 0, damaged: 0 };
  let context: ContextState | undefined;
  const running = new Set<{ readonly text: string }>();

  const show = (): void => {
    const newest = [...running].at(-1);
    item.text = newest
      ? `$(loading~spin) ${newest.text}`
      : `$(notebook) ${(counts.workspace ?? 0) + counts.personal}`;
    item.tooltip = tooltip(counts, context);
    item.accessibilityInformation = { label: newest?.text ?? label(counts, context) };
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
  const unsubscribe = scopes.onDidChange(count);
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
    dispose() {
      unsubscribe();
      item.dispose();
    },
  };
}

type ContextState = Pick<Extract<TurnEvent, { type: 'answered' }>, 'tokens' | 'limit' | 'usage'>;

interface Counts {
  /** Undefined while no folder is open. */
  readonly workspace: number | undefined;
  readonly personal: number;
  readonly damaged: number;
}

async function countIn(scopes: MemoryScopes): Promise<Counts> {
  const { records, damaged } = await scopes.list();
  const personal = records.filter((record) => scopes.scopeOf(record) === scopes.personal).length;
  const hasFolder = scopes.workspace.length > 0;
  return {
    workspace: hasFolder ? records.length - personal : undefined,
    personal,
    damaged: damaged.length,
  };
}

/** Holds nothing but our own words and figures. */
function tooltip(counts: Counts, context: ContextState | undefined): vscode.MarkdownString {
  const parts = [countText(counts)];
  if (context) {
    const bar = tokenBar(context.tokens / context.limit);
    parts.push(`${contextText(context)}\n\n\`${bar}\``);
    const usage = usageText(context.usage);
    if (usage !== '') parts.push(usage);
  }
  return new vscode.MarkdownString(parts.join('\n\n'));
}

/** For a screen reader: the same in words alone. */
function label(counts: Counts, context: ContextState | undefined): string {
  return context ? `${countText(counts)}. ${contextText(context)}` : countText(counts);
}

function contextText({ tokens, limit }: ContextState): string {
  return vscode.l10n.t(
    'Context: {0} tokens; compaction begins at {1} ({2})',
    figure(tokens),
    figure(limit),
    percent(tokens / limit),
  );
}

function countText({ workspace, personal, damaged }: Counts): string {
  const count = workspace === undefined ? personalText(personal) : workspaceText(workspace);
  const parts = [
    count,
    ...(workspace !== undefined && personal > 0 ? [vscode.l10n.t('{0} personal', personal)] : []),
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
