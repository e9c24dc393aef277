// Memory: Undo Last Consolidation, also after a reload and of another window.

import type { MemoryScopes } from '../memory/scopes.ts';

export async function undoConsolidation(_scopes: MemoryScopes): Promise<void> {}
