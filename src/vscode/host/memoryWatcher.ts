// Tells the store and its proposals of changes that others make on disk: an editor, git, another window.
// Refreshes never run side by side, and a burst of events costs two at most.

import path from 'node:path';
import * as vscode from 'vscode';
import { makePrivateFolder } from '../../base/files.ts';
import { RULES_FILE } from '../../base/ignoreRules.ts';
import { errorText, type Log } from '../../base/log.ts';
import type { MemoryStore } from '../../memory/store.ts';
import { coalesce } from './coalesce.ts';

export function registerMemoryWatcher(store: MemoryStore, log: Log): vscode.Disposable {
  const refresh = coalesce(async () => {
    try {
      await store.refresh();
    } catch (error) {
      log.error(`[watcher] The memories were not refreshed: ${errorText(error)}`);
    }
  });
  const refreshProposals = coalesce(async () => {
    try {
      await store.proposals.refresh();
    } catch (error) {
      log.error(`[watcher] The proposed memories were not refreshed: ${errorText(error)}`);
    }
  });
  const parent = vscode.Uri.file(path.dirname(store.folder));
  const name = path.basename(store.folder);
  // The folder itself too: when it goes as a whole, that may be the only event.
  const pattern = new vscode.RelativePattern(parent, `{${name},${name}/**}`);
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const onEvent = (uri: vscode.Uri): void => {
    if (bearsOnStore(store.folder, uri.fsPath)) refresh();
    if (bearsOnProposals(store, uri.fsPath)) refreshProposals();
  };
  watcher.onDidCreate(onEvent);
  watcher.onDidChange(onEvent);
  watcher.onDidDelete(onEvent);
  return vscode.Disposable.from(
    watcher,
    // What is saved in this window shows at once; the disk tells of it later, or on some disks never.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.scheme === 'file') onEvent(uri);
    }),
  );
}

/**
 * For a folder in a storage of ours. VS Code makes no such storage, and watches nothing in a folder that is not
 * there, so it is made first.
 */
export function registerStorageWatcher(store: MemoryStore, log: Log): vscode.Disposable {
  let watcher: vscode.Disposable | undefined;
  let isOver = false;
  makePrivateFolder(path.dirname(store.folder))
    .then(() => {
      if (!isOver) watcher = registerMemoryWatcher(store, log);
    })
    .catch((error: unknown) => {
      log.error(`[watcher] The personal memories are not watched: ${errorText(error)}`);
    });
  return {
    dispose() {
      isOver = true;
      watcher?.dispose();
    },
  };
}

/**
 * Memories, and what git may take of them. Leaves out the trash and temporary files, which come and go with every
 * write of our own.
 */
function bearsOnStore(folder: string, changed: string): boolean {
  const relative = path.relative(folder, changed);
  if (relative === '' || relative === RULES_FILE) return true;
  return path.dirname(relative) === '.' && relative.endsWith('.md');
}

/** When the folder of the memories goes as a whole, that may be the only event. */
function bearsOnProposals({ folder, proposals }: MemoryStore, changed: string): boolean {
  if ([folder, proposals.folder].includes(changed)) return true;
  return path.dirname(changed) === proposals.folder && changed.endsWith('.md');
}
