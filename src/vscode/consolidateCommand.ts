// Memory: Consolidate. Shows progress, then what was saved and removed, with Undo. The reasons stand in the log.

import * as vscode from 'vscode';
import type { OpenMemory } from '../agent/learning.ts';
import { COMMANDS } from '../manifest.ts';
import type { Change } from '../memory/change.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import type { ModelChoice } from './modelChoice.ts';
import { abortSignalOf } from './signals.ts';

interface ConsolidateDeps {
  /** Undefined when the workspace is not trusted. */
  readonly memory: OpenMemory | undefined;
  readonly chooseModel: () => Promise<ModelChoice>;
  readonly notify: (changes: readonly Change[]) => void;
}

/** Throws when the model or its answer failed; nothing is changed then. */
export async function consolidate(deps: ConsolidateDeps): Promise<void> {
  if (!deps.memory) {
    inform(vscode.l10n.t('The memories of this folder are not used until you trust it.'));
    return;
  }
  const { scopes, learning } = deps.memory;
  const stores = await consolidable(scopes);
  const count = stores.reduce((sum, { records }) => sum + records, 0);
  if (count === 0) {
    inform(vscode.l10n.t('There is nothing to consolidate yet.'));
    return;
  }
  const choice = await deps.chooseModel();
  if (choice.kind === 'missingKey') return offerKey();
  if (choice.kind === 'problem') throw new Error(choice.problem);

  const changes: Change[] = [];
  const finished = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Consolidating {0} memories…', count),
      cancellable: true,
    },
    async (_progress, token) => {
      const { signal, dispose } = abortSignalOf(token);
      try {
        // Each by itself: what is personal is never merged into what a repository may share.
        for (const { store } of stores)
          changes.push(...(await learning.consolidate(store, choice.utility, signal)).changes);
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      } finally {
        dispose();
        // Also when a later store failed: what was changed can be undone.
        if (changes.length > 0) deps.notify(changes);
      }
    },
  );
  if (finished && changes.length === 0)
    inform(vscode.l10n.t('Nothing to consolidate: all {0} memories stay as they are.', count));
}

/** The stores with at least two records, and how many there are in each. */
async function consolidable(scopes: MemoryScopes) {
  const stores = scopes.all.map(async ({ store }) => ({
    store,
    records: (await store.list()).records.length,
  }));
  return (await Promise.all(stores)).filter(({ records }) => records >= 2);
}

async function offerKey(): Promise<void> {
  const setKey = vscode.l10n.t('Set API Key');
  const message = vscode.l10n.t('Consolidating needs a model. Set an Anthropic API key.');
  const choice = await vscode.window.showWarningMessage(message, setKey);
  if (choice === setKey) await vscode.commands.executeCommand(COMMANDS.setApiKey);
}

/** Not awaited: a notification without buttons may stay as long as it likes. */
function inform(message: string): void {
  void vscode.window.showInformationMessage(message);
}
