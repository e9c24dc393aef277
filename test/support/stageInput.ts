// What a stage of compaction is given in tests: a real archive, and a history that must not be changed.

import { Archive } from '../../src/context/archive.ts';
import type { OpenTodos } from '../../src/context/openTodos.ts';
import { POLICY, type Budget, type CompactionPolicy } from '../../src/context/policy.ts';
import type { StageInput } from '../../src/context/stage.ts';
import type { Message } from '../../src/models/model.ts';
import { scriptedModel } from './scriptedModel.ts';

export const NEVER_ABORTED = new AbortController().signal;
/** `limit` is the trigger when left out. */
type GivenBudget = Omit<Budget, 'limit'> & Partial<Budget>;

const ALWAYS_OVER: GivenBudget = { trigger: 0, target: 0 };
export const NEVER_OVER: GivenBudget = { trigger: 1_000_000_000, target: 800_000_000 };

export interface StageInputOptions {
  readonly messages: readonly Message[];
  /** Absolute path of a temporary folder. */
  readonly root: string;
  readonly budget?: GivenBudget;
  readonly policy?: Partial<CompactionPolicy>;
  readonly maxMessages?: number;
  readonly changedFiles?: readonly string[];
  readonly openTodos?: OpenTodos;
  readonly said?: readonly string[];
  readonly pointers?: 'relative' | 'absolute';
}

export function stageInput(options: StageInputOptions): StageInput {
  const { messages, root, pointers = 'relative', budget = ALWAYS_OVER, said = [] } = options;
  const archive = new Archive({ root, pointers });
  const log = messages.map((message, index) => ({ id: `m${index}`, message }));
  return {
    messages: deepFrozen(messages),
    budget: { limit: budget.trigger, ...budget },
    policy: { ...POLICY, ...options.policy },
    maxMessages: options.maxMessages ?? 0,
    archive,
    saveTranscript: () => archive.saveTranscript('session', log),
    changedFiles: options.changedFiles ?? [],
    openTodos: () => options.openTodos,
    loadedSkills: () => [],
    said: () => said,
    summariser: scriptedModel(),
    focus: '',
  };
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFrozen(inner);
  return value;
}
