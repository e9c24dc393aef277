// The numbers of compaction that a test or a model may change, in one object, and what they come to for one model, in
// tokens. Numbers that only one stage needs stand beside it.

import type { Model } from '../models/model.ts';

export interface CompactionPolicy {
  /** Share of the room for input at which compaction begins. */
  readonly triggerShare: number;
  /** Share of the trigger that compaction aims at, so that the next one is some way off. */
  readonly targetShare: number;

  /** Stage 1: most characters of the newest batch of tool results; the largest go first. */
  readonly batchChars: number;
  /** Stage 1 and the mechanical cut: characters that are left of a long result. */
  readonly largePreviewChars: number;

  /** Stage 2: most messages while the history is over the trigger. */
  readonly maxMessages: number;
  /** Stage 2: messages kept at the beginning and, with `maxMessages`, at the end: 3 + a marker + 46. */
  readonly snipHead: number;

  /** Stage 3: the newest results that are left alone, of those that the model has read. */
  readonly recentResults: number;
  /** Stage 3: a result of at most so many characters is left alone. */
  readonly standInForResultChars: number;

  /** Stage 4: characters that are left of a long text. */
  readonly fitPreviewChars: number;

  /** Messages kept at the end after an overflow, and by the mechanical cut. */
  readonly reactiveTail: number;

  /** Runs in a row that gain next to nothing and after which the history does not fit; then there are no more. */
  readonly maxFutile: number;
  /** Summaries in a row that could not be used; then none is asked for until the person writes again. */
  readonly maxRejected: number;
}

/** Those of learn-claude-code (shareAI-lab), chapter s08, where it has them. */
export const POLICY: CompactionPolicy = {
  triggerShare: 0.8,
  targetShare: 0.8,
  batchChars: 200_000,
  largePreviewChars: 2_000,
  maxMessages: 50,
  snipHead: 3,
  recentResults: 3,
  standInForResultChars: 120,
  fitPreviewChars: 1_000,
  reactiveTail: 5,
  maxFutile: 3,
  maxRejected: 3,
};

/** What the person set. 0 is "not set". */
export interface CompactionSettings {
  /** Tokens at which compaction begins, in place of the share of the model's window. */
  readonly maxTokens: number;
  /** Messages above which the middle is always cut out, also below the trigger. */
  readonly maxMessages: number;
}

/** Of the messages alone, in estimated tokens. None is positive when system prompt and tools fill the window. */
export interface Budget {
  /** Compaction begins above it. */
  readonly trigger: number;
  /** Compaction aims at it. */
  readonly target: number;
  /** What the model has not read yet is shortened, and a summary is paid for, only above it. */
  readonly limit: number;
}

/** A model that may put out as much as it may take in must still be left room for input. */
const MAX_OUTPUT_SHARE = 0.25;
/** Of the trigger, which the rest of the history has beside a request that fills much of the window by itself. */
const LEAST_BESIDE_REQUEST = 0.5;

/** Tokens of input beside which the model has room for its answer. */
export function roomForInput({ input, output }: Model['limits']): number {
  return Math.floor(input - Math.min(output, input * MAX_OUTPUT_SHARE));
}

/** The tokens, as the model counts them, at which compaction begins: system prompt and tools included. */
export function triggerTokens(
  limits: Model['limits'],
  settings: CompactionSettings,
  { triggerShare } = POLICY,
): number {
  if (settings.maxTokens > 0) return Math.min(settings.maxTokens, limits.input);
  return Math.floor(roomForInput(limits) * triggerShare);
}

/**
 * The budget for messages. `trigger` and `room` are of the whole input and in estimated tokens, as are `fixed`, the
 * system prompt and the tools, and `request`, the current request. Nothing can make a request smaller, so a long
 * one may use the room that is else kept free, and the target is a share of what stands beside it.
 */
export function budgetOf(options: {
  readonly trigger: number;
  readonly room: number;
  readonly fixed: number;
  readonly request: number;
  readonly policy?: CompactionPolicy;
}): Budget {
  const { room, fixed, request, policy = POLICY } = options;
  const wanted = options.trigger - fixed;
  const extended = Math.min(room - fixed, request + wanted * LEAST_BESIDE_REQUEST);
  const trigger = Math.floor(Math.max(wanted, extended));
  const beside = Math.max(0, Math.min(request, trigger));
  const target = Math.floor(beside + (trigger - beside) * policy.targetShare);
  // Beside a request that fills all of it nothing helps, so that what the model has not read is left alone.
  return { trigger, target, limit: request < trigger ? trigger : Infinity };
}
