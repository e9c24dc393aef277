// The tree "Memories": a row for each scope where there are several, a group for each type with its count, the
// records below, damaged files apart. A scope that cannot be read does not hide the others.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { MEMORIES_VIEW_ID } from '../../manifest.ts';
import { sharedFiles } from '../../memory/folder/gitSharing.ts';
import type { MemoryList } from '../../memory/folder/recordCache.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { plainLine } from '../text/plainText.ts';
import { joinedText } from '../text/joinedText.ts';
import { errorSentence } from '../text/sentenceText.ts';
import { FocusedRows } from './focusedRows.ts';
import { GitMarks } from './gitMarks.ts';
import { nodeId, type MemoryNode } from './memoryNodes.ts';
import { isParent, MemoryRows } from './memoryRows.ts';
import { registerSharedBadge } from './memoryTreeItem.ts';
import { OpenRows } from './openRows.ts';
import { rowDrag, type OnDrop } from './rowDrag.ts';
import { focusRow, searchText, TreeSearch } from './treeSearch.ts';

interface MemoryTreeOptions {
  /** Undefined in a workspace that is not trusted: the tree is empty and VS Code shows the welcome text. */
  readonly scopes: MemoryScopes | undefined;
  /** Of the workspace: keeps which rows are open. */
  readonly memento?: vscode.Memento | undefined;
  readonly onDrop: OnDrop;
  readonly log: Log;
}

export interface MemoryTree extends vscode.Disposable {
  /** Asks for words, and shows the memories that hold them while the person types. */
  search(): Promise<void>;
  clearSearch(): Promise<void>;
  /** Opens the view and selects the row of a file. False when there is no such memory. */
  show(path: string): Promise<boolean>;
  /** Marks what was recalled for the last request, and nothing else. */
  markRecalled(paths: readonly string[]): void;
  /** The rows that a key in the tree is meant for. */
  focusedRows(): readonly MemoryNode[];
}

const NOTHING: MemoryList = { records: [], damaged: [] };
/** Ages are told in hours at their finest. */
const AGING_MS = 60 * 60_000;

export function registerMemoryTree(options: MemoryTreeOptions): MemoryTree {
  const { scopes, memento, onDrop, log } = options;
  const marks = new GitMarks({ ask: sharedFiles, onLate: () => freshness.refresh(), log });
  const openRows = new OpenRows(memento);
  let problems: readonly string[] = [];
  const tree = new MemoryRows({
    list: async () => {
      const listed = await listScopes(scopes?.all ?? [], log);
      problems = listed.problems;
      return marks.mark(listed.listings);
    },
    openRows,
    now: Date.now,
    onShow: () => say(),
  });
  const view = vscode.window.createTreeView(MEMORIES_VIEW_ID, {
    treeDataProvider: tree,
    canSelectMany: true,
    dragAndDropController: rowDrag(onDrop),
  });
  const say = (): void => {
    const message = problems.length > 0 ? problemText(problems) : searchText(tree);
    if (view.message !== message) view.message = message;
  };
  const focused = new FocusedRows<MemoryNode>(nodeId);
  const search = new TreeSearch(view, tree);
  const freshness = keepFresh(view, tree);
  const unsubscribe = scopes?.onDidChange(() => {
    marks.outdate();
    freshness.refresh();
  });
  const keepOpen = (row: MemoryNode, isOpen: boolean): void => {
    // A search opens what it finds, which says nothing of how the tree is to be without it.
    if (isParent(row) && !row.isFiltered) void openRows.keep(nodeId(row), isOpen);
  };
  const subscriptions = vscode.Disposable.from(
    view,
    tree,
    freshness,
    view.onDidChangeSelection(({ selection }) => focused.select(selection)),
    view.onDidCollapseElement(({ element }) => keepOpen(element, false)),
    view.onDidExpandElement(({ element }) => keepOpen(element, true)),
    registerSharedBadge(),
  );
  return {
    search: () => search.ask(),
    clearSearch: () => search.clear(),
    async show(path) {
      await tree.listAnew();
      if (tree.query !== '' && !(await tree.rowOf(path))) search.searchFor('');
      const row = await tree.rowOf(path);
      if (row) await focusRow(view, row);
      return row !== undefined;
    },
    markRecalled: (paths) => tree.markRecalled(paths),
    focusedRows: () => focused.take(),
    dispose() {
      unsubscribe?.();
      subscriptions.dispose();
    },
  };
}

/** What nobody sees is not looked at; it is made up for when the view is opened. */
function keepFresh(
  view: vscode.TreeView<MemoryNode>,
  tree: MemoryRows,
): vscode.Disposable & { readonly refresh: () => void } {
  let isOutdated = false;
  const refresh = (): void => {
    isOutdated = !view.visible;
    if (view.visible) tree.refresh();
  };
  const age = (): void => {
    if (view.visible) tree.redraw();
  };
  const aging = setInterval(age, AGING_MS);
  const onVisible = view.onDidChangeVisibility(() => (isOutdated ? refresh() : age()));
  return {
    refresh,
    dispose() {
      clearInterval(aging);
      onVisible.dispose();
    },
  };
}

async function listScopes(scopes: readonly Scope[], log: Log) {
  const problems: string[] = [];
  const listings = scopes.map(async (scope) => {
    try {
      return { scope, list: await scope.store.list() };
    } catch (error) {
      log.error(`[tree] The memories cannot be listed: ${errorText(error)}`);
      problems.push(plainLine(errorSentence(error)));
      return { scope, list: NOTHING };
    }
  });
  return { listings: await Promise.all(listings), problems };
}

function problemText(problems: readonly string[]): string {
  return vscode.l10n.t('The memories cannot be read: {0}', joinedText(problems));
}
