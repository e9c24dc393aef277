// Which skills the agent loaded in a session, from the log alone: their texts leave the history when it is compacted.

import { toolCalls } from '../../context/transcript.ts';
import type { Message } from '../../models/model.ts';
import { SKILL_TOOL } from '../tools/loadSkill.ts';

/** As the calls name them, each once, the one loaded last at the end. */
export function loadedSkills(log: readonly Message[]): readonly string[] {
  const failed = new Set<string>();
  for (const { content } of log) {
    for (const block of content)
      if (block.type === 'tool_result' && block.is_error) failed.add(block.tool_use_id);
  }
  const names = new Set<string>();
  for (const { id, name: tool, input } of log.flatMap(toolCalls)) {
    const name = typeof input['name'] === 'string' ? input['name'].trim() : '';
    if (tool !== SKILL_TOOL || name === '' || failed.has(id)) continue;
    names.delete(name);
    names.add(name);
  }
  return [...names];
}
