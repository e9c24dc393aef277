// The status bar item: how many memories there are, how many wait for review, and what is at work on them now. Its
// tooltip also tells how far the chat that was last written in is from its next compaction.

import * as vscode from 'vscode';
import type { TurnEvent } from '../../agent/events.ts';
import { errorText, type Log } from '../../base/log.ts';
import { HAS_MEMORIES_KEY, MEMORIES_VIEW_ID } from '../../manifest.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { coalesce } from '../host/coalesce.ts';
import { onDidChangeSettings, readWindowSettings } from '../host/settings.ts';
import type { StartProgress } from '../host/startProgress.ts';
import { listProposals, onDidChangeProposals } from '../review/proposalRows.ts';
import { errorSentence } from '../text/sentenceText.ts';
import { statusLabel, statusText, statusTooltip, type Counts, type Shown } from './statusText.ts';

/** Long enough to read a sentence or two in passing. */
const NOTICE_MS = 8_000;

/** Shown by VS Code in the context menu of the status bar. */
const ITEM_ID = 'memoryAgent.status';

export interface StatusItem extends vscode.Disposable {
  /** Shows that something runs (`text` is translated) until the result is disposed of. The newest text is shown. */
  working(text: string): vscode.Disposable;
  /** Takes from the events of turns what the tooltip tells. */
  follow(event: TurnEvent): void;
  /** Keeps a text in the tooltip, with a link to what can be done about it. */
  keep(text: string): void;
  /** Shows a text for some seconds. */
  tell(text: string): void;
}

export function createStatusItem(options: {
  readonly scopes: MemoryScopes;
  readonly progress: StartProgress | undefined;
  readonly log: Log;
}): StatusItem {
  const { scopes, progress, log } = options;
  const item = createItem();
  item.command = `${MEMORIES_VIEW_ID}.focus`;

  let counts: Counts = { workspace: undefined, personal: 0, damaged: 0, waiting: 0, problems: [] };
  let notice: string | undefined;
  let context: Shown['context'];
  const running = new Set<{ readonly text: string }>();

  const show = (): void => {
    const shown = { counts, context, notice, modes: readWindowSettings() };
    const newest = [...running].at(-1)?.text;
    item.text = statusText(shown, newest);
    item.tooltip = statusTooltip(shown);
    item.accessibilityInformation = { label: statusLabel(shown, newest) };
    const isWarning = counts.problems.length > 0;
    item.backgroundColor = isWarning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
  };
  const count = coalesce(async () => {
    try {
      counts = await countIn(scopes, log);
      const isAny = (counts.workspace ?? 0) + counts.personal > 0;
      progress?.set(HAS_MEMORIES_KEY, isAny);
      show();
    } catch (error) {
      log.error(`[status] The memories were not counted: ${errorText(error)}`);
    }
  });

  show();
  item.show();
  count();
  const unsubscribe = onDidChangeProposals(scopes, count);
  const settings = onDidChangeSettings(show);
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
    keep(text) {
      notice = text;
      show();
    },
    tell(text) {
      vscode.window.setStatusBarMessage(text, NOTICE_MS);
    },
    dispose() {
      unsubscribe();
      settings.dispose();
      item.dispose();
    },
  };
}

/** In a workspace that is not trusted: why nothing is remembered, and the way to trust it. */
export function showUntrustedStatus(): vscode.Disposable {
  const item = createItem();
  const text = vscode.l10n.t('Memories are not used until you trust the workspace.');
  item.text = '$(notebook) $(workspace-untrusted)';
  item.tooltip = text;
  item.accessibilityInformation = { label: text };
  item.command = 'workbench.trust.manage';
  item.show();
  return item;
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(ITEM_ID, vscode.StatusBarAlignment.Right, 50);
  item.name = vscode.l10n.t('Memory Agent');
  return item;
}

/** A scope that cannot be read does not hide the others. */
async function countIn(scopes: MemoryScopes, log: Log): Promise<Counts> {
  const { all, workspace, personal } = scopes;
  const lists = await Promise.allSettled(all.map(({ store }) => store.list()));
  const countOf = (wanted: readonly Scope[]) =>
    lists.reduce((sum, list, index) => {
      const isWanted = list.status === 'fulfilled' && wanted.some((scope) => scope === all[index]);
      return isWanted ? sum + list.value.records.length : sum;
    }, 0);
  const failures = lists.flatMap((list): unknown[] =>
    list.status === 'rejected' ? [list.reason] : [],
  );
  for (const failure of failures)
    log.error(`[status] Memories cannot be counted: ${errorText(failure)}`);
  const { rows } = await listProposals(scopes);
  return {
    workspace: workspace.length > 0 ? countOf(workspace) : undefined,
    personal: countOf([personal]),
    damaged: lists.reduce(
      (sum, list) => sum + (list.status === 'fulfilled' ? list.value.damaged.length : 0),
      0,
    ),
    waiting: rows.length,
    problems: failures.map(errorSentence),
  };
}
