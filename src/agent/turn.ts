// One turn of conversation, from the person's request to what is learned from it. Read this file first.

import { errorText, type Log } from '../base/log.ts';
import type { Archive } from '../context/archive.ts';
import type { Compactor } from '../context/compactor.ts';
import type { CompactionSettings } from '../context/policy.ts';
import { indexText } from '../memory/memoryIndex.ts';
import { recallContext, recallDialogue, recallMemories } from '../memory/recall.ts';
import type { MemoryRecord } from '../memory/record.ts';
import {
  ModelError,
  userText,
  type ContextBlock,
  type Message,
  type Model,
} from '../models/model.ts';
import type { SessionTurn, TurnRef } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { ContextWindow, type ContextWindowOptions } from './contextWindow.ts';
import type { Emit } from './events.ts';
import type { Learned, LearningRequest, OpenMemory } from './learning.ts';
import { runLoop, type Outcome } from './loop.ts';
import { systemPrompt } from './systemPrompt.ts';
import type { Tool } from './tools.ts';

export interface TurnDeps {
  readonly sessions: SessionStore;
  readonly compactor: Compactor;
  readonly archive: Archive;
  /** Undefined when the workspace is not trusted. */
  readonly memory: OpenMemory | undefined;
  /** See `ContextWindowOptions`. */
  readonly beforeLeaving?: ContextWindowOptions['beforeLeaving'];
  readonly log: Log;
  readonly now: () => Date;
}

export interface TurnRequest extends SessionRequest {
  /** The person's words. */
  readonly text: string;
  readonly maxRounds: number;
  readonly onLearningStep?: NonNullable<LearningRequest['onStep']>;
}

/** Where in a session something is to be done, and with what. */
export interface SessionRequest {
  /** The turn before this one in the chat. */
  readonly previous: TurnRef | undefined;
  /** The person's words of requests behind it that were cut off by a crash or a reload. */
  readonly unfinished: readonly string[];
  /** What the chat still shows of earlier turns, used when `previous` is not known any more. */
  readonly visibleHistory: readonly Message[];
  readonly model: Model;
  /** Answers the side questions. */
  readonly utilityModel: Model;
  readonly tools: readonly Tool[];
  readonly folders: readonly string[];
  readonly recall: 'auto' | 'off';
  readonly extraction: 'auto' | 'off';
  readonly compaction: CompactionSettings;
}

export interface TurnResult {
  readonly ref: TurnRef;
  readonly outcome: Outcome;
  /** Ends after the turn, in the background, and never rejects. Undefined when nothing is to be learned. */
  readonly learning: Promise<Learned> | undefined;
}

export async function runTurn(
  deps: TurnDeps,
  request: TurnRequest,
  emit: Emit,
  signal: AbortSignal,
): Promise<TurnResult> {
  const { text, previous, unfinished, visibleHistory: seed } = request;
  const turn = await deps.sessions.begin({ previous, unfinished, seed, request: text });
  const show = withoutThrowing(emit, deps.log);
  const message = userText(text.toWellFormed());
  const log = [...turn.log(), message];

  const records = sharedListing(deps);
  const context = await recall(deps, request, { turn, log, records }, show, signal);
  turn.append(message, {
    role: 'user',
    content: context ? [context, ...message.content] : message.content,
  });
  const answer = async (): Promise<Outcome> => {
    const { model, tools, maxRounds } = request;
    const window = contextWindow(deps, request, { turn, records, emit: show });
    return runLoop({ model, tools, maxRounds, turn, window, emit: show }, signal);
  };
  try {
    const outcome: Outcome = signal.aborted ? { kind: 'cancelled' } : await answer();
    return { ref: turn.ref, outcome, learning: learn(deps, request, turn, outcome) };
  } finally {
    turn.end();
  }
}

