// What the tools over the memories work on.

import type { Log } from '../../base/log.ts';
import type { Mode } from '../../memory/mode.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';
import type { OpenMemory } from '../learning/learning.ts';

/** Asked at each call: the person may have changed it since the tool was offered. */
export interface MemoryAccess {
  /** Undefined when the workspace is not trusted. */
  readonly memory: () => OpenMemory | undefined;
  readonly recall: () => Mode;
  readonly extraction: () => Mode;
  readonly sessions: Pick<SessionStore, 'running'>;
  /** The agent's working folder: paths are told relative to it. */
  readonly folder: () => string | undefined;
  readonly now: () => Date;
  readonly log: Log;
}
