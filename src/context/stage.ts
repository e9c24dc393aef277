// One stage of compaction: a shorter history, or undefined when there is nothing for it to do. A stage never
// changes its input, parts a call from its result, changes a word of the current request, or makes the history larger.

import type { Message, Model } from '../models/model.ts';
import type { Archive } from './archive.ts';
import { measure } from './measure.ts';
import type { OpenTodos } from './openTodos.ts';
import type { Budget, CompactionPolicy } from './policy.ts';

export type StageName =
  'toolResultBudget' | 'snip' | 'micro' | 'fit' | 'summarise' | 'mechanicalCut';

export interface StageInput {
  readonly messages: readonly Message[];
  readonly budget: Budget;
  readonly policy: CompactionPolicy;
  /** The person's setting: more messages are always too many. 0 when not set. */
  readonly maxMessages: number;
  readonly archive: Archive;
  /** Adds the session's log to its transcript, and returns the absolute path. Called before messages leave. */
  readonly saveTranscript: () => Promise<string>;
  /** Files that the agent wrote in this session, newest last, as its tools name them. */
  readonly changedFiles: readonly string[];
  /** The agent's checklist, if there ever was one. */
  readonly openTodos: () => OpenTodos | undefined;
  /** Names of the skills that the agent loaded in this session, newest last. */
  readonly loadedSkills: () => readonly string[];
  /** What the person wrote in this session, oldest first. */
  readonly said: () => readonly string[];
  readonly summariser: Model;
  /** What the person wants a summary to keep, in their words. */
  readonly focus: string;
}

export interface StageResult {
  readonly messages: readonly Message[];
  /** Absolute path of the transcript, or of one of the texts that were archived. */
  readonly archive: string;
}

export interface Stage {
  readonly name: StageName;
  /** May throw `ModelError` of kind `cancelled`, and does throw when the archive could not be written. */
  run(input: StageInput, signal: AbortSignal): Promise<StageResult | undefined>;
}

export function isOver({ messages, budget }: StageInput): boolean {
  return measure(messages) > budget.trigger;
}

/** Whether more is needed than what costs the model nothing that it has not read. */
export function isOverLimit({ messages, budget }: StageInput): boolean {
  return measure(messages) > budget.limit;
}
