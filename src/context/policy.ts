// The numbers of compaction, in one object: those of the tutorial system (in characters and messages), and ours
// for what it does not have. And what they come to for one model, in tokens.

import type { Model } from '../models/model.ts';

export interface CompactionPolicy {
  /** Share of the room for input at which compaction begins. */
  readonly triggerShare: number;
  /** Share of the trigger that compaction aims at, so that the next one is some way off. */
  readonly targetShare: number;

  /** Stage 1: most characters of the newest batch of tool results; the largest go first. */
  readonly batchChars: number;
  readonly largePreviewChars: number;

  /** Stage 2: most messages while the history is over the trigger. */
  readonly maxMessages: number;
  /** Stage 2: messages kept at the beginning and, with `maxMessages`, at the end: 3 + a marker + 46. */
  readonly snipHead: number;

  /** Stage 3: the newest results that are left alone, of those that the model has read. */
  readonly recentResults: number;
  /** Stage 3: a result of at most so many characters is left alone. */
  readonly shortResultChars: number;

  /** Stage 4. */
  readonly fitPreviewChars: number;

  /** After an overflow: messages kept at the end. */
  readonly reactiveTail: number;

  /** Compactions in a row that did not get the history below the trigger, after which there are no more. */
  readonly maxFutile: number;
}

/** The tutorial system's numbers where it has them: 50 messages, 200,000, 2,000 and 1,000 characters. */
export const POLICY: CompactionPolicy = {
  triggerShare: 0.8,
  targetShare: 0.8,
  batchChars: 200_000,
  largePreviewChars: 2_000,
  maxMessages: 50,
  snipHead: 3,
  recentResults: 3,
  shortResultChars: 120,
  fitPreviewChars: 1_000,
  reactiveTail: 5,
  maxFutile: 3,
};

/** What the person set. 0 is "not set". */
export interface CompactionSettings {
  /** Tokens at which compaction begins, in place of the share of the model's window. */
  readonly maxTokens: number;
  /** Messages above which the middle is always cut out, also below the trigger. */
  readonly maxMessages: number;
}

/** Of the messages alone, in estimated tokens. */
export interface Budget {
  /** Compaction begins above it. Not positive when system prompt and tools alone fill the window. */
  readonly trigger: number;
  readonly target: number;
}

/** A model that may put out as much as it may take in must still be left room for input. */
const MAX_OUTPUT_SHARE = 0.25;

/** The tokens, as the model counts them, at which compaction begins: system prompt and tools included. */
export function triggerTokens(
  limits: Model['limits'],
  settings: CompactionSettings,
  policy = POLICY,
): number {
  const reserve = Math.min(limits.output, limits.input * MAX_OUTPUT_SHARE);
  const own = Math.floor((limits.input - reserve) * policy.triggerShare);
  return settings.maxTokens > 0 ? Math.min(settings.maxTokens, limits.input) : own;
}

/**
 * The trigger in estimated tokens of messages. `fixed` is the estimate of system prompt and tools, `factor` the
 * model's tokens per estimated token.
 */
export function budgetOf(options: {
  readonly trigger: number;
  readonly fixed: number;
  readonly factor: number;
  readonly policy?: CompactionPolicy;
}): Budget {
  const { trigger, fixed, factor, policy = POLICY } = options;
  return {
    trigger: Math.floor(trigger / factor) - fixed,
    target: Math.floor((trigger * policy.targetShare) / factor) - fixed,
  };
}