/** What the model is sent in a turn of this session. */
export function contextWindow(
  deps: TurnDeps,
  request: SessionRequest,
  { turn, records, emit }: { turn: SessionTurn; records: Listing; emit: Emit },
): ContextWindow {
  const { compactor, archive, log, now } = deps;
  const { model, tools, compaction: settings, utilityModel: summariser } = request;
  return new ContextWindow({
    ...{ turn, model, tools, compactor, settings, archive, summariser, emit, log, now },
    systemPrompt: () => newSystemPrompt(deps, request, records),
    beforeLeaving: deps.beforeLeaving ?? (async () => undefined),
  });
}

export type Listing = () => Promise<readonly MemoryRecord[]>;

/** One look at the folder for all that needs the records at the start of a turn, made when it is first needed. */
export function sharedListing({ memory }: TurnDeps): Listing {
  let listing: ReturnType<Listing> | undefined;
  const list = async () => (memory ? (await memory.scopes.list()).records : []);
  return () => (listing ??= list());
}

/** A chat that is closed refuses what it is shown; the turn must come to its end all the same. */
export function withoutThrowing(emit: Emit, log: Log): Emit {
  return (event) => {
    try {
      emit(event);
    } catch (error) {
      log.warn(`[chat] A ${event.type} event could not be shown: ${errorText(error)}`);
    }
  };
}

/** Chooses records for the request and returns the block that stands in front of it. Never fails a turn. */
async function recall(
  deps: TurnDeps,
  request: TurnRequest,
  history: { turn: SessionTurn; log: readonly Message[]; records: Listing },
  emit: Emit,
  signal: AbortSignal,
): Promise<ContextBlock | undefined> {
  if (!deps.memory || request.recall === 'off') return undefined;
  try {
    const records = await history.records();
    const recalled = await recallMemories(
      {
        records,
        dialogue: recallDialogue(history.log),
        model: request.utilityModel,
        log: deps.log,
      },
      signal,
    );
    if (recalled.length > 0) emit({ type: 'recalled', records: recalled });
    const standing = standingRecords(history.turn.working());
    return recallContext({ recalled, standing, existing: records, now: deps.now() });
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cancelled')) {
      deps.log.error(`[recall] ${errorText(error)}`);
    }
    return undefined;
  }
}

/** The records that already stand in the working history: path to content hash, the latest wins. */
function standingRecords(working: readonly Message[]): ReadonlyMap<string, string> {
  const standing = new Map<string, string>();
  for (const message of working) {
    for (const block of message.content) {
      if (block.type !== 'context') continue;
      for (const [path, hash] of Object.entries(block.records)) standing.set(path, hash);
    }
  }
  return standing;
}

/** What the next request of a session without a frozen prompt holds. */
export async function newSystemPrompt(
  deps: TurnDeps,
  request: SessionRequest,
  records: Listing,
): Promise<string> {
  return systemPrompt({
    folders: request.folders,
    tools: request.tools,
    platform: process.platform,
    memory: deps.memory && {
      index: request.recall === 'off' ? '' : await memoryIndex(records, deps.log),
      saves: request.extraction === 'auto' && deps.memory.scopes.workspace.length > 0,
    },
  });
}

/** Made from the records, not read from MEMORY.md: that file may have come from elsewhere. */
async function memoryIndex(list: Listing, log: Log): Promise<string> {
  try {
    const records = await list();
    return records.length > 0 ? indexText(records) : '';
  } catch (error) {
    log.error(`[memory] The index could not be made: ${errorText(error)}`);
    return '';
  }
}

function learn(
  deps: TurnDeps,
  request: TurnRequest,
  turn: SessionTurn,
  outcome: Outcome,
): Promise<Learned> | undefined {
  // Without a folder nothing is saved unasked: personal memories are what the person puts there.
  if (!deps.memory?.scopes.workspace.length || request.extraction === 'off') {
    // Also later, when it is switched on: what was said before that is not looked at.
    turn.markLearned();
    return undefined;
  }
  // The words of a turn that broke off are looked at after the next one.
  if (outcome.kind !== 'completed' && outcome.kind !== 'roundLimit') return undefined;
  return deps.memory.learning.learn({
    messages: turn.log(),
    learned: () => turn.learned(),
    onLearned: () => turn.markLearned(),
    model: request.utilityModel,
    ...(request.onLearningStep ? { onStep: request.onLearningStep } : {}),
  });
}
