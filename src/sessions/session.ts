// What a session is to the rest of the code. Its history is kept twice: the log, verbatim and complete, and the
// working history, which carries what a turn adds for the model and may be compacted.

import type { Message, Usage } from '../models/model.ts';

/** Names one turn. A chat keeps it in its result, so that the next request finds what came before. */
export interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

/** A message of the log. Its id is unique over all sessions and never changes. */
export interface LogEntry {
  readonly id: string;
  readonly message: Message;
}

/** That the working history was compacted, and how. */
export interface CompactionMark {
  /** Names of the stages that did something, in order. */
  readonly stages: readonly string[];
  /** Estimated tokens. */
  readonly before: number;
  readonly after: number;
  /** Absolute path of what was archived. */
  readonly archive: string;
  readonly at: Date;
}

/** One answered model request. */
export interface AnsweredRequest {
  readonly model: string;
  /** What the whole input had been estimated at, in tokens. */
  readonly estimate: number;
  readonly usage: Usage;
}

/** Over all turns of a session, those that were edited away included: they were paid for. */
export interface SessionUsage extends Usage {
  readonly requests: number;
}

/** A session as it stands after one turn. The lists grow in place while the turn runs, at their end only. */
export interface SessionView {
  readonly ref: TurnRef;
  /** All messages of the session up to now, verbatim. */
  log(): readonly Message[];
  /** The same with their ids. */
  entries(): readonly LogEntry[];
  /** What is sent to the model. A new list after each compaction. */
  working(): readonly Message[];
  /** The session's frozen system prompt, once there is one. */
  systemPrompt(): string | undefined;
  lastCompaction(): CompactionMark | undefined;
  lastRequest(): AnsweredRequest | undefined;
  usage(): SessionUsage;
}

/**
 * A turn that is being written. Where there is a database, every message is in it when `append` returns, unless another
 * process holds it just then: it survives a crash of the window, though not always a power cut.
 */
export interface SessionTurn extends SessionView {
  /** Undefined: the next request makes a new one. */
  setSystemPrompt(text: string | undefined): void;
  /** Appends to both histories; `working` is what the model sees in its place. */
  append(message: Message, working?: Message): void;
  /** Appends to the working history only: control text that nobody said. */
  appendWorking(message: Message): void;
  /** How many messages of the log an extraction has looked at, here, in a turn before or in another window. */
  learned(): number;
  /** So many messages of the log have been looked at, the request among them; all up to now without a number. */
  markLearned(upTo?: number): void;
  /** Replaces the working history. */
  compacted(messages: readonly Message[], mark: CompactionMark): void;
  answered(request: AnsweredRequest): void;
  /** A request of a sub-agent: it was paid for as well, and says nothing of this history. */
  answeredAside(request: Omit<AnsweredRequest, 'estimate'>): void;
  /** The turn came to its end, in whatever way. One without it was cut off by a crash or a reload. */
  end(): void;
}

/** A turn that has ended, or was cut off, and whose request no extraction has looked at. It is read when it is needed. */
export type UnlearnedTurn = Pick<SessionTurn, 'ref' | 'log' | 'learned' | 'markLearned'>;

/** How a turn begins. */
export interface TurnStart {
  /**
   * Any earlier turn: a chat whose older request is edited goes on from there. Without it, or when it is not known
   * here, a new session begins.
   */
  readonly previous?: TurnRef | undefined;
  /**
   * The person's words of the requests that the chat shows after `previous` and that left no reference: a turn
   * that was cut off. Where one is known it is gone on from, with what it had done; at the start of a chat only when
   * it can be that of no other.
   */
  readonly unfinished?: readonly string[];
  /** The history of a new session: what the chat still shows. */
  readonly seed?: readonly Message[];
  /** The person's words, by which a request that is sent again is known. */
  readonly request?: string;
}

/** What keeps sessions, or one of them, from being kept on the disk. */
export type SessionProblem =
  /** Another process holds it. What could not be written waits, and is written when it is free. */
  | { readonly kind: 'locked'; readonly file: string; readonly detail: string }
  /** It cannot be read and was moved to `movedTo`; a new one was begun. */
  | {
      readonly kind: 'damaged';
      readonly file: string;
      readonly movedTo: string;
      readonly detail: string;
    }
  /** It was made by a newer version of the extension, and is left as it is. Sessions live until the window is closed. */
  | { readonly kind: 'newer'; readonly file: string; readonly detail: string }
  /** No SQLite, no disk to write to, or the file is that of another program and left as it is. Sessions live until the window is closed. */
  | { readonly kind: 'unavailable'; readonly file: string; readonly detail: string }
  /** A chat goes on from a turn that is not in it, or not sound; only the text that the chat shows is known. */
  | { readonly kind: 'lostTurn'; readonly file: string; readonly detail: string };

/** A message that a search found. */
export interface SearchHit {
  /** Names the message for `SessionStore.message`. */
  readonly number: number;
  readonly sessionId: string;
  readonly at: Date;
  readonly from: 'person' | 'assistant' | 'tool';
  /** The words around the first match, at most about 300 characters, on one line. */
  readonly excerpt: string;
}

/** A message, verbatim, that a search named. */
export interface FoundMessage {
  readonly sessionId: string;
  readonly at: Date;
  readonly message: Message;
}
