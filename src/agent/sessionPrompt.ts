// The system prompt that a session begins with, and gets again when a compaction has broken the prompt cache anyway.

import { errorText, type Log } from '../base/log.ts';
import { indexText } from '../memory/memoryIndex.ts';
import type { Listing, SessionDeps, SessionRequest } from './sessionDeps.ts';
import { systemPrompt } from './systemPrompt.ts';

/** What the next request of a session without a frozen prompt holds. */
export async function newSystemPrompt(
  deps: SessionDeps,
  request: SessionRequest,
  records: Listing,
): Promise<string> {
  return systemPrompt({
    folders: request.folders,
    tools: request.tools,
    platform: process.platform,
    memory: deps.memory && {
      index: request.recall === 'off' ? '' : await memoryIndex(records, deps.log),
      saves: request.extraction === 'auto' && deps.memory.scopes.workspace.length > 0,
    },
  });
}

/** Made from the records, not read from MEMORY.md: that file may have come from elsewhere. */
async function memoryIndex(list: Listing, log: Log): Promise<string> {
  try {
    const records = await list();
    return records.length > 0 ? indexText(records) : '';
  } catch (error) {
    log.error(`[memory] The index could not be made: ${errorText(error)}`);
    return '';
  }
}
