// Who calls a tool: the turn of a conversation, with what its tools share. A sub-agent is a caller of its own.

import type { Emit } from './events.ts';
import type { SeenFiles } from './seenFiles.ts';

export interface Caller {
  /** What this conversation has read of files. */
  readonly seen: SeenFiles;
  readonly emit: Emit;
  /** Of a sub-agent: what it was given to do, in a few words. */
  readonly task?: string;
  /** Gives a task to a sub-agent and returns its answer. A sub-agent has none of its own. */
  readonly runTask?: RunTask;
}

/** Throws when the task could not be brought to an end; the message tells what was done of it. */
export type RunTask = (task: Task, signal: AbortSignal) => Promise<string>;

export interface Task {
  /** A few words, for the person. */
  readonly title: string;
  /** All that the sub-agent is told. */
  readonly prompt: string;
}
