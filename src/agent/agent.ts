// All that is the agent's own in a window: its tools, its skills, what it has read, the compaction of its
// conversations. Read from the disk when it is first asked for something.

import { Compactor } from '../context/compactor.ts';
import { createMemoryTools } from './memoryTools.ts';
import { SeenFilesOfSessions } from './seenFiles.ts';
import type { SessionDeps } from './sessionDeps.ts';
import { createSessionTools } from './sessionTools.ts';
import { createSkillTools } from './skillTools.ts';
import { listSkills } from './skills/skills.ts';
import type { Tool } from './tools.ts';
import type { BashOptions } from './tools/bash.ts';
import type { MemoryAccess } from './tools/memoryAccess.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { createWorkspaceTools } from './workspaceTools.ts';

interface AgentOptions extends BashOptions {
  readonly sessions: SessionStore;
  readonly memoryAccess: MemoryAccess;
}

export interface AgentTools {
  readonly workspace: readonly Tool[];
  readonly session: readonly Tool[];
  readonly memory: readonly Tool[];
  readonly skills: readonly Tool[];
}

export interface Agent extends Required<Pick<SessionDeps, 'compactor' | 'seen' | 'skills'>> {
  readonly tools: AgentTools;
}

export function createAgent({ sessions, memoryAccess, ...options }: AgentOptions): Agent {
  const { workspace } = options;
  return {
    tools: {
      workspace: createWorkspaceTools(options),
      session: createSessionTools(sessions),
      memory: createMemoryTools(memoryAccess),
      skills: createSkillTools(workspace),
    },
    compactor: new Compactor({ log: memoryAccess.log }),
    seen: new SeenFilesOfSessions(),
    skills: () => listSkills(workspace),
  };
}
