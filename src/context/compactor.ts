// Keeps the working history inside the model's window: the stages in their order, and the three ways in. Before a
// request, after the model said that it was too long, and on demand.

import { errorText, type Log } from '../base/log.ts';
import { sentenceOf, type Said } from '../base/sentence.ts';
import { messageText, ModelError, type Message } from '../models/model.ts';
import type {
  Compaction,
  CompactionOutcome,
  CompactionRequest,
  DemandOutcome,
} from './compaction.ts';
import { CompactionState } from './compactionState.ts';
import { measure } from './measure.ts';
import { POLICY, type CompactionPolicy } from './policy.ts';
import {
  isOver,
  isOverLimit,
  type Stage,
  type StageInput,
  type StageName,
  type StageResult,
} from './stage.ts';
import { fit } from './stages/fit.ts';
import { cutMechanically, mechanicalCut } from './stages/mechanicalCut.ts';
import { micro } from './stages/micro.ts';
import { snip } from './stages/snip.ts';
import { summarise, type SummariseOptions, type SummaryOutcome } from './stages/summarise.ts';
import { toolResultBudget } from './stages/toolResultBudget.ts';
import { unreadStart } from './transcript.ts';

/** A summary of less is not worth a question: the history would be as full again a round later. */
const LEAST_SUMMARISED_SHARE = 0.1;
/** Of fewer tokens a summary is no shorter. */
const LEAST_SUMMARISED = 500;

type SessionAndModel = Pick<CompactionRequest, 'sessionId' | 'modelId'>;

export class Compactor {
  readonly #log: Log;
  readonly #policy: CompactionPolicy;
  readonly #states = new Map<string, CompactionState>();

  constructor(options: { log: Log; policy?: CompactionPolicy }) {
    this.#log = options.log;
    this.#policy = options.policy ?? POLICY;
  }

  /** How far the estimate was off, from an input that the model has counted. */
  calibrate(of: SessionAndModel, answered: { estimate: number; tokens: number }): void {
    this.#state(of).calibration.learn(answered);
  }

  /** Tokens as the model counts them per estimated token. */
  factor(of: SessionAndModel): number {
    return this.#state(of).calibration.factor;
  }

  /** Frees what is kept of a session that nobody goes on with. */
  forget(sessionId: string): void {
    for (const key of this.#states.keys())
      if (key.startsWith(`${sessionId} `)) this.#states.delete(key);
  }

  /** Runs the stages, cheap to dear, until the estimate fits. Throws only `ModelError` of kind `cancelled`. */
  async beforeRequest(request: CompactionRequest, signal: AbortSignal): Promise<CompactionOutcome> {
    const state = this.#state(request);
    const { breaker } = state;
    state.look(request);
    const input = this.#input(request);
    const before = measure(input.messages);
    if (!isOver(input)) {
      breaker.close();
      const done = await this.#run(this.#stages(state), input, signal);
      return this.#outcome(request, done, false);
    }
    if (breaker.isOpen(before, input.budget)) {
      // These two have reasons of their own to run: the size of the newest results, the person's setting.
      const done = await this.#run([toolResultBudget, snip], input, signal);
      return this.#outcome(request, done, breaker.isNews());
    }
    const done = await this.#run(this.#stages(state), underWay(input), signal);
    // What could not be archived says nothing of what compaction can do.
    if (done.problem === undefined)
      breaker.ran({ before, after: measure(done.messages) }, input.budget);
    return this.#outcome(request, done, breaker.isNews());
  }

  /**
   * The model said that the input is too long: all but the newest messages are summarised, or cut without a model
   * when that fails. Undefined when nothing is left to cut. Throws when nothing could be archived, and `ModelError`
   * of kind `cancelled`.
   */
  async afterOverflow(
    request: CompactionRequest,
    signal: AbortSignal,
  ): Promise<Compaction | undefined> {
    this.#state(request).calibration.overflowed(request.fixed + measure(request.messages));
    const input = withoutMercy(this.#input(request));
    const keepFrom = input.messages.length - this.#policy.reactiveTail;
    const summary = await this.#summarise(input, { keepFrom, least: 0 }, signal);
    const first =
      summary.kind === 'summarised'
        ? { name: 'summarise' as const, result: summary.result }
        : await this.#cut(input, signal);
    const shorter = { ...input, messages: first?.result.messages ?? input.messages };
    // The newest messages stay whatever their size, so the results in them may still be too large.
    const done = await this.#run([fit, mechanicalCut], shorter, signal);
    const steps = first ? [first, ...done.steps] : done.steps;
    return this.#compaction(request, { ...done, steps });
  }

  /**
   * Summarises everything but the current request and the last reply, whatever the size. Throws only `ModelError`
   * of kind `cancelled`.
   */
  async onDemand(
    request: CompactionRequest,
    focus: string,
    signal: AbortSignal,
  ): Promise<DemandOutcome> {
    const input = { ...this.#input(request), focus };
    const options = { keepFrom: unreadStart(input.messages), least: LEAST_SUMMARISED };
    try {
      const summary = await this.#summarise(input, options, signal);
      if (summary.kind === 'nothing') return summary;
      if (summary.kind === 'rejected') return { kind: 'failed', problem: summary.problem };
      const { messages } = summary.result;
      const steps = [{ name: 'summarise' as const, result: summary.result }];
      const compaction = this.#compaction(request, { messages, steps, problem: undefined });
      return compaction ? { kind: 'compacted', compaction } : { kind: 'nothing' };
    } catch (error) {
      if (isCancelled(error)) throw error;
      return { kind: 'failed', problem: sentenceOf(error) };
    }
  }

  /** In their order, cheap to dear. */
  #stages(state: CompactionState): readonly Stage[] {
    return [
      toolResultBudget,
      snip,
      micro,
      fit,
      {
        name: 'summarise',
        run: (input, signal) => this.#summariseWhenOver(state, input, signal),
      },
      mechanicalCut,
    ];
  }

  async #run(stages: readonly Stage[], start: StageInput, signal: AbortSignal): Promise<Done> {
    const steps: Step[] = [];
    let problem: Said | undefined;
    let { messages } = start;
    for (const stage of stages) {
      try {
        const result = await stage.run({ ...start, messages }, signal);
        if (!result || measure(result.messages) >= measure(messages)) continue;
        messages = result.messages;
        steps.push({ name: stage.name, result });
      } catch (error) {
        if (isCancelled(error)) throw error;
        // A stage that cannot archive must not end the turn: what it was to take stays, and the next one is tried.
        this.#log.error(`[context] The stage ${stage.name} failed: ${errorText(error)}`);
        problem = sentenceOf(error);
      }
    }
    return { messages, steps, problem };
  }

  async #summariseWhenOver(
    state: CompactionState,
    input: StageInput,
    signal: AbortSignal,
  ): Promise<StageResult | undefined> {
    if (!isOverLimit(input) || !state.mayAsk) return undefined;
    const keepFrom = unreadStart(input.messages);
    const least = Math.max(LEAST_SUMMARISED, input.budget.target * LEAST_SUMMARISED_SHARE);
    const summary = await this.#summarise(input, { keepFrom, least }, signal);
    if (summary.kind === 'nothing') return undefined;
    state.summarised(summary.kind === 'rejected' ? 'rejected' : 'used');
    return summary.kind === 'summarised' ? summary.result : undefined;
  }

