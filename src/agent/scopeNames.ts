// Whose a memory is, as a model is told of it.

import type { MemoryRecord } from '../memory/record.ts';
import type { MemoryScopes } from '../memory/scopes.ts';

/** The name of a record's scope, where it has to be told: its path does not say it. */
export function scopeNames(scopes: MemoryScopes): (record: MemoryRecord) => string | undefined {
  return (record) => {
    const scope = scopes.scopeOf(record);
    if (scope?.kind === 'personal') return 'personal';
    return scopes.workspace.length > 1 ? scope?.name : undefined;
  };
}
