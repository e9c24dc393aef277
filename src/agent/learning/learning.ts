// What happens to the memories after a reply: extraction from this turn and from those that were left over, then
// consolidation when there are many records. One run at a time per workspace, in the background; a failure is logged
// here, tried again later, and never reaches the turn.

import { whenAborted } from '../../base/aborted.ts';
import { InOrder } from '../../base/inOrder.ts';
import { errorText, type Log } from '../../base/log.ts';
import type { Change } from '../../memory/change.ts';
import type { PlannedChange } from '../../memory/consolidation/changeSet.ts';
import {
  applyConsolidation,
  consolidateMemories,
} from '../../memory/consolidation/consolidation.ts';
import { isConsolidationDue } from '../../memory/consolidation/consolidationGate.ts';
import {
  planConsolidation,
  type ConsolidationPlan,
} from '../../memory/consolidation/consolidationPlan.ts';
import type { Mode } from '../../memory/mode.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import type { MemoryStore } from '../../memory/store.ts';
import type { Model } from '../../models/model.ts';
import type { UnlearnedTurn } from '../../sessions/session.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';
import { isNothing, together, type Learned } from './learned.ts';
import { LearningBacklog, type After } from './learningBacklog.ts';
import { isRefusal, isWorthALook, learnedBefore, lookAt } from './turnExtraction.ts';

/** The memories that count in a window whose workspace is trusted. */
export interface OpenMemory {
  readonly scopes: MemoryScopes;
  readonly learning: Learning;
}

export type LearningStep = 'extraction' | 'consolidation';

/** With what is learned. */
interface Means {
  readonly model: Model;
  readonly mode: Exclude<Mode, 'off'>;
  /** Told when a step begins, and with undefined when the run is over. */
  readonly onStep?: (step: LearningStep | undefined) => void;
}

export interface LearningRequest extends Means {
  readonly turn: UnlearnedTurn;
}

interface LearningOptions {
  readonly scopes: MemoryScopes;
  readonly log: Log;
  /** Knows what was not learned from. Without it nothing is looked at later. */
  readonly sessions?: Pick<SessionStore, 'unlearned'> | undefined;
  /** The setting as it is when a turn is looked at later; without it the mode of the run that failed. */
  readonly mode?: () => Mode;
  /** Told what was learned outside of a turn. */
  readonly onLearnedLater?: (learned: Learned) => void;
  readonly deadlineMs?: number;
  readonly patienceMs?: number;
  readonly after?: After;
  readonly now?: () => Date;
}

/** A model that never answers must not hold up what is learned from later turns. */
const DEADLINE_MS = 120_000;
/** A compaction holds up the answer, so it does not wait for longer. */
const PATIENCE_MS = 20_000;

export class Learning {
  readonly #options: LearningOptions;
  readonly #now: () => Date;
  readonly #backlog: LearningBacklog;
  readonly #stop = new AbortController();
  /** Ids of the turns that a run of their own waits for. */
  readonly #awaited = new Set<string>();
  /** What the next notice tells besides. */
  #collected: Partial<Learned>[] = [];
  readonly #inOrder = new InOrder();

  constructor(options: LearningOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#backlog = new LearningBacklog(options);
  }