  async #summarise(
    input: StageInput,
    options: SummariseOptions,
    signal: AbortSignal,
  ): Promise<SummaryOutcome> {
    const summary = await summarise(input, options, signal);
    if (summary.kind === 'rejected')
      this.#log.warn(`[context] No summary: ${String(summary.problem)}`);
    return summary;
  }

  async #cut(input: StageInput, signal: AbortSignal): Promise<Step | undefined> {
    const result = await cutMechanically(input, signal);
    return result && { name: 'mechanicalCut', result };
  }

  #outcome(request: CompactionRequest, done: Done, hasGivenUp: boolean): CompactionOutcome {
    const { problem } = done;
    const compaction = this.#compaction(request, done);
    return { compaction, hasGivenUp, ...(problem === undefined ? {} : { problem }) };
  }

  #compaction(request: CompactionRequest, { messages, steps }: Done): Compaction | undefined {
    const last = steps.at(-1);
    if (!last) return undefined;
    const stages = steps.map(({ name }) => name);
    const state = this.#state(request);
    const before = state.tokens(request, request.messages);
    const after = state.tokens(request, messages);
    this.#log.info(`[context] Compacted by ${stages.join(', ')}: ${before} -> ${after} tokens.`);
    return { messages, stages, before, after, archive: last.result.archive };
  }

  #input(request: CompactionRequest): StageInput {
    const { messages, settings, archive, summariser, changedFiles, openTodos, loadedSkills, log } =
      request;
    let transcript: Promise<string> | undefined;
    return {
      messages,
      budget: this.#state(request).budget(request),
      policy: this.#policy,
      maxMessages: settings.maxMessages,
      archive,
      saveTranscript: () => (transcript ??= this.#saveTranscript(request)),
      changedFiles,
      openTodos,
      loadedSkills,
      said: () =>
        log.flatMap(({ message }) => (message.role === 'user' ? [messageText(message)] : [])),
      summariser,
      focus: '',
    };
  }

  async #saveTranscript(request: CompactionRequest): Promise<string> {
    try {
      await request.beforeLeaving(request.messages);
    } catch (error) {
      this.#log.error(`[context] What leaves the history was not looked at: ${errorText(error)}`);
    }
    return request.archive.saveTranscript(request.sessionId, request.log);
  }

  #state({ sessionId, modelId }: SessionAndModel): CompactionState {
    // Another model counts other tokens, and has another window.
    const key = `${sessionId} ${modelId}`;
    const state = this.#states.get(key) ?? new CompactionState(this.#policy);
    this.#states.set(key, state);
    return state;
  }
}

interface Step {
  readonly name: StageName;
  readonly result: StageResult;
}

interface Done {
  readonly messages: readonly Message[];
  readonly steps: readonly Step[];
  /** Why a stage failed. */
  readonly problem: Said | undefined;
}

function isCancelled(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'cancelled';
}

/** Once compaction has begun it goes on to the target, so that the next one is some way off. */
function underWay(input: StageInput): StageInput {
  return { ...input, budget: { ...input.budget, trigger: input.budget.target } };
}

/** What the model has not read yet is shortened too: the history as it is would be refused again. */
function withoutMercy(input: StageInput): StageInput {
  return { ...input, budget: { ...input.budget, limit: input.budget.trigger } };
}
