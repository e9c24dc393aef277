// The context window of a session, opened for a turn or between two: what is needed for it, and the system prompt
// that it begins with.

import { errorText, type Log } from '../base/log.ts';
import type { Archive } from '../context/archive.ts';
import type { Compactor } from '../context/compactor.ts';
import type { CompactionSettings } from '../context/policy.ts';
import { indexText } from '../memory/memoryIndex.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Message, Model } from '../models/model.ts';
import type { SessionTurn, TurnRef } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { ContextWindow, type ContextWindowOptions } from './contextWindow.ts';
import type { Emit } from './events.ts';
import type { OpenMemory } from './learning.ts';
import { systemPrompt } from './systemPrompt.ts';
import type { Tool } from './tools.ts';

export interface SessionDeps {
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

/** What the model is sent in a turn of this session. */
export function openWindow(
  deps: SessionDeps,
  request: SessionRequest,
  { turn, records, emit }: { turn: SessionTurn; records: Listing; emit: Emit },
): ContextWindow {
  const { compactor, archive, log, now } = deps;
  const { model, tools, compaction: settings, utilityModel: summariser } = request;
  return new ContextWindow({
    turn,
    model,
    tools,
    compactor,
    settings,
    archive,
    summariser,
    emit,
    log,
    now,
    systemPrompt: () => newSystemPrompt(deps, request, records),
    beforeLeaving: deps.beforeLeaving ?? (async () => undefined),
  });
}

export type Listing = () => Promise<readonly MemoryRecord[]>;

/** One look at the folder for all that needs the records at the start of a turn, made when it is first needed. */
export function sharedListing({ memory }: SessionDeps): Listing {
  let listing: ReturnType<Listing> | undefined;
  const list = async () => (memory ? (await memory.scopes.list()).records : []);
  return () => (listing ??= list());
}

/** What the next request of a session without a frozen prompt holds. */
export async function newSystemPrompt(
  deps: SessionDeps,
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
