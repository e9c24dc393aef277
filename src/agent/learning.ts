// What happens to the memories after a reply: extraction, then consolidation when there are many records.
// One run at a time per workspace, in the background; a failure is logged here and never reaches the turn.

import { errorText, type Log } from '../base/log.ts';
import { consolidateMemories, needsConsolidation } from '../memory/consolidation.ts';
import { extractMemories } from '../memory/extraction.ts';
import type { Change } from '../memory/change.ts';
import type { MemoryStore } from '../memory/store.ts';
import type { Message, Model } from '../models/model.ts';

/** The memories of a workspace that is open and trusted. */
export interface OpenMemory {
  readonly store: MemoryStore;
  readonly learning: Learning;
}

export interface Learned {
  /** What extraction saved or updated. */
  readonly extracted: readonly Change[];
  /** What consolidation changed, one after the other. */
  readonly consolidated: readonly Change[];
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

const NOTHING: Learned = { extracted: [], consolidated: [] };

export class Learning {
  readonly #store: MemoryStore;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #deadlineMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { store: MemoryStore; log: Log; deadlineMs?: number }) {
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#store = options.store;
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

  /** Consolidates now, for the command. Waits for its turn; rejects with the reason when it failed. */
  consolidate(model: Model, stopped: AbortSignal): ReturnType<typeof consolidateMemories> {
    const options = { store: this.#store, model, log: this.#log };
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
    const options = { store: this.#store, model: request.model, log: this.#log };
    request.onStep?.('extraction');
    const { messages } = request;
    const learned = request.learned();
    const { changes } = await extractMemories({ ...options, messages, learned }, signal);
    request.onLearned();
    const extracted = { extracted: changes, consolidated: [] };
    if (changes.length === 0) return extracted;
    const { records } = await this.#store.list();
    if (!needsConsolidation(records.length)) return extracted;
    request.onStep?.('consolidation');
    try {
      const consolidation = await consolidateMemories(options, signal);
      return { extracted: changes, consolidated: consolidation.changes };
    } catch (error) {
      // What extraction saved stands and must still be told to the person.
      if (!this.#stop.signal.aborted) this.#log.error(`[consolidation] ${errorText(error)}`);
      return extracted;
    }
  }

  #queue<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const run = this.#last.then(() => {
      const deadline = AbortSignal.timeout(this.#deadlineMs);
      return work(AbortSignal.any([this.#stop.signal, deadline]));
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
