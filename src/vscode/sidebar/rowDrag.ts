// Dragging memories: onto a group to give them its type, onto another place to move them there, and out of the tree,
// where they are files: into an editor, or into the chat.

import * as vscode from 'vscode';
import { MEMORIES_VIEW_ID } from '../../manifest.ts';
import type { MemoryType } from '../../memory/record.ts';
import type { Scope } from '../../memory/scopes.ts';
import type { MemoryNode } from './memoryNodes.ts';

export interface DropTarget {
  readonly scope: Scope;
  /** Undefined where they keep theirs. */
  readonly type: MemoryType | undefined;
}

/** Does not reject: it shows what failed. */
export type OnDrop = (paths: readonly string[], target: DropTarget) => Promise<void>;

/** VS Code's name for what is dragged within a tree. */
const ROWS = `application/vnd.code.tree.${MEMORIES_VIEW_ID.toLowerCase()}`;
const FILES = 'text/uri-list';

export function rowDrag(onDrop: OnDrop): vscode.TreeDragAndDropController<MemoryNode> {
  return {
    dragMimeTypes: [FILES],
    dropMimeTypes: [ROWS],
    handleDrag(rows, data) {
      const paths = rows.flatMap((row) => (row.kind === 'record' ? [row.record.path] : []));
      if (paths.length === 0) return;
      data.set(ROWS, new vscode.DataTransferItem(JSON.stringify(paths)));
      const uris = paths.map((path) => vscode.Uri.file(path).toString());
      data.set(FILES, new vscode.DataTransferItem(uris.join('\r\n')));
    },
    async handleDrop(row, data) {
      const target = row && dropTarget(row);
      const paths = pathsIn(await data.get(ROWS)?.asString());
      if (target && paths.length > 0) await onDrop(paths, target);
    },
  };
}

/** Undefined where nothing can be dropped. On a memory means into its group. */
function dropTarget(row: MemoryNode): DropTarget | undefined {
  switch (row.kind) {
    case 'scope':
      return { scope: row.scope, type: undefined };
    case 'group':
      return row.group === 'damaged' ? undefined : { scope: row.scope, type: row.group };
    case 'record':
      return { scope: row.scope, type: row.record.type };
    case 'damaged':
      return undefined;
  }
}

function pathsIn(json: string | undefined): readonly string[] {
  const paths: unknown = json ? JSON.parse(json) : [];
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}
