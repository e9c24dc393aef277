// What is remembered of the compactions of one session with one model: how its tokens relate to the estimate, and
// what has proved to be no use.

import { messageText, type Message } from '../models/model.ts';
import { Breaker } from './breaker.ts';
import { Calibration } from './calibration.ts';
import type { CompactionRequest } from './compaction.ts';
import { measure, measureMessage } from './measure.ts';
import {
  budgetOf,
  roomForInput,
  triggerTokens,
  type Budget,
  type CompactionPolicy,
} from './policy.ts';
import { lastRequestIndex } from './transcript.ts';

/** Of a history that was too long, by which the next one must be smaller. */
const BELOW_OVERFLOW = 0.9;

export class CompactionState {
  readonly calibration = new Calibration();
  readonly breaker: Breaker;
  readonly #policy: CompactionPolicy;
  #request = '';
  #rejected = 0;

  constructor(policy: CompactionPolicy) {
    this.#policy = policy;
    this.breaker = new Breaker(policy.maxFutile);
  }

  /** Whether a summary is worth a question, or the last ones could not be used. */
  get mayAsk(): boolean {
    return this.#rejected < this.#policy.maxRejected;
  }

  /** Takes in what the person asks now: what did not help with one request may help with the next. */
  look({ messages }: CompactionRequest): void {
    const current = messages[lastRequestIndex(messages)];
    const words = current ? messageText(current) : '';
    if (words === this.#request) return;
    this.#request = words;
    this.#rejected = 0;
    this.breaker.close();
  }

  summarised(outcome: 'used' | 'rejected'): void {
    this.#rejected = outcome === 'used' ? 0 : this.#rejected + 1;
  }

  budget({ messages, fixed, limits, settings }: CompactionRequest): Budget {
    const current = messages[lastRequestIndex(messages)];
    const estimated = (tokens: number) =>
      Math.min(tokens / this.calibration.factor, this.calibration.tooMany * BELOW_OVERFLOW);
    return budgetOf({
      trigger: estimated(triggerTokens(limits, settings, this.#policy)),
      room: estimated(roomForInput(limits)),
      fixed,
      request: current ? measureMessage(current) : 0,
      policy: this.#policy,
    });
  }

  /** Of the whole input, as the model counts them. */
  tokens({ fixed }: CompactionRequest, messages: readonly Message[]): number {
    return Math.round((fixed + measure(messages)) * this.calibration.factor);
  }
}
