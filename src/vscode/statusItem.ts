// The status bar item: how many memories there are, and what is at work on them now.
// Hidden where there is no memory to speak of: no folder, or one that is not trusted.

import * as vscode from 'vscode';
import { errorText } from '../base/log.ts';
import type { Log } from '../base/log.ts';
import { MEMORIES_VIEW_ID } from '../manifest.ts';
import type { MemoryStore } from '../memory/store.ts';
import { coalesce } from './coalesce.ts';

/** Shown by VS Code in the context menu of the status bar. */
const ITEM_ID = 'memoryAgent.status';

export interface StatusItem extends vscode.Disposable {
  /** Shows that something runs (`text` is translated) until the result is disposed of. The newest text is shown. */
  working(text: string): vscode.Disposable;
}

export function createStatusItem(options: {
  readonly store: MemoryStore | undefined;
  readonly log: Log;
}): StatusItem {
  const { store, log } = options;
  const item = vscode.window.createStatusBarItem(ITEM_ID, vscode.StatusBarAlignment.Right, 50);
  item.name = vscode.l10n.t('Memory Agent');
  item.command = `${MEMORIES_VIEW_ID}.focus`;

  let counts = { records: 0, damaged: 0 };
  const running = new Set<{ readonly text: string }>();

  const show = (): void => {
    const newest = [...running].at(-1);
    item.text = newest ? `$(loading~spin) ${newest.text}` : `$(notebook) ${counts.records}`;
    item.tooltip = tooltip(counts);
    item.accessibilityInformation = { label: newest?.text ?? tooltip(counts) };
  };
  const count = coalesce(async () => {
    try {
      const listing = await store?.list();
      if (!listing) return;
      counts = { records: listing.records.length, damaged: listing.damaged.length };
      show();
    } catch (error) {
      log.error(`[status] The memories were not counted: ${errorText(error)}`);
    }
  });

  show();
  if (store) item.show();
  count();
  const unsubscribe = store?.onDidChange(count);
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
    dispose() {
      unsubscribe?.();
      item.dispose();
    },
  };
}

function tooltip({ records, damaged }: { records: number; damaged: number }): string {
  const count =
    records === 1
      ? vscode.l10n.t('1 memory in this workspace')
      : vscode.l10n.t('{0} memories in this workspace', records);
  return damaged === 0 ? count : vscode.l10n.t('{0}, damaged files: {1}', count, damaged);
}
