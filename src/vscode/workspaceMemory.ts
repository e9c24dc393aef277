// The memories of the workspace with all that shows them: tree, status bar, watcher, notices. They begin when the
// workspace is trusted, at once or later: a folder from elsewhere may bring memories of its own.

import path from 'node:path';
import * as vscode from 'vscode';
import { Learning, type LearningStep, type OpenMemory } from '../agent/learning.ts';
import { errorText, type Log } from '../base/log.ts';
import type { Change } from '../memory/change.ts';
import { MEMORY_FOLDER, MemoryStore } from '../memory/store.ts';
import { registerMemoryTree } from './memoryTree.ts';
import { registerMemoryWatcher } from './memoryWatcher.ts';
import { notifyChanges } from './notices.ts';
import { createStatusItem, type StatusItem } from './statusItem.ts';

export class WorkspaceMemory implements vscode.Disposable {
  readonly #log: Log;
  readonly #trust: vscode.Disposable;
  #open: (OpenMemory & { readonly status: StatusItem }) | undefined;
  #shown: vscode.Disposable;
  #working: vscode.Disposable | undefined;

  /** `folder` is the workspace folder whose memories these are; undefined when none is open. */
  constructor(folder: string | undefined, log: Log) {
    this.#log = log;
    this.#shown = registerMemoryTree({ store: undefined, log });
    if (folder !== undefined && vscode.workspace.isTrusted) this.#begin(folder);
    this.#trust = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (folder !== undefined && !this.#open) this.#begin(folder);
    });
  }

  /** Undefined when no folder is open or the workspace is not trusted. */
  get current(): OpenMemory | undefined {
    return this.#open;
  }

  /** Shows in the status bar what runs in the background; undefined when it is over. */
  showStep(step: LearningStep | undefined): void {
    this.#working?.dispose();
    this.#working = step && this.#open?.status.working(stepText(step));
  }

  /** One notification for changes that were made, with Open and Undo. */
  notify(changes: readonly Change[]): void {
    if (!this.#open) return;
    void notifyChanges({ store: this.#open.store, changes, log: this.#log });
  }

  dispose(): void {
    this.#trust.dispose();
    this.#open?.learning.dispose();
    this.#shown.dispose();
  }

  #begin(folder: string): void {
    const log = this.#log;
    const store = new MemoryStore({ folder: path.join(folder, MEMORY_FOLDER), log });
    const status = createStatusItem({ store, log });
    this.#open = { store, status, learning: new Learning({ store, log }) };
    this.#shown.dispose();
    this.#shown = vscode.Disposable.from(
      registerMemoryTree({ store, log }),
      registerMemoryWatcher(store, log),
      status,
    );
    // What changed while no window was open is not in MEMORY.md yet.
    store.refresh().catch((error: unknown) => {
      log.error(`[memory] The memories could not be read: ${errorText(error)}`);
    });
  }
}

function stepText(step: LearningStep): string {
  switch (step) {
    case 'extraction':
      return vscode.l10n.t('Looking for what to remember…');
    case 'consolidation':
      return vscode.l10n.t('Consolidating memories…');
  }
}
