// The tools over the skills of a workspace. What they give are instructions, so they are for a trusted one only.

import type { Tool } from './tools.ts';
import { createLoadSkill } from './tools/loadSkill.ts';
import type { Workspace } from './workspace.ts';

export function createSkillTools(workspace: Workspace): readonly Tool[] {
  return [createLoadSkill(workspace)];
}
