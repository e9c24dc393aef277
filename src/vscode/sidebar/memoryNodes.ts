// The rows of the memory tree as plain data, built from one listing of every scope so that a row and its children
// always agree. No 'vscode' import; the tree shows these rows and the commands receive them.

import { MEMORY_TYPES } from '../../memory/record.ts';
import type { DamagedRecord, MemoryRecord, MemoryType } from '../../memory/record.ts';
import type { MemoryList } from '../../memory/folder/recordCache.ts';
import type { Scope } from '../../memory/scopes.ts';

export type MemoryNode = ScopeNode | GroupNode | RecordNode | DamagedNode;

export interface ScopeNode {
  readonly kind: 'scope';
  readonly scope: Scope;
  /** Of memories; damaged files are none. */
  readonly count: number;
  readonly children: readonly GroupNode[];
}

export interface GroupNode {
  readonly kind: 'group';
  readonly group: MemoryType | 'damaged';
  readonly scope: Scope;
  /** Whether it is open at first. */
  readonly isOpen: boolean;
  readonly children: readonly (RecordNode | DamagedNode)[];
}

export interface RecordNode {
  readonly kind: 'record';
  readonly record: MemoryRecord;
  readonly scope: Scope;
  /** Whether git takes the file. */
  readonly shared: boolean;
}

interface DamagedNode {
  readonly kind: 'damaged';
  readonly damaged: DamagedRecord;
}

export interface ScopeListing {
  readonly scope: Scope;
  readonly list: MemoryList;
  /** File names that git takes. */
  readonly shared: ReadonlySet<string>;
}

/**
 * The rows at the top. A single folder needs no name, so its groups stand there themselves; several folders have a
 * row each. Personal memories have a row when there are any. With nothing at all there is no row.
 */
export function topNodes(listings: readonly ScopeListing[]): MemoryNode[] {
  if (listings.every(isEmpty)) return [];
  const folders = listings.filter(({ scope }) => scope.kind === 'workspace');
  // VS Code 1.139 loads a tree twice at its start, and the second time it gives rows the children of others where
  // several rows beside each other have open rows below. The last of them is safe.
  const isOpen = folders.length < 2;
  return listings.flatMap((listing): readonly MemoryNode[] => {
    if (listing.scope.kind === 'personal')
      return isEmpty(listing) ? [] : [scopeNode(listing, isOpen)];
    return folders.length === 1 ? groupNodes(listing, isOpen) : [scopeNode(listing, isOpen)];
  });
}

function isEmpty({ list }: ScopeListing): boolean {
  return list.records.length === 0 && list.damaged.length === 0;
}

function scopeNode(listing: ScopeListing, isOpen: boolean): ScopeNode {
  const { scope, list } = listing;
  return {
    kind: 'scope',
    scope,
    count: list.records.length,
    children: groupNodes(listing, isOpen),
  };
}

/**
 * The groups of a scope. With at least one record all four types are there, empty ones too; the damaged files stand
 * in a group of their own only when there are any.
 */
function groupNodes({ scope, list, shared }: ScopeListing, isOpen: boolean): GroupNode[] {
  const types = list.records.length > 0 ? MEMORY_TYPES : [];
  const groups: GroupNode[] = types.map((group) => ({
    kind: 'group',
    group,
    scope,
    isOpen,
    children: list.records
      .filter((record) => record.type === group)
      .map((record) => ({ kind: 'record', record, scope, shared: shared.has(record.file) })),
  }));
  if (list.damaged.length > 0) {
    groups.push({
      kind: 'group',
      group: 'damaged',
      scope,
      isOpen,
      children: list.damaged.map((damaged) => ({ kind: 'damaged', damaged })),
    });
  }
  return groups;
}

export function childrenOf(node: MemoryNode): readonly MemoryNode[] {
  return node.kind === 'scope' || node.kind === 'group' ? node.children : [];
}

/** The parent of each row below these, by the id of the row. */
export function parentsById(nodes: readonly MemoryNode[]): ReadonlyMap<string, MemoryNode> {
  const parents = new Map<string, MemoryNode>();
  const visit = (parent: MemoryNode): void => {
    for (const child of childrenOf(parent)) {
      parents.set(nodeId(child), parent);
      visit(child);
    }
  };
  nodes.forEach(visit);
  return parents;
}

/**
 * The same for a row in every listing, and never the same for two rows of one. An empty row is another than a filled
 * one: VS Code would keep it closed when its first record comes.
 */
export function nodeId(node: MemoryNode): string {
  switch (node.kind) {
    case 'scope':
    case 'group': {
      const group = node.kind === 'group' ? `/${node.group}` : '';
      const empty = node.children.length === 0 ? '/empty' : '';
      return `${node.kind}/${node.scope.store.folder}${group}${empty}`;
    }
    case 'record':
      return `file/${node.record.path}`;
    case 'damaged':
      return `file/${node.damaged.path}`;
  }
}

/** The same for rows that look the same. */
export function looksOf(nodes: readonly MemoryNode[]): string {
  return nodes
    .map((node) => [nodeId(node), ownLooks(node), looksOf(childrenOf(node))].join('\n'))
    .join('\n');
}

function ownLooks(node: MemoryNode): string {
  switch (node.kind) {
    case 'scope':
      return node.scope.name;
    case 'group':
      return node.group;
    case 'record':
      return `${node.record.hash} ${node.shared}`;
    case 'damaged':
      return String(node.damaged.problem);
  }
}
