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
  /** Whether it shows no more than what a search has found. */
  readonly isFiltered: boolean;
  readonly children: readonly GroupNode[];
}

export interface GroupNode {
  readonly kind: 'group';
  readonly group: MemoryType | 'damaged';
  readonly scope: Scope;
  readonly isFiltered: boolean;
  readonly children: readonly (RecordNode | DamagedNode)[];
}

export interface RecordNode {
  readonly kind: 'record';
  readonly record: MemoryRecord;
  readonly scope: Scope;
  /** Whether git takes the file. */
  readonly shared: boolean;
  /** Whether it was recalled for the last request. */
  readonly recalled: boolean;
  /** How long ago it was written, in a few characters. */
  readonly age: string;
}

export interface DamagedNode {
  readonly kind: 'damaged';
  readonly damaged: DamagedRecord;
}

export interface ScopeListing {
  readonly scope: Scope;
  readonly list: MemoryList;
  /** File names that git takes. */
  readonly shared: ReadonlySet<string>;
}

/** What the rows show besides what stands on the disk. */
export interface RowView {
  /** Whether the search that holds has found it; undefined without a search. */
  readonly isHit: ((memory: MemoryRecord | DamagedRecord) => boolean) | undefined;
  /** The paths of what was recalled for the last request. */
  readonly recalled: ReadonlySet<string>;
  readonly ageOf: (record: MemoryRecord) => string;
}

/**
 * The rows at the top. A single folder needs no name, so its groups stand there themselves; several folders have a
 * row each. Personal memories have a row when there are any. With nothing at all there is no row. A search leaves out
 * the rows without a hit.
 */
export function topNodes(listings: readonly ScopeListing[], view: RowView): MemoryNode[] {
  const found = listings.map((listing) => hitsIn(listing, view));
  if (found.every(isEmpty)) return [];
  const folders = found.filter(({ scope }) => scope.kind === 'workspace');
  return found.flatMap((listing): readonly MemoryNode[] => {
    const isNeeded = listing.scope.kind === 'workspace' && view.isHit === undefined;
    if (folders.length === 1 && listing.scope.kind === 'workspace')
      return groupNodes(listing, view);
    return isNeeded || !isEmpty(listing) ? [scopeNode(listing, view)] : [];
  });
}

function hitsIn(listing: ScopeListing, { isHit }: RowView): ScopeListing {
  if (!isHit) return listing;
  const { records, damaged } = listing.list;
  return { ...listing, list: { records: records.filter(isHit), damaged: damaged.filter(isHit) } };
}

function isEmpty({ list }: ScopeListing): boolean {
  return list.records.length === 0 && list.damaged.length === 0;
}

function scopeNode(listing: ScopeListing, view: RowView): ScopeNode {
  const { scope, list } = listing;
  return {
    kind: 'scope',
    scope,
    count: list.records.length,
    isFiltered: view.isHit !== undefined,
    children: groupNodes(listing, view),
  };
}

/**
 * The groups of a scope. With at least one record all four types are there, empty ones too unless one searches; the
 * damaged files stand in a group of their own only when there are any.
 */
function groupNodes(listing: ScopeListing, view: RowView): GroupNode[] {
  const { scope, list } = listing;
  const isFiltered = view.isHit !== undefined;
  const byType = Map.groupBy(list.records, ({ type }) => type);
  const types = list.records.length > 0 ? MEMORY_TYPES : [];
  const groups: GroupNode[] = types
    .filter((type) => !isFiltered || byType.has(type))
    .map((group) => ({
      kind: 'group',
      group,
      scope,
      isFiltered,
      children: (byType.get(group) ?? []).map((record) => recordNode(record, listing, view)),
    }));
  if (list.damaged.length > 0) {
    groups.push({
      kind: 'group',
      group: 'damaged',
      scope,
      isFiltered,
      children: list.damaged.map((damaged) => ({ kind: 'damaged', damaged })),
    });
  }
  return groups;
}

function recordNode(
  record: MemoryRecord,
  { scope, shared }: ScopeListing,
  { recalled, ageOf }: RowView,
): RecordNode {
  return {
    kind: 'record',
    record,
    scope,
    shared: shared.has(record.file),
    recalled: recalled.has(record.path),
    age: ageOf(record),
  };
}

export function childrenOf(node: MemoryNode): readonly MemoryNode[] {
  return node.kind === 'scope' || node.kind === 'group' ? node.children : [];
}

/** These rows and all below them, from top to bottom. */
export function withDescendants(nodes: readonly MemoryNode[]): readonly MemoryNode[] {
  return nodes.flatMap((node) => [node, ...withDescendants(childrenOf(node))]);
}

/** The parent of each row below these, by the id of the row. */
export function parentsById(nodes: readonly MemoryNode[]): ReadonlyMap<string, MemoryNode> {
  const pairs = withDescendants(nodes).flatMap((parent) =>
    childrenOf(parent).map((child) => [nodeId(child), parent] as const),
  );
  return new Map(pairs);
}

/** How many of the memories in a group were recalled for the last request. */
export function recalledIn({ children }: GroupNode): number {
  return children.filter((child) => child.kind === 'record' && child.recalled).length;
}

/**
 * The same for a row in every listing, and never the same for two rows of one. An empty row is another than a filled
 * one: VS Code would keep it closed when its first record comes. So is one of a search, which is open whatever the
 * person has closed.
 */
export function nodeId(node: MemoryNode): string {
  switch (node.kind) {
    case 'scope':
    case 'group': {
      const group = node.kind === 'group' ? `/${node.group}` : '';
      const empty = node.children.length === 0 ? '/empty' : '';
      const kind = node.isFiltered ? `found-${node.kind}` : node.kind;
      return `${kind}/${node.scope.store.folder}${group}${empty}`;
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
      return [node.record.hash, node.shared, node.recalled, node.age].join(' ');
    case 'damaged':
      return String(node.damaged.problem);
  }
}
