// The system prompt that a session begins with, and gets again when a compaction has broken the prompt cache anyway.

import { errorText } from '../base/log.ts';
import { indexText } from '../memory/folder/memoryIndex.ts';
import { unexpired } from '../memory/recall/recall.ts';
import type { Listing, SessionDeps, SessionRequest } from './sessionDeps.ts';
import { skillIndex } from './skills/skillIndex.ts';
import { systemPrompt } from './systemPrompt.ts';
import { SKILL_TOOL } from './tools/loadSkill.ts';

/** What the next request of a session without a frozen prompt holds. */
export async function newSystemPrompt(
  deps: SessionDeps,
  request: SessionRequest,
  records: Listing,
): Promise<string> {
  return systemPrompt({
    folders: request.folders,
    tools: request.tools,
    skills: await skillLines(deps, request),
    platform: process.platform,
    memory: deps.memory && {
      recall: request.recall,
      extraction: request.extraction,
      hasFolder: deps.memory.scopes.workspace.length > 0,
      // In mode `review` nothing is sent that the person has not seen.
      index: request.recall === 'auto' ? await memoryIndex(deps, records) : '',
    },
  });
}

/** Made from the records, not read from MEMORY.md: that file may have come from elsewhere. */
async function memoryIndex({ log, now }: SessionDeps, list: Listing): Promise<string> {
  try {
    const records = unexpired(await list(), now());
    return records.length > 0 ? indexText(records) : '';
  } catch (error) {
    log.error(`[memory] The index could not be made: ${errorText(error)}`);
    return '';
  }
}

/** Nothing where the tool is not offered: skills are instructions, and only those of a trusted workspace count. */
async function skillLines({ skills: list, log }: SessionDeps, { tools }: SessionRequest) {
  if (!list || !tools.some(({ name }) => name === SKILL_TOOL)) return '';
  const { skills, problems } = await list();
  const damaged = skills.flatMap(({ shown, problem }) => (problem ? [`${shown}: ${problem}`] : []));
  for (const problem of [...problems, ...damaged]) log.warn(`[skills] ${problem}`);
  return skillIndex(skills);
}
