// Sends a request again while nothing of its reply was seen, visibly and with a cap. A reply that has begun is
// never asked for twice: what was shown would come again, in other words.

import { setTimeout as delay } from 'node:timers/promises';
import { MAX_RETRY_AFTER_MS, modelErrorOf, type Verdict } from './claudeErrors.ts';
import { ModelError, type ModelEvent } from './model.ts';

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Thrown by an attempt that failed before its first byte, for a reason that may pass. */
export class PassingFailure extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict, cause: unknown) {
    super(String(verdict.message), { cause });
    this.verdict = verdict;
  }
}

/** With waits of 1, 2 and 4 s: long enough for a hiccup, short enough that a person still waits. */
const ATTEMPTS = 4;
const FIRST_DELAY_MS = 1000;

export async function* withRetries(
  attempt: () => AsyncIterable<ModelEvent>,
  sleep: Sleep,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  for (let number = 1; ; number += 1) {
    try {
      yield* attempt();
      return;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      const { verdict, cause } = error;
      const delayMs = verdict.retryAfterMs ?? FIRST_DELAY_MS * 2 ** (number - 1);
      if (number === ATTEMPTS || delayMs > MAX_RETRY_AFTER_MS) throw modelErrorOf(verdict, cause);
      const { reason } = verdict;
      yield { type: 'retrying', attempt: number + 1, attempts: ATTEMPTS, delayMs, reason };
      await sleepUnlessCancelled(sleep, delayMs, signal);
    }
  }
}

export const realSleep: Sleep = async (milliseconds, signal) => {
  await delay(milliseconds, undefined, { signal });
};

async function sleepUnlessCancelled(sleep: Sleep, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) throw new ModelError('cancelled', 'Cancelled.', { cause: signal.reason });
}
