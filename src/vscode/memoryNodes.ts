// The rows of the memory tree as plain data, built from one listing of the store so that a group and its
// children always agree. No 'vscode' import; the tree shows these rows and the commands receive them.

import path from 'node:path';
import { MEMORY_TYPES } from '../memory/record.ts';
import type { DamagedRecord, MemoryRecord, MemoryType } from '../memory/record.ts';
import type { MemoryList } from '../memory/recordCache.ts';

export type MemoryNode = GroupNode | RecordNode | DamagedNode;

export interface GroupNode {
  readonly kind: 'group';
  readonly group: MemoryType | 'damaged';
  readonly children: readonly (RecordNode | DamagedNode)[];
}

interface RecordNode {
  readonly kind: 'record';
  readonly record: MemoryRecord;
}

interface DamagedNode {
  readonly kind: 'damaged';
  readonly damaged: DamagedRecord;
}

/**
 * The groups of the tree. With at least one record all four types are there, empty ones too; the damaged
 * files stand in a group of their own only when there are any; with nothing at all there is no row.
 */
export function groupNodes(listing: MemoryList): GroupNode[] {
  const types = listing.records.length > 0 ? MEMORY_TYPES : [];
  const groups: GroupNode[] = types.map((group) => ({
    kind: 'group',
    group,
    children: listing.records
      .filter((record) => record.type === group)
      .map((record) => ({ kind: 'record', record })),
  }));
  if (listing.damaged.length > 0) {
    groups.push({
      kind: 'group',
      group: 'damaged',
      children: listing.damaged.map((damaged) => ({ kind: 'damaged', damaged })),
    });
  }
  return groups;
}

/**
 * The same for a row in every listing, and never the same for two rows of one. An empty group is another row
 * than a filled one: VS Code would keep it closed when its first record comes.
 */
export function nodeId(node: MemoryNode): string {
  if (node.kind === 'group') {
    return `group/${node.group}${node.children.length === 0 ? '/empty' : ''}`;
  }
  return `file/${node.kind === 'record' ? node.record.file : node.damaged.file}`;
}

export function groupOf(node: RecordNode | DamagedNode): GroupNode['group'] {
  return node.kind === 'record' ? node.record.type : 'damaged';
}

/**
 * The file name in what a command was given: a row of the tree, or a path. Undefined for a group and for
 * anything else. Only the name is taken, since a row may be older than its file: the caller looks it up.
 */
export function fileOfArgument(value: unknown): string | undefined {
  if (typeof value === 'string') return path.basename(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('record' in value) return fileName(value.record);
  if ('damaged' in value) return fileName(value.damaged);
  return undefined;
}

function fileName(value: unknown): string | undefined {
  const hasFile = typeof value === 'object' && value !== null && 'file' in value;
  return hasFile && typeof value.file === 'string' ? value.file : undefined;
}
