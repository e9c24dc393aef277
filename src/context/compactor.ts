// Keeps the working history inside the model's window: the stages in their order, and the three ways in. Before a
// request, after the model said that it was too long, and on demand.

import { errorText, type Log } from '../base/log.ts';
import { ModelError, type Message, type Model } from '../models/model.ts';
import type { Archive, LoggedMessage } from './archive.ts';
import { Calibration } from './calibration.ts';
import { measure } from './measure.ts';
import {
  budgetOf,
  POLICY,
  triggerTokens,
  type CompactionPolicy,
  type CompactionSettings,
} from './policy.ts';
import { isOver, type Stage, type StageInput, type StageName, type StageResult } from './stage.ts';
import { fit } from './stages/fit.ts';
import { cutMechanically, mechanicalCut } from './stages/mechanicalCut.ts';
import { micro } from './stages/micro.ts';
import { snip } from './stages/snip.ts';
import { summarise } from './stages/summarise.ts';
import { toolResultBudget } from './stages/toolResultBudget.ts';
import { lastReplyIndex } from './transcript.ts';

/** What is to be compacted, and with what. */
export interface CompactionRequest {
  readonly sessionId: string;
  readonly modelId: string;
  /** The working history. */
  readonly messages: readonly Message[];
  /** The session's log, for its transcript. */
  readonly log: readonly LoggedMessage[];
  /** Estimated tokens of system prompt and tools. */
  readonly fixed: number;
  readonly limits: Model['limits'];
  readonly settings: CompactionSettings;
  readonly archive: Archive;
  /** Writes the summary. */
  readonly summariser: Model;
  /** Files that the agent wrote in this session, newest last. */
  readonly changedFiles: readonly string[];
  /** Awaited before messages leave the history, so that what matters in them can be saved. */
  readonly beforeLeaving: (messages: readonly Message[]) => Promise<void>;
}

/** A shorter history. Sizes are of the whole input, in tokens as the model counts them, by estimate. */
export interface Compaction {
  readonly messages: readonly Message[];
  /** Those that did something. */
  readonly stages: readonly StageName[];
  readonly before: number;
  readonly after: number;
  /** Absolute path of what was archived last. */
  readonly archive: string;
}

export type CompactionOutcome =
  | { readonly kind: 'compacted'; readonly compaction: Compaction }
  | { readonly kind: 'unchanged' }
  /** Told once: it is no use to go on, since what fills the window cannot be made smaller. */
  | { readonly kind: 'givenUp' };

export type DemandOutcome =
  | { readonly kind: 'compacted'; readonly compaction: Compaction }
  /** There is too little that a summary could replace. */
  | { readonly kind: 'nothing' }
  /** No summary came about, and the history was left as it is. `problem` is one sentence. */
  | { readonly kind: 'failed'; readonly problem: string };

/** A summary of less is not worth a question: the history would be as full again a round later. */
const LEAST_SUMMARISED_SHARE = 0.1;
/** Of fewer tokens a summary is no shorter. */
const LEAST_ON_DEMAND = 500;
/** A compaction that gains less of the trigger, and does not fit, is futile. */
const LEAST_GAIN = 0.05;

type SessionAndModel = Pick<CompactionRequest, 'sessionId' | 'modelId'>;

interface SessionState {
  readonly calibration: Calibration;
  /** Futile compactions in a row. */
  futile: number;
  givenUp: boolean;
}

export class Compactor {
  readonly #log: Log;
  readonly #policy: CompactionPolicy;
  readonly #sessions = new Map<string, SessionState>();
  /** In their order, cheap to dear. */
  readonly #stages: readonly Stage[] = [
    toolResultBudget,
    snip,
    micro,
    fit,
    { name: 'summarise', run: (input, signal) => this.#summariseWhenOver(input, signal) },
    mechanicalCut,
  ];

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

  /** Runs the stages, cheap to dear, until the estimate fits. Never throws but `ModelError` of kind `cancelled`. */
  async beforeRequest(request: CompactionRequest, signal: AbortSignal): Promise<CompactionOutcome> {
    const state = this.#state(request);
    const start = this.#input(request);
    const over = isOver(start);
    if (!over) {
      state.futile = 0;
      state.givenUp = false;
    } else if (state.futile >= this.#policy.maxFutile) {
      if (state.givenUp) return { kind: 'unchanged' };
      state.givenUp = true;
      return { kind: 'givenUp' };
    }
    const done = await this.#run(this.#stages, start, signal);
    if (over) {
      const gain = measure(start.messages) - measure(done.messages);
      const fits = measure(done.messages) <= start.budget.trigger;
      const gains = gain > Math.max(0, start.budget.trigger * LEAST_GAIN);
      state.futile = fits || gains ? 0 : state.futile + 1;
    }
    return this.#outcome(request, done);
  }

