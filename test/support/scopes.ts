// The memories of a window for tests: one workspace folder, and personal memories in a folder beside its own.

import path from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { ChangeGroup } from '../../src/memory/folder/journal.ts';
import { MemoryScopes } from '../../src/memory/scopes.ts';
import { MemoryStore } from '../../src/memory/store.ts';

export function scopesOf(
  store: MemoryStore,
  personal = new MemoryStore({ folder: `${store.folder}-personal`, log: silentLog }),
): MemoryScopes {
  const scopes = new MemoryScopes({ personal });
  scopes.setWorkspace([{ kind: 'workspace', name: 'work', store }]);
  return scopes;
}

/** Of the stores in this folder. */
export function scopesIn(folder: string): MemoryScopes {
  const storeIn = (name: string) =>
    new MemoryStore({ folder: path.join(folder, name), log: silentLog });
  return scopesOf(storeIn('.memory'), storeIn('personal'));
}

/** Takes back what was changed last, as the command does, and gives it. */
export async function undoLast(scopes: MemoryScopes): Promise<ChangeGroup | undefined> {
  const last = await scopes.lastChange();
  if (last) await scopes.undoChange(last);
  return last;
}
