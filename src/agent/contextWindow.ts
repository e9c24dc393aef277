// What the model is sent in a turn: the system prompt, the tools and the working history, compacted before they
// outgrow the model's window, announced when they were, and mended where they would be refused.

import type { Log } from '../base/log.ts';
import { sentence, sentenceOf, type Said } from '../base/sentence.ts';
import type { Archive } from '../context/archive.ts';
import type { Compaction, CompactionRequest, DemandOutcome } from '../context/compaction.ts';
import type { Compactor } from '../context/compactor.ts';
import { measure, measureTools } from '../context/measure.ts';
import { triggerTokens, type CompactionSettings } from '../context/policy.ts';
import { validMessages } from '../context/validRequest.ts';
import { windowAccount, type WindowPart } from '../context/windowAccount.ts';
import {
  ModelError,
  type Model,
  type ModelRequest,
  type ToolDefinition,
  type Usage,
} from '../models/model.ts';
import { estimateTokens } from '../models/tokens.ts';
import type { SessionTurn } from '../sessions/session.ts';
import { ChangedFiles } from './changedFiles.ts';
import type { Emit } from './events.ts';
import { loadedSkills } from './skills/loadedSkills.ts';
import { openTodos } from './openTodos.ts';
import { indexInPrompt } from './systemPrompt.ts';
import type { Tool } from './tools.ts';

export interface ContextWindowOptions {
  readonly turn: SessionTurn;
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** Made when the session has none, and again after a compaction, which breaks the prompt cache anyway. */
  readonly systemPrompt: () => Promise<string>;
  readonly compactor: Compactor;
  readonly settings: CompactionSettings;
  readonly archive: Archive;
  /** Writes summaries. */
  readonly summariser: Model;
  readonly beforeLeaving: CompactionRequest['beforeLeaving'];
  readonly emit: Emit;
  readonly log: Log;
  readonly now: () => Date;
}

/** Of the limit: some rounds before it, so that the person can bring to an end what they are at. */
const NEAR_SHARE = 0.9;
/** A history that grew by fewer tokens since then is not worth compacting again on demand. */
const LEAST_GROWTH = 2_000;

export class ContextWindow {
  readonly #options: ContextWindowOptions;
  readonly #tools: readonly ToolDefinition[];
  readonly #toolTokens: number;
  readonly #files = new ChangedFiles();
  readonly #repairs = new Set<string>();
  #hasTold = false;
  #estimate = 0;
  /** Estimated tokens of the working history when a compaction was last tried in this turn. */
  #lastTried: number | undefined;

