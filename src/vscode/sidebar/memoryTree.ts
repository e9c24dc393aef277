// The tree "Memories": a row for each scope where there are several, a group for each type with its count, the
// records below, damaged files apart. A scope that cannot be read does not hide the others.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { MEMORIES_VIEW_ID } from '../../manifest.ts';
import { sharedFiles } from '../../memory/folder/gitSharing.ts';
import type { MemoryList } from '../../memory/folder/recordCache.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { coalesce } from '../host/coalesce.ts';
import { GitMarks } from './gitMarks.ts';
import { childrenOf, looksOf, nodeId, parentsById, topNodes } from './memoryNodes.ts';
import type { MemoryNode, ScopeListing } from './memoryNodes.ts';
import { registerSharedBadge, treeItem } from './memoryTreeItem.ts';
import { plainLine } from '../text/plainText.ts';
import { recordTooltip } from './recordTooltip.ts';

interface MemoryTreeOptions {
  /** Undefined in a workspace that is not trusted: the tree is empty and VS Code shows the welcome text. */
  readonly scopes: MemoryScopes | undefined;
  readonly log: Log;
}

const NOTHING: MemoryList = { records: [], damaged: [] };

export function registerMemoryTree({ scopes, log }: MemoryTreeOptions): vscode.Disposable {
  const marks = new GitMarks({ ask: sharedFiles, onLate: () => refresh(), log });
  const tree = new MemoryTree(async () => {
    const { listings, problems } = await listScopes(scopes?.all ?? [], log);
    const message =
      problems.length > 0
        ? vscode.l10n.t('The memories cannot be read: {0}', problems.join(' '))
        : '';
    if (view.message !== message) view.message = message;
    return marks.mark(listings);
  });
  const view = vscode.window.createTreeView(MEMORIES_VIEW_ID, {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
  });
  // What nobody sees is not looked at; it is made up for when the view is opened.
  let isOutdated = false;
  const refresh = (): void => {
    isOutdated = !view.visible;
    if (view.visible) tree.refresh();
  };
  const onVisible = view.onDidChangeVisibility(() => {
    if (isOutdated) refresh();
  });
  const unsubscribe = scopes?.onDidChange(() => {
    marks.outdate();
    refresh();
  });
  return vscode.Disposable.from(view, tree, onVisible, registerSharedBadge(), {
    dispose: () => unsubscribe?.(),
  });
}

async function listScopes(scopes: readonly Scope[], log: Log) {
  const problems: string[] = [];
  const listings = scopes.map(async (scope) => {
    try {
      return { scope, list: await scope.store.list() };
    } catch (error) {
      log.error(`[tree] The memories cannot be listed: ${errorText(error)}`);
      problems.push(plainLine(errorText(error)));
      return { scope, list: NOTHING };
    }
  });
  return { listings: await Promise.all(listings), problems };
}

/** Turns listings into rows, and tells VS Code only of rows that look different: it takes all down to rebuild them. */
export class MemoryTree implements vscode.TreeDataProvider<MemoryNode> {
  readonly #list: () => Promise<readonly ScopeListing[]>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Undefined until VS Code asks for it. */
  #top: Promise<readonly MemoryNode[]> | undefined;
  /** Of the rows that are shown. */
  #parents: ReadonlyMap<string, MemoryNode> = new Map();

  /** `list` must not reject. */
  constructor(list: () => Promise<readonly ScopeListing[]>) {
    this.#list = list;
  }

  readonly refresh = coalesce(async () => {
    if (!this.#top) return;
    const shown = await this.#top;
    const top = topNodes(await this.#list());
    if (looksOf(top) === looksOf(shown)) return;
    this.#show(top);
    this.#changed.fire(undefined);
  });

  async getChildren(node?: MemoryNode): Promise<MemoryNode[]> {
    if (node) return [...childrenOf(node)];
    this.#top ??= this.#list().then((listings) => this.#show(topNodes(listings)));
    return [...(await this.#top)];
  }

  getParent(node: MemoryNode): MemoryNode | undefined {
    return this.#parents.get(nodeId(node));
  }

  getTreeItem(node: MemoryNode): vscode.TreeItem {
    return treeItem(node);
  }

  /** The hover, made when it is asked for: thousands of rows need none. */
  resolveTreeItem(item: vscode.TreeItem, node: MemoryNode): vscode.TreeItem {
    if (node.kind === 'record') item.tooltip = recordTooltip(node);
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #show(top: readonly MemoryNode[]): readonly MemoryNode[] {
    this.#top = Promise.resolve(top);
    this.#parents = parentsById(top);
    return top;
  }
}
