// The tools over the memories: in the one order they are ever shown to a model.

import type { Tool } from './tools.ts';
import type { MemoryAccess } from './tools/memoryAccess.ts';
import { createSaveMemory } from './tools/saveMemory.ts';
import { createSearchMemory } from './tools/searchMemory.ts';

export function createMemoryTools(access: MemoryAccess): readonly Tool[] {
  return [createSaveMemory(access), createSearchMemory(access)];
}
