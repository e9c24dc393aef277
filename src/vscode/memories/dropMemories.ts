// Memories dropped in the tree: onto a group, whose type they take, and perhaps in another place. One change to undo.

import { randomUUID } from 'node:crypto';
import type { Change } from '../../memory/change.ts';
import type { MemoryRecord, MemoryType } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';

interface Drop {
  readonly paths: readonly string[];
  readonly target: {
    readonly scope: Scope;
    /** Undefined where they keep theirs. */
    readonly type: MemoryType | undefined;
  };
}

/** `notify` is told of what was changed, also when something failed behind it. */
export async function dropMemories(
  scopes: MemoryScopes,
  { paths, target }: Drop,
  notify: (changes: readonly Change[]) => void,
): Promise<void> {
  const { records } = await scopes.list();
  const changes: Change[] = [];
  const group = randomUUID();
  try {
    for (const record of records.filter(({ path }) => paths.includes(path))) {
      const moved = await moveTo(record);
      const { type = moved.type } = target;
      if (type !== moved.type) changes.push(await scopes.update(moved, { type }, group));
    }
  } finally {
    if (changes.length > 0) notify(changes);
  }

  async function moveTo(record: MemoryRecord): Promise<MemoryRecord> {
    if (scopes.scopeOf(record) === target.scope) return record;
    const move = await scopes.move(record, target.scope, group);
    changes.push(...move);
    return move[0].record;
  }
}
