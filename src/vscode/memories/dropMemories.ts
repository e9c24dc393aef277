// Memories dropped in the tree: onto a group, whose type they take, and perhaps in another place. One change to undo. No
// 'vscode' import.

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

type Work = (some: readonly MemoryRecord[]) => Promise<readonly { readonly error: unknown }[]>;

interface Told {
  /** Does the work for some after the others. */
  readonly workThrough: (records: readonly MemoryRecord[], work: Work) => Promise<void>;
  /** Is told of what was changed, also when something failed behind it. */
  readonly notify: (changes: readonly Change[]) => void;
}

export async function dropMemories(
  scopes: MemoryScopes,
  { paths, target: { scope, type } }: Drop,
  { workThrough, notify }: Told,
): Promise<void> {
  const { records } = await scopes.list();
  const changes: Change[] = [];
  const group = randomUUID();
  const dropped = new Set(paths);
  const isHere = (record: MemoryRecord) => scopes.scopeOf(record) === scope;
  try {
    await workThrough(
      records.filter(({ path }) => dropped.has(path)),
      async (some) => {
        const others = some.filter((record) => !isHere(record));
        const moved = await scopes.moveAll(others, scope, group);
        changes.push(...moved.done.flat());
        if (!type) return moved.failures;
        const here = [...some.filter(isHere), ...moved.done.map(([{ record }]) => record)];
        const ofOtherType = here.filter((record) => record.type !== type);
        const updated = await scopes.updateAll(ofOtherType, { type }, group);
        changes.push(...updated.done);
        return [...moved.failures, ...updated.failures];
      },
    );
  } finally {
    if (changes.length > 0) notify(changes);
  }
}
