// The tree "Memories": a group for each type with its count, the records below, damaged files apart.
// What stands in a record is shown as plain text, since a cloned repository can bring records of its own.

import * as vscode from 'vscode';
import { errorText } from '../base/log.ts';
import type { Log } from '../base/log.ts';
import { MEMORIES_VIEW_ID, TREE_CONTEXT } from '../manifest.ts';
import type { DamagedRecord, MemoryRecord } from '../memory/record.ts';
import type { MemoryList } from '../memory/recordCache.ts';
import type { MemoryStore } from '../memory/store.ts';
import { groupNodes, groupOf, nodeId } from './memoryNodes.ts';
import type { GroupNode, MemoryNode } from './memoryNodes.ts';
import { plainLine, plainMarkdown } from './plainText.ts';
import { recordTooltip } from './recordTooltip.ts';

const GROUP_ICONS: Record<GroupNode['group'], string> = {
  user: 'account',
  feedback: 'feedback',
  project: 'project',
  reference: 'link',
  damaged: 'error',
};

interface MemoryTreeOptions {
  /** Undefined while no trusted folder is open: the tree is empty and VS Code shows the welcome text. */
  readonly store: MemoryStore | undefined;
  readonly log: Log;
}

export function registerMemoryTree({ store, log }: MemoryTreeOptions): vscode.Disposable {
  const tree = new MemoryTree(async () => {
    try {
      const listing = await store?.list();
      view.message = '';
      return listing ?? NOTHING;
    } catch (error) {
      log.error(`[tree] The memories cannot be listed: ${errorText(error)}`);
      const reason = plainLine(errorText(error));
      view.message = vscode.l10n.t('The memories cannot be read: {0}', reason);
      return NOTHING;
    }
  });
  const view = vscode.window.createTreeView(MEMORIES_VIEW_ID, {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
  });
  const unsubscribe = store?.onDidChange(() => tree.refresh());
  return vscode.Disposable.from(view, tree, { dispose: () => unsubscribe?.() });
}

const NOTHING: MemoryList = { records: [], damaged: [] };

/** Turns listings into rows. VS Code itself gathers refreshes that come close together. */
export class MemoryTree implements vscode.TreeDataProvider<MemoryNode> {
  readonly #list: () => Promise<MemoryList>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Of the last listing, for getParent. */
  #groups: GroupNode[] = [];

  /** `list` must not reject. */
  constructor(list: () => Promise<MemoryList>) {
    this.#list = list;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: MemoryNode): Promise<MemoryNode[]> {
    if (node) return node.kind === 'group' ? [...node.children] : [];
    this.#groups = groupNodes(await this.#list());
    return this.#groups;
  }

  getParent(node: MemoryNode): MemoryNode | undefined {
    if (node.kind === 'group') return undefined;
    return this.#groups.find((candidate) => candidate.group === groupOf(node));
  }

  getTreeItem(node: MemoryNode): vscode.TreeItem {
    const item = itemFor(node);
    item.id = nodeId(node);
    return item;
  }

  /** The hover, made when it is asked for: thousands of rows need none. */
  resolveTreeItem(item: vscode.TreeItem, node: MemoryNode): vscode.TreeItem {
    if (node.kind === 'record') item.tooltip = recordTooltip(node.record);
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function itemFor(node: MemoryNode): vscode.TreeItem {
  if (node.kind === 'group') return groupItem(node);
  return node.kind === 'record' ? recordItem(node.record) : damagedItem(node.damaged);
}

function groupItem({ group, children }: GroupNode): vscode.TreeItem {
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  const label = groupLabel(group);
  const item = new vscode.TreeItem(label, children.length > 0 ? Expanded : None);
  item.description = String(children.length);
  item.iconPath = new vscode.ThemeIcon(GROUP_ICONS[group]);
  item.contextValue = TREE_CONTEXT.group;
  item.tooltip = groupMeaning(group);
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, number of memories: {1}', label, children.length),
  };
  return item;
}

function recordItem(record: MemoryRecord): vscode.TreeItem {
  const item = fileItem(record.name, record.path);
  item.description = record.description;
  item.iconPath = new vscode.ThemeIcon(record.pinned ? 'pinned' : 'note');
  item.contextValue = TREE_CONTEXT.record;
  item.accessibilityInformation = { label: `${record.name}, ${record.description}` };
  return item;
}

function damagedItem({ file, path, problem }: DamagedRecord): vscode.TreeItem {
  const item = fileItem(file, path);
  item.description = problem;
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
  item.contextValue = TREE_CONTEXT.damaged;
  item.tooltip = new vscode.MarkdownString(
    plainMarkdown(
      vscode.l10n.t('{0} is not a readable memory: {1}\nOpen it to fix it.', file, problem),
    ),
  );
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, damaged: {1}', file, problem) };
  return item;
}

function fileItem(label: string, path: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.file(path), { preview: true }],
  };
  return item;
}

function groupLabel(group: GroupNode['group']): string {
  // The four types are the words that stand in the files, so they are not translated.
  return group === 'damaged' ? vscode.l10n.t('Damaged') : group;
}

function groupMeaning(group: GroupNode['group']): string {
  const meanings: Record<GroupNode['group'], string> = {
    user: vscode.l10n.t('What you like, and how you work'),
    feedback: vscode.l10n.t('Guidance you gave on how the work is done'),
    project: vscode.l10n.t('Facts about this project'),
    reference: vscode.l10n.t('Where something is to be found'),
    damaged: vscode.l10n.t('Files that cannot be read as memories'),
  };
  return meanings[group];
}
