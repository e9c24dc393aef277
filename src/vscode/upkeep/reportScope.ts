// Names the scope of a file in a report, where there is more than one to tell apart.

import path from 'node:path';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { scopesWithRecords } from '../picks/chooseScope.ts';
import type { ScopeOf } from './reportParts.ts';
import { scopeLabel } from '../text/scopeLabel.ts';

export async function scopeNames(scopes: MemoryScopes): Promise<ScopeOf> {
  const { all } = scopes;
  if ((await scopesWithRecords(all)).length <= 1) return () => undefined;
  return (file) => {
    const scope = all.find(({ store }) => file.startsWith(store.folder + path.sep));
    return scope && scopeLabel(scope);
  };
}