  /**
   * The model said that the input is too long: all but the newest messages are summarised, or cut without a model
   * when that fails. Throws when nothing could be archived, and `ModelError` of kind `cancelled`.
   */
  async afterOverflow(request: CompactionRequest, signal: AbortSignal): Promise<CompactionOutcome> {
    const { calibration } = this.#state(request);
    calibration.overflowed(request.fixed + measure(request.messages), request.limits.input);
    const input = this.#input(request);
    const keepFrom = input.messages.length - this.#policy.reactiveTail;
    const summary = await summarise(input, { keepFrom, least: 0 }, signal);
    if (summary.kind === 'rejected') this.#log.warn(`[context] No summary: ${summary.problem}`);
    const first: Step | undefined =
      summary.kind === 'summarised'
        ? { name: 'summarise', result: summary.result }
        : await cutMechanically(input, signal).then(
            (result) => result && { name: 'mechanicalCut', result },
          );
    const shorter = { ...input, messages: first?.result.messages ?? input.messages };
    // The newest messages stay whatever their size, so the results in them may still be too large.
    const done = await this.#run([fit, mechanicalCut], shorter, signal, first);
    return this.#outcome(request, done);
  }

  /** Summarises everything but the current request and the last reply, whatever the size. */
  async onDemand(
    request: CompactionRequest,
    focus: string,
    signal: AbortSignal,
  ): Promise<DemandOutcome> {
    const input = { ...this.#input(request), focus };
    const keepFrom = lastReplyIndex(input.messages);
    const summary = await summarise(input, { keepFrom, least: LEAST_ON_DEMAND }, signal);
    if (summary.kind === 'summarised') {
      const step: Step = { name: 'summarise', result: summary.result };
      const messages = summary.result.messages;
      const outcome = this.#outcome(request, { messages, steps: [step] });
      return outcome.kind === 'compacted' ? outcome : { kind: 'nothing' };
    }
    if (summary.kind === 'nothing') return summary;
    this.#log.warn(`[context] No summary: ${summary.problem}`);
    return { kind: 'failed', problem: summary.problem };
  }

  async #run(
    stages: readonly Stage[],
    start: StageInput,
    signal: AbortSignal,
    first?: Step,
  ): Promise<Done> {
    const steps = first ? [first] : [];
    let { messages } = start;
    for (const stage of stages) {
      const result = await this.#runStage(stage, { ...start, messages }, signal);
      if (!result || measure(result.messages) >= measure(messages)) continue;
      messages = result.messages;
      steps.push({ name: stage.name, result });
    }
    return { messages, steps };
  }

  /** A stage that cannot archive must not end the turn: the next one is tried, and what it kept stays. */
  async #runStage(
    stage: Stage,
    input: StageInput,
    signal: AbortSignal,
  ): Promise<StageResult | undefined> {
    try {
      return await stage.run(input, signal);
    } catch (error) {
      if (error instanceof ModelError && error.kind === 'cancelled') throw error;
      this.#log.error(`[context] The stage ${stage.name} failed: ${errorText(error)}`);
      return undefined;
    }
  }

  async #summariseWhenOver(
    input: StageInput,
    signal: AbortSignal,
  ): Promise<StageResult | undefined> {
    if (!isOver(input)) return undefined;
    const keepFrom = lastReplyIndex(input.messages);
    const least = input.budget.target * LEAST_SUMMARISED_SHARE;
    const summary = await summarise(input, { keepFrom, least }, signal);
    if (summary.kind === 'rejected') this.#log.warn(`[context] No summary: ${summary.problem}`);
    return summary.kind === 'summarised' ? summary.result : undefined;
  }

  #outcome(request: CompactionRequest, { messages, steps }: Done): CompactionOutcome {
    const last = steps.at(-1);
    if (!last) return { kind: 'unchanged' };
    const compaction = {
      messages,
      stages: steps.map(({ name }) => name),
      before: this.#tokens(request, request.messages),
      after: this.#tokens(request, messages),
      archive: last.result.archive,
    };
    const { stages, before, after } = compaction;
    this.#log.info(`[context] Compacted by ${stages.join(', ')}: ${before} -> ${after} tokens.`);
    return { kind: 'compacted', compaction };
  }

  #tokens(request: CompactionRequest, messages: readonly Message[]): number {
    return Math.round((request.fixed + measure(messages)) * this.factor(request));
  }

  #input(request: CompactionRequest): StageInput {
    const { messages, settings, archive, summariser, changedFiles } = request;
    let transcript: Promise<string> | undefined;
    const trigger = triggerTokens(request.limits, settings, this.#policy);
    const budget = budgetOf({
      trigger,
      fixed: request.fixed,
      factor: this.factor(request),
      policy: this.#policy,
    });
    return {
      messages,
      budget,
      policy: this.#policy,
      maxMessages: settings.maxMessages,
      archive,
      saveTranscript: () => (transcript ??= this.#saveTranscript(request)),
      changedFiles,
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

  #state({ sessionId, modelId }: SessionAndModel): SessionState {
    // Another model counts other tokens, and has another window.
    const key = `${sessionId} ${modelId}`;
    const state = this.#sessions.get(key) ?? newState();
    this.#sessions.set(key, state);
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
}

function newState(): SessionState {
  return { calibration: new Calibration(), futile: 0, givenUp: false };
}