  constructor(options: ContextWindowOptions) {
    this.#options = options;
    this.#tools = options.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    this.#toolTokens = measureTools(this.#tools);
    const last = options.turn.lastRequest();
    if (last?.model === options.model.id) {
      const { estimate, usage } = last;
      options.compactor.calibrate(this.#key, { estimate, tokens: inputTokens(usage) });
    }
  }

  /** The next request, compacted when it would be too long. Throws `ModelError` of kind `cancelled` only. */
  async request(signal: AbortSignal): Promise<ModelRequest> {
    const { compactor, turn } = this.#options;
    const frozen = await this.#system();
    const outcome = await compactor.beforeRequest(this.#compactionRequest(frozen), signal);
    if (outcome.compaction) this.#apply(outcome.compaction);
    if (outcome.problem !== undefined) this.#tellOnce(outcome.problem);
    const system = await this.#system();
    if (outcome.hasGivenUp) {
      this.#options.emit({ type: 'compactionGivenUp', parts: this.#account(system) });
    }
    const { messages, repairs } = validMessages(turn.working(), turn.log());
    this.#logRepairs(repairs);
    this.#estimate = this.#fixed(system) + measure(turn.working());
    return { system, messages, tools: this.#tools };
  }

  /** Keeps what the model counted, for the next estimate. */
  answered(usage: Usage | undefined): void {
    const { compactor, turn, model, emit } = this.#options;
    const before = this.#tokensBefore();
    if (usage && inputTokens(usage) > 0) {
      turn.answered({ model: model.id, estimate: this.#estimate, usage });
      const counted = { estimate: this.#estimate, tokens: inputTokens(usage) };
      compactor.calibrate(this.#key, counted);
    }
    const tokens = Math.round(this.#estimate * compactor.factor(this.#key));
    const limit = this.#limit;
    emit({ type: 'answered', tokens, limit, usage: turn.usage() });
    const near = limit * NEAR_SHARE;
    if (!turn.lastCompaction() && before < near && tokens >= near)
      emit({ type: 'compactionNear', tokens, limit });
  }

  /**
   * Makes the history smaller after the model said that it is too long. False when nothing is left to cut. Throws
   * a `ModelError`: cancelled, or overflow when the archive could not be written, since nothing may leave the
   * history before it is safe on disk.
   */
  async makeRoom(signal: AbortSignal): Promise<boolean> {
    try {
      const request = this.#compactionRequest(await this.#system());
      const compaction = await this.#options.compactor.afterOverflow(request, signal);
      if (compaction) this.#apply(compaction);
      return compaction !== undefined;
    } catch (cause) {
      if (cause instanceof ModelError) throw cause;
      const message = sentence`Its older part could not be archived: ${sentenceOf(cause)}`;
      throw new ModelError('overflow', message, { cause });
    }
  }

  /**
   * Compacts now. `focus` is what a summary is to keep in particular. Throws `ModelError` of kind `cancelled` only.
   */
  async compact(focus: string, signal: AbortSignal): Promise<DemandOutcome> {
    const request = this.#compactionRequest(await this.#system());
    const outcome = await this.#options.compactor.onDemand(request, focus, signal);
    if (outcome.kind === 'compacted') this.#apply(outcome.compaction);
    this.#lastTried = measure(this.#options.turn.working());
    return outcome;
  }

  /** Whether there is enough since a compaction was last tried in this turn. */
  isWorthCompacting(): boolean {
    const tokens = measure(this.#options.turn.working());
    return this.#lastTried === undefined || tokens > this.#lastTried + LEAST_GROWTH;
  }

  /** A disk that is full stays so for each request of the turn. */
  #tellOnce(problem: Said): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#options.emit({ type: 'archiveFailed', problem });
  }

  /** The same repairs are made for each request, as the working history stays as it is. */
  #logRepairs(repairs: readonly string[]): void {
    for (const repair of repairs) {
      if (this.#repairs.has(repair)) continue;
      this.#repairs.add(repair);
      this.#options.log.warn(`[context] ${repair}`);
    }
  }

  #apply({ messages, stages, before, after, archive }: Compaction): void {
    const { turn, emit, now } = this.#options;
    turn.compacted(messages, { stages, before, after, archive, at: now() });
    // That stage changes nothing that the provider has in its cache.
    if (stages.some((stage) => stage !== 'toolResultBudget')) turn.setSystemPrompt(undefined);
    this.#lastTried = measure(turn.working());
    emit({ type: 'compacted', stages, before, after, archive });
  }

  async #system(): Promise<string> {
    const { turn, systemPrompt } = this.#options;
    const frozen = turn.systemPrompt();
    if (frozen !== undefined) return frozen;
    const text = await systemPrompt();
    turn.setSystemPrompt(text);
    return text;
  }

  #compactionRequest(system: string): CompactionRequest {
    const { turn, model, settings, archive, summariser, beforeLeaving, emit } = this.#options;
    return {
      ...this.#key,
      messages: turn.working(),
      log: turn.entries(),
      fixed: this.#fixed(system),
      limits: model.limits,
      settings,
      archive,
      summariser,
      changedFiles: this.#files.in(turn.log()),
      openTodos: () => openTodos(turn.log()),
      loadedSkills: () => loadedSkills(turn.log()),
      beforeLeaving: (messages) => {
        emit({ type: 'leaving' });
        return beforeLeaving(messages);
      },
    };
  }

  #account(system: string): readonly WindowPart[] {
    return windowAccount({
      system,
      index: indexInPrompt(system),
      tools: this.#tools,
      messages: this.#options.turn.working(),
      factor: this.#options.compactor.factor(this.#key),
    });
  }

  /** Of the input of the request before, which the session keeps where the model counts. */
  #tokensBefore(): number {
    const { turn, compactor } = this.#options;
    const last = turn.lastRequest();
    if (last) return inputTokens(last.usage);
    const working = turn.working();
    const replyAt = working.findLastIndex(({ role }) => role === 'assistant');
    if (replyAt < 0) return 0;
    const rest = measure(working.slice(replyAt));
    return Math.round((this.#estimate - rest) * compactor.factor(this.#key));
  }

  #fixed(system: string): number {
    return estimateTokens(system) + this.#toolTokens;
  }

  get #limit(): number {
    return triggerTokens(this.#options.model.limits, this.#options.settings);
  }

  get #key(): Pick<CompactionRequest, 'sessionId' | 'modelId'> {
    return { sessionId: this.#options.turn.ref.sessionId, modelId: this.#options.model.id };
  }
}

function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}
