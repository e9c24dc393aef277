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

interface TurnState {
  readonly ref: TurnRef;
  readonly before: TurnState | undefined;
  /** Of the log; undefined while no extraction has looked at this turn. */
  learned: number | undefined;
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

  /**
   * Begins a turn after `previous`, which may be any earlier turn: a chat whose older request is edited goes on
   * from there. Without it, or when it is not known here, a new session begins with `seed` as its history.
   */
  begin(previous: TurnRef | undefined, seed: readonly Message[] = []): SessionTurn {
    const before = previous && this.#turns.get(previous.turnId);
    const state: TurnState = {
      ref: { sessionId: before?.ref.sessionId ?? this.#newId(), turnId: this.#newId() },
      before,
      // What comes from the chat's text was looked at when it was said.
      learned: before ? undefined : seed.length,
      log: before?.log ?? seed,
      working: before?.working ?? seed,
      systemPrompt: before?.systemPrompt,
    };
    this.#turns.set(state.ref.turnId, state);
    return turnOver(state);
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
