// What happens to the memories after a reply: extraction, then consolidation when there are many records.
// One run at a time per workspace, in the background; a failure is logged here and never reaches the turn.

import { errorText, type Log } from '../base/log.ts';
import { consolidateMemories, needsConsolidation } from '../memory/consolidation.ts';
import { extractMemories } from '../memory/extraction.ts';
import type { Change } from '../memory/change.ts';
import type { Proposal } from '../memory/proposals.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import type { MemoryStore } from '../memory/store.ts';
import type { Message, Model } from '../models/model.ts';

/** The memories that count in a window whose workspace is trusted. */
export interface OpenMemory {
  readonly scopes: MemoryScopes;
  readonly learning: Learning;
}

export interface Learned {
  /** What extraction and the agent itself saved or updated. */
  readonly saved: readonly Change[];
  /** What consolidation changed, one after the other. */
  readonly consolidated: readonly Change[];
  /** What waits for the person's review. */
  readonly proposed: readonly Proposal[];
  /** What was not saved because it held a secret: the kinds of secret, in words. */
  readonly refusedSecrets: readonly string[];
}

export type LearningStep = 'extraction' | 'consolidation';

export interface LearningRequest {
  readonly messages: readonly Message[];
  /** How many of them were learned from before; asked when the run begins. */
  readonly learned: () => number;
  /** The messages have been looked at; not called when that failed, so that a later turn does it. */
  readonly onLearned: () => void;
  readonly model: Model;
  /** Told when a step begins, and with undefined when the run is over. */
  readonly onStep?: (step: LearningStep | undefined) => void;
}

/** A model that never answers must not hold up what is learned from later turns. */
const DEADLINE_MS = 120_000;

const NOTHING: Learned = { saved: [], consolidated: [], proposed: [], refusedSecrets: [] };

export class Learning {
  readonly #scopes: MemoryScopes;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #deadlineMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { scopes: MemoryScopes; log: Log; deadlineMs?: number }) {
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#scopes = options.scopes;
    this.#log = options.log;
  }

  /** Queues one run behind those under way. Never rejects. */
  learn(request: LearningRequest): Promise<Learned> {
    return this.#queue(async (signal) => {
      try {
        return await this.#run(request, signal);
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#log.error(`[learning] ${errorText(error)}`);
        return NOTHING;
      } finally {
        request.onStep?.(undefined);
      }
    });
  }

  /** Consolidates one store now, for the command. Waits for its turn; rejects with the reason when it failed. */
  consolidate(
    store: MemoryStore,
    model: Model,
    stopped: AbortSignal,
  ): ReturnType<typeof consolidateMemories> {
    const options = { store, model, log: this.#log };
    return this.#queue((signal) =>
      consolidateMemories(options, AbortSignal.any([signal, stopped])),
    );
  }

  /** Ends what is running; nothing begins afterwards. */
  dispose(): void {
    this.#stop.abort();
  }

  async #run(request: LearningRequest, signal: AbortSignal): Promise<Learned> {
    if (signal.aborted) return NOTHING;
    const { messages, model } = request;
    request.onStep?.('extraction');
    const learned = request.learned();
    const { changes } = await extractMemories(
      { store: this.#scopes, model, log: this.#log, messages, learned },
      signal,
    );
    request.onLearned();
    const consolidated: Change[] = [];
    for (const { store } of this.#scopes.all) {
      if (!changes.some(({ record }) => this.#scopes.scopeOf(record)?.store === store)) continue;
      consolidated.push(...(await this.#consolidateFull(store, request, signal)));
    }
    return { ...NOTHING, saved: changes, consolidated };
  }

  /** Consolidates a store that extraction added to, when it holds many records by now. */
  async #consolidateFull(
    store: MemoryStore,
    { model, onStep }: LearningRequest,
    signal: AbortSignal,
  ): Promise<readonly Change[]> {
    try {
      const { records } = await store.list();
      if (!needsConsolidation(records.length)) return [];
      onStep?.('consolidation');
      return (await consolidateMemories({ store, model, log: this.#log }, signal)).changes;
    } catch (error) {
      // What extraction saved stands and must still be told to the person.
      if (!this.#stop.signal.aborted) this.#log.error(`[consolidation] ${errorText(error)}`);
      return [];
    }
  }

  #queue<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const run = this.#last.then(async () => {
      // The reply comes to its end first: looking through the dialogue and the records takes some milliseconds.
      await new Promise(setImmediate);
      const deadline = AbortSignal.timeout(this.#deadlineMs);
      return work(AbortSignal.any([this.#stop.signal, deadline]));
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
