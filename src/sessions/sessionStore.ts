// Short-term history, kept twice per turn: the log, verbatim and complete, and the working history, which
// carries what a turn adds for the model and may be compacted. Here both live in memory for one window.

import { randomUUID } from 'node:crypto';
import type { Message } from '../models/model.ts';

/** Names one turn. A chat keeps it in its result, so that the next request finds what came before. */
export interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

/** A turn that is being written. Every message is appended as it is finished. */
export interface SessionTurn {
  readonly ref: TurnRef;
  /** All messages of the session up to now, verbatim. */
  log(): readonly Message[];
  /** What is sent to the model. */
  working(): readonly Message[];
  /** The session's frozen system prompt, once there is one. */
  systemPrompt(): string | undefined;
  setSystemPrompt(text: string): void;
  /** Appends to both histories; `working` is what the model sees in its place. */
  append(message: Message, working?: Message): void;
  /** Appends to the working history only: control text that nobody said. */
  appendWorking(message: Message): void;
  /** How many messages of the log an extraction has looked at, here or in a turn before. */
  learned(): number;
  /** The whole log up to now has been looked at. */
  markLearned(): void;
  /** After a compaction. */
  replaceWorking(messages: readonly Message[]): void;
}

/** How a turn begins. */
interface TurnStart {
  /**
   * Any earlier turn: a chat whose older request is edited goes on from there. Without it, or when it is not known
   * here, a new session begins.
   */
  readonly previous?: TurnRef | undefined;
  /** The history of a new session: what the chat still shows. */
  readonly seed?: readonly Message[];
  /** The person's words, by which a request that is sent again is known. */
  readonly request?: string;
}

interface TurnState {
  readonly ref: TurnRef;
  readonly before: TurnState | undefined;
  readonly request: string | undefined;
  /** Of the log; undefined while no extraction has looked at this turn. */
  learned: number | undefined;
  /** An extraction has looked at the request. */
  heard: boolean;
  log: readonly Message[];
  working: readonly Message[];
  systemPrompt: string | undefined;
}

export class SessionStore {
  readonly #turns = new Map<string, TurnState>();
  readonly #newId: () => string;

  constructor(options: { newId?: () => string } = {}) {
    this.#newId = options.newId ?? randomUUID;
  }

  begin({ previous, seed = [], request }: TurnStart = {}): SessionTurn {
    const before = previous && this.#turns.get(previous.turnId);
    const log = before?.log ?? seed;
    const heard = this.#wasHeard(before, request);
    const state: TurnState = {
      ref: { sessionId: before?.ref.sessionId ?? this.#newId(), turnId: this.#newId() },
      before,
      request,
      // What comes from the chat's text was looked at when it was said.
      learned: heard ? log.length + 1 : before ? undefined : seed.length,
      heard,
      log,
      working: before?.working ?? seed,
      systemPrompt: before?.systemPrompt,
    };
    this.#turns.set(state.ref.turnId, state);
    return turnOver(state);
  }

  /**
   * Whether the same request, at the same place, was learned from before: the person pressed Retry. What they took
   * back since must not return by that. At the start of a session only the turn just before can be that one.
   */
  #wasHeard(before: TurnState | undefined, request: string | undefined): boolean {
    const turns = [...this.#turns.values()];
    const candidates = before ? turns : turns.slice(-1);
    return candidates.some(
      (turn) => turn.before === before && turn.request === request && turn.heard,
    );
  }
}

function turnOver(state: TurnState): SessionTurn {
  return {
    ref: state.ref,
    log: () => state.log,
    working: () => state.working,
    systemPrompt: () => state.systemPrompt,
    setSystemPrompt(text) {
      state.systemPrompt = text;
    },
    append(message, working = message) {
      state.log = [...state.log, message];
      state.working = [...state.working, working];
    },
    appendWorking(message) {
      state.working = [...state.working, message];
    },
    learned: () => learnedOf(state),
    markLearned() {
      state.learned = state.log.length;
      state.heard = true;
    },
    replaceWorking(messages) {
      state.working = messages;
    },
  };
}

/** Asked when it is needed, since the turn before may still be learned from while this one begins. */
function learnedOf(state: TurnState): number {
  return state.learned ?? (state.before ? learnedOf(state.before) : 0);
}
