// The tree "Memories": a row for each scope where there are several, a group for each type with its count, the
// records below, damaged files apart. A scope that cannot be read does not hide the others.

import * as vscode from 'vscode';
import { errorText, type Log } from '../base/log.ts';
import { MEMORIES_VIEW_ID } from '../manifest.ts';
import { sharedFiles } from '../memory/gitSharing.ts';
import type { MemoryList } from '../memory/recordCache.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { GitMarks } from './gitMarks.ts';
import { childrenOf, nodeId, parentsById, topNodes } from './memoryNodes.ts';
import type { MemoryNode, ScopeListing } from './memoryNodes.ts';
import { registerSharedBadge, treeItem } from './memoryTreeItem.ts';
import { plainLine } from './plainText.ts';
import { recordTooltip } from './recordTooltip.ts';

interface MemoryTreeOptions {
  /** Undefined in a workspace that is not trusted: the tree is empty and VS Code shows the welcome text. */
  readonly scopes: MemoryScopes | undefined;
  readonly log: Log;
}

const NOTHING: MemoryList = { records: [], damaged: [] };

export function registerMemoryTree({ scopes, log }: MemoryTreeOptions): vscode.Disposable {
  const marks = new GitMarks({ ask: sharedFiles, onLate: () => tree.refresh(), log });
  const tree = new MemoryTree(async () => {
    const problems: string[] = [];
    const listings = (scopes?.all ?? []).map(async (scope) => {
      try {
        return { scope, list: await scope.store.list() };
      } catch (error) {
        log.error(`[tree] The memories cannot be listed: ${errorText(error)}`);
        problems.push(plainLine(errorText(error)));
        return { scope, list: NOTHING };
      }
    });
    const marked = await marks.mark(await Promise.all(listings));
    view.message =
      problems.length > 0
        ? vscode.l10n.t('The memories cannot be read: {0}', problems.join(' '))
        : '';
    return marked;
  });
  const view = vscode.window.createTreeView(MEMORIES_VIEW_ID, {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
  });
  const unsubscribe = scopes?.onDidChange(() => {
    marks.outdate();
    tree.refresh();
  });
  return vscode.Disposable.from(view, tree, registerSharedBadge(), {
    dispose: () => unsubscribe?.(),
  });
}

/** Turns listings into rows. VS Code itself gathers refreshes that come close together. */
export class MemoryTree implements vscode.TreeDataProvider<MemoryNode> {
  readonly #list: () => Promise<readonly ScopeListing[]>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Of the last listing. */
  #parents: ReadonlyMap<string, MemoryNode> = new Map();

  /** `list` must not reject. */
  constructor(list: () => Promise<readonly ScopeListing[]>) {
    this.#list = list;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: MemoryNode): Promise<MemoryNode[]> {
    if (node) return [...childrenOf(node)];
    const top = topNodes(await this.#list());
    this.#parents = parentsById(top);
    return top;
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
}