  /** Queues one run behind those under way. Gives all that there is to tell of the turn. Never rejects. */
  async learn(request: LearningRequest): Promise<Learned> {
    const { turnId } = request.turn.ref;
    this.#awaited.add(turnId);
    const learned = await this.#run(request, async () => {
      this.#awaited.delete(turnId);
      const others = (await this.#backlog.due()).filter(({ ref }) => ref.turnId !== turnId);
      return { others, turn: request.turn };
    });
    return together([...this.#collected.splice(0), learned]);
  }

  /** Looks at all that was left over, also by windows before this one. Never rejects. */
  async catchUp(means: Means): Promise<Learned> {
    // Without a folder nothing is saved unasked: personal memories are what the person puts there.
    if (this.#options.scopes.workspace.length === 0) return together([]);
    return this.#run(means, async () => ({ others: await this.#backlog.due() }));
  }

  /** What was said up to now, and was left over, is not to be looked at any more. Never rejects. */
  async forgo(): Promise<void> {
    try {
      // Not in the queue: by the time that it gets there, extraction may be on again.
      for (const turn of await this.#backlog.all()) turn.markLearned();
    } catch (error) {
      this.#logFailure('learning', error);
    }
  }

  /**
   * Before something leaves the history of a turn that runs, or is compacted: what the person said in it is looked
   * at, and told with the turn. Waits some seconds at most, or until `signal` is aborted. Never rejects.
   */
  async lookBeforeLeaving(request: LearningRequest, signal: AbortSignal): Promise<void> {
    if (!isWorthALook(request.turn)) return;
    const run = this.#run(request, async () => ({ turn: request.turn }));
    const collected = run.then((learned) => this.collect(learned));
    await Promise.race([collected, this.#patience(signal)]);
  }

  /** Takes note of what else there is to tell with the next turn that is learned from. */
  collect(learned: Partial<Learned>): void {
    this.#collected.push(learned);
  }

  /** Tells at once what was collected, where no turn follows. */
  tellCollected(): void {
    this.#tellLater(together(this.#collected.splice(0)));
  }

  /**
   * What could be consolidated in a store, for a person to pick from. Waits for its turn; rejects with the reason when
   * it failed. It has no deadline, since the person sees it run and can stop it.
   */
  planConsolidation(
    store: MemoryStore,
    model: Model,
    stopped: AbortSignal,
  ): Promise<ConsolidationPlan> {
    const signal = AbortSignal.any([this.#stop.signal, stopped]);
    const { log } = this.#options;
    const options = { store, model, log, now: this.#now, unattended: false };
    return this.#queue(() => planConsolidation(options, signal));
  }

  /** Does what the person picked. Changes with the same `group`, also to other stores, are undone together. */
  applyConsolidation(
    store: MemoryStore,
    changes: readonly PlannedChange[],
    group: string,
  ): ReturnType<typeof applyConsolidation> {
    const options = { store, log: this.#options.log, now: this.#now, group };
    return this.#queue(() => applyConsolidation(changes, options));
  }

  /** Ends what is running; nothing begins afterwards. */
  dispose(): void {
    this.#stop.abort();
    this.#backlog.stop();
  }

  /** Looks at some turns, oldest first, then consolidates. What failed is tried again later. */
  #run(means: Means, choose: () => Promise<Chosen>): Promise<Learned> {
    const run = this.#queue(async () => {
      const parts: Partial<Learned>[] = [];
      const failed: UnlearnedTurn[] = [];
      const look = async (turn: UnlearnedTurn) => {
        try {
          parts.push(await this.#look(turn, means));
          return true;
        } catch (error) {
          parts.push(learnedBefore(error));
          this.#logFailure('learning', error);
          if (!isRefusal(error) || !this.#giveUp(turn)) failed.push(turn);
          // A model that is out of order, most likely, fails for the others as well.
          return isRefusal(error);
        }
      };
      try {
        const { others, turn } = await choose();
        for (const other of others ?? []) {
          if (!this.#awaited.has(other.ref.turnId) && !(await look(other))) break;
        }
        if (turn) await look(turn);
        parts.push({ consolidated: await this.#consolidateGrown(together(parts), means) });
        if (others) this.#tryLater(failed, means);
      } finally {
        means.onStep?.(undefined);
      }
      return together(parts);
    });
    return run.catch((error: unknown) => {
      this.#logFailure('learning', error);
      return together([]);
    });
  }

  #look(turn: UnlearnedTurn, { model, mode, onStep }: Means): Promise<Partial<Learned>> {
    const { scopes, log } = this.#options;
    const onAsk = () => onStep?.('extraction');
    const now = this.#now;
    return lookAt(turn, { scopes, log, now, model, mode, onAsk }, this.#deadline());
  }

  /** False when words that were refused are worth another attempt. Else they would be refused first in each run. */
  #giveUp(turn: UnlearnedTurn): boolean {
    if (!this.#backlog.countRefusal(turn)) return false;
    turn.markLearned();
    this.#options.log.warn(
      '[learning] What was said in a turn is given up: the model refused it again and again.',
    );
    return true;
  }

  #tryLater(failed: readonly UnlearnedTurn[], means: Means): void {
    if (this.#stop.signal.aborted) return;
    this.#backlog.waitAfter(failed, () => void this.#retry(means));
  }

  async #retry(means: Means): Promise<void> {
    const { mode = () => means.mode } = this.#options;
    const now = mode();
    if (now === 'off') return this.forgo();
    this.#tellLater(await this.catchUp({ ...means, mode: now }));
  }

  #tellLater(learned: Learned): void {
    if (isNothing(learned)) return;
    try {
      this.#options.onLearnedLater?.(learned);
    } catch (error) {
      // It is saved, and must not end the compaction that it is told behind.
      this.#logFailure('learning', error);
    }
  }

  /** Consolidates the stores that extraction added to, where that is due by now. */
  async #consolidateGrown({ saved }: Learned, means: Means): Promise<readonly Change[]> {
    // Nothing goes by itself where the person wants to see each change first.
    if (means.mode === 'review') return [];
    const { scopes } = this.#options;
    const changes: Change[] = [];
    for (const { store } of scopes.all) {
      if (saved.some(({ record }) => scopes.scopeOf(record)?.store === store))
        changes.push(...(await this.#consolidateIfDue(store, means)));
    }
    return changes;
  }

  async #consolidateIfDue(store: MemoryStore, means: Means): Promise<readonly Change[]> {
    const { log } = this.#options;
    try {
      if (!(await isConsolidationDue(store, log))) return [];
      means.onStep?.('consolidation');
      const options = { store, model: means.model, log, now: this.#now };
      return (await consolidateMemories(options, this.#deadline())).changes;
    } catch (error) {
      // What extraction saved stands and must still be told to the person.
      this.#logFailure('consolidation', error);
      return [];
    }
  }

  /** That the window closes is no failure. */
  #logFailure(what: 'learning' | 'consolidation', error: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.log.error(`[${what}] ${errorText(error)}`);
  }

  #deadline(): AbortSignal {
    const { deadlineMs = DEADLINE_MS } = this.#options;
    return AbortSignal.any([this.#stop.signal, AbortSignal.timeout(deadlineMs)]);
  }

  #patience(signal: AbortSignal): Promise<void> {
    const { patienceMs = PATIENCE_MS } = this.#options;
    const ends = [signal, this.#stop.signal, AbortSignal.timeout(patienceMs)];
    return whenAborted(AbortSignal.any(ends));
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    return this.#inOrder.run(async () => {
      // The reply comes to its end first: looking through the dialogue and the records takes some milliseconds.
      await new Promise(setImmediate);
      this.#stop.signal.throwIfAborted();
      return work();
    });
  }
}

/** The turns that a run looks at: what was left over, and then one that it is about. */
interface Chosen {
  /** Left out by a run in the middle of a turn: it leaves alone when others are tried again. */
  readonly others?: readonly UnlearnedTurn[];
  readonly turn?: UnlearnedTurn;
}
