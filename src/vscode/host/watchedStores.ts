// The stores of the memories in this window: one for each folder that holds some, watched for as long as it is in use.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { MemoryStore } from '../../memory/store.ts';
import { registerMemoryWatcher, registerStorageWatcher } from './memoryWatcher.ts';

export class WatchedStores implements vscode.Disposable {
  readonly #log: Log;
  /** By folder of the memories. */
  readonly #watched = new Map<
    string,
    { readonly store: MemoryStore; readonly watcher: vscode.Disposable }
  >();

  constructor(log: Log) {
    this.#log = log;
  }

  in(folder: string): MemoryStore {
    return this.#open(folder, registerMemoryWatcher);
  }

  /** The same for a folder in a storage of ours. */
  inStorage(folder: string): MemoryStore {
    return this.#open(folder, registerStorageWatcher);
  }

  /** Those of all other folders are not watched any more. */
  keepOnly(stores: readonly MemoryStore[]): void {
    for (const [folder, { store, watcher }] of this.#watched) {
      if (stores.includes(store)) continue;
      watcher.dispose();
      this.#watched.delete(folder);
    }
  }

  dispose(): void {
    this.keepOnly([]);
  }

  #open(folder: string, watch: typeof registerMemoryWatcher): MemoryStore {
    const known = this.#watched.get(folder);
    if (known) return known.store;
    const store = new MemoryStore({ folder, log: this.#log, isBeingEdited });
    this.#watched.set(folder, { store, watcher: watch(store, this.#log) });
    // What changed while no window was open is not in MEMORY.md yet.
    store.refresh().catch((error: unknown) => {
      this.#log.error(`[memory] The memories could not be read: ${errorText(error)}`);
    });
    return store;
  }
}

function isBeingEdited(file: string): boolean {
  return vscode.workspace.textDocuments.some(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && uri.fsPath === file,
  );
}
