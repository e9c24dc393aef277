// What VS Code asks of the memory tree: rows, made of one listing of every scope. The disk is read when something has
// changed, and not when one searches, a memory is recalled or time goes by.

import * as vscode from 'vscode';
import type { MemoryRecord } from '../../memory/record.ts';
import { writtenAt } from '../../memory/recordTime.ts';
import { coalesce } from '../host/coalesce.ts';
import { shortAge } from '../text/relativeTime.ts';
import {
  childrenOf,
  looksOf,
  nodeId,
  parentsById,
  topNodes,
  withDescendants,
} from './memoryNodes.ts';
import type {
  GroupNode,
  MemoryNode,
  RecordNode,
  RowView,
  ScopeListing,
  ScopeNode,
} from './memoryNodes.ts';
import { searchFor } from './memorySearch.ts';
import { treeItem } from './memoryTreeItem.ts';
import type { OpenRows } from './openRows.ts';
import { recordTooltip } from './recordTooltip.ts';

interface MemoryRowsOptions {
  /** Must not reject. */
  readonly list: () => Promise<readonly ScopeListing[]>;
  readonly openRows: OpenRows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** There are other rows, or other counts. */
  readonly onShow?: () => void;
}

/** Tells VS Code only of rows that look different: it takes all down to rebuild them. */
export class MemoryRows implements vscode.TreeDataProvider<MemoryNode> {
  readonly #options: MemoryRowsOptions;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Undefined until VS Code asks for rows. */
  #loaded: Promise<void> | undefined;
  #listings: readonly ScopeListing[] | undefined;
  #top: readonly MemoryNode[] = [];
  /** Of the rows that are shown. */
  #parents: ReadonlyMap<string, MemoryNode> = new Map();
  #query = '';
  #isHit: RowView['isHit'];
  #recalled: ReadonlySet<string> = new Set();

  constructor(options: MemoryRowsOptions) {
    this.#options = options;
  }

  /** What is searched for; empty when nothing is. */
  get query(): string {
    return this.#query;
  }

  /** How many memories have a row, of how many there are. */
  get counts(): { readonly shown: number; readonly all: number } {
    const lists = (this.#listings ?? []).map(({ list }) => list.records.length);
    return {
      shown: withDescendants(this.#top).filter(({ kind }) => kind === 'record').length,
      all: lists.reduce((sum, count) => sum + count, 0),
    };
  }

  /** Something has changed on the disk. */
  readonly refresh = coalesce(() => this.listAnew());

  /** The same, to wait for. Does nothing as long as no row was asked for. */
  async listAnew(): Promise<void> {
    if (!this.#loaded) return;
    await this.#loaded;
    this.#listings = await this.#options.list();
    this.redraw();
  }

  search(query: string): void {
    this.#query = query.trim();
    this.#isHit = searchFor(query);
    this.redraw();
  }

  /** These memories stand in the conversation for the last request, and no others. */
  markRecalled(paths: readonly string[]): void {
    this.#recalled = new Set(paths);
    this.redraw();
  }

  /** For what changes by itself: how long ago things were. */
  redraw(): void {
    if (!this.#listings) return;
    const top = topNodes(this.#listings, this.#view());
    const isNew = looksOf(top) !== looksOf(this.#top);
    if (isNew) this.#show(top);
    this.#options.onShow?.();
    if (isNew) this.#changed.fire(undefined);
  }

  /** The row of a file, when it is shown. */
  async rowOf(path: string): Promise<MemoryNode | undefined> {
    await this.#load();
    return withDescendants(this.#top).find(
      (row) =>
        (row.kind === 'record' && row.record.path === path) ||
        (row.kind === 'damaged' && row.damaged.path === path),
    );
  }

  /** The first memory from the top. */
  firstMemory(): RecordNode | undefined {
    return withDescendants(this.#top).find((row) => row.kind === 'record');
  }

  async getChildren(row?: MemoryNode): Promise<MemoryNode[]> {
    if (row) return [...childrenOf(row)];
    await this.#load();
    return [...this.#top];
  }

  getParent(row: MemoryNode): MemoryNode | undefined {
    return this.#parents.get(nodeId(row));
  }

  getTreeItem(row: MemoryNode): vscode.TreeItem {
    const item = treeItem(row, this.#options.now());
    if (isParent(row)) item.collapsibleState = this.#collapsibleState(row);
    return item;
  }

  /** The hover, made when it is asked for: thousands of rows need none. */
  resolveTreeItem(item: vscode.TreeItem, row: MemoryNode): vscode.TreeItem {
    if (row.kind === 'record') item.tooltip = recordTooltip(row, this.#options.now());
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #collapsibleState(row: ScopeNode | GroupNode): vscode.TreeItemCollapsibleState {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if (row.children.length === 0) return None;
    const isOpen = this.#options.openRows.isOpen(nodeId(row)) ?? true;
    return isOpen ? Expanded : Collapsed;
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#options.list().then((listings) => {
      this.#listings = listings;
      this.#show(topNodes(listings, this.#view()));
      this.#options.onShow?.();
    });
    return this.#loaded;
  }

  #view(): RowView {
    const now = this.#options.now();
    return {
      isHit: this.#isHit,
      recalled: this.#recalled,
      ageOf: (record: MemoryRecord) => shortAge(writtenAt(record), now),
    };
  }

  #show(top: readonly MemoryNode[]): void {
    this.#top = top;
    this.#parents = parentsById(top);
  }
}

export function isParent(row: MemoryNode): row is ScopeNode | GroupNode {
  return row.kind === 'scope' || row.kind === 'group';
}
