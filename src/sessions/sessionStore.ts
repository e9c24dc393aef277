// Short-term history: the sessions of a workspace, in a database and, those in use, in memory. Where there is no
// database they live in memory for one window.

import { randomUUID } from 'node:crypto';
import { numberOf, textOf } from '../base/sqlite.ts';
import { silentLog, type Log } from '../base/log.ts';
import { pruneSessions, removeAllSessions, type PruneLimits, type Removal } from './prune.ts';
import { indexSlice, mergeIndex, searchWords, type StoredHit } from './searchIndex.ts';
import type {
  FoundMessage,
  SearchHit,
  SessionProblem,
  SessionTurn,
  SessionView,
  TurnRef,
  TurnStart,
  UnlearnedTurn,
} from './session.ts';
import { READING_PATIENCE_MS, SessionStorage } from './sessionStorage.ts';
import { TurnCache } from './turnCache.ts';
import { messageOf } from './turnChain.ts';
import { TurnLookup } from './turnLookup.ts';
import { insertTurn, writeChange } from './turnRows.ts';
import {
  appendMessage,
  branchOf,
  sessionTurnOf,
  unwrittenRequest,
  viewOf,
  type TurnChange,
  type TurnState,
} from './turnState.ts';
import { unlearnedTurn, unlearnedTurns } from './unlearnedTurns.ts';
import { findInWindow, messageInWindow } from './windowSearch.ts';

/** The name of the database. It lies in the folder that the editor gives an extension for a workspace. */
export const SESSIONS_FILE = 'sessions.db';

const DEFAULT_HITS = 10;

export class SessionStore {
  readonly #storage: SessionStorage;
  readonly #newId: () => string;
  readonly #now: () => Date;
  readonly #cache: TurnCache;
  readonly #lookup: TurnLookup;
  #indexing: Promise<void> | undefined;

  /** Without `file` sessions live until the window is closed. */
  constructor(
    options: {
      readonly file?: string;
      readonly log?: Log;
      readonly newId?: () => string;
      readonly now?: () => Date;
      /** How long a chat that goes on waits for a process that lets nothing be read. */
      readonly patienceMs?: number;
      /** Called once for each kind. */
      readonly onProblem?: (problem: SessionProblem) => void;
    } = {},
  ) {
    this.#newId = options.newId ?? randomUUID;
    this.#now = options.now ?? (() => new Date());
    this.#storage = new SessionStorage({
      file: options.file,
      log: options.log ?? silentLog,
      now: this.#now,
      patienceMs: options.patienceMs ?? READING_PATIENCE_MS,
      onProblem: options.onProblem ?? (() => {}),
    });
    this.#cache = new TurnCache(() => this.#storage.isComplete);
    this.#lookup = new TurnLookup({ storage: this.#storage, cache: this.#cache, now: this.#now });
  }

  async begin({ previous, unfinished, seed = [], request }: TurnStart = {}): Promise<SessionTurn> {
    const isKnown = !previous || this.#cache.get(previous.turnId) !== undefined;
    await (isKnown ? this.#storage.ready() : this.#storage.readable());
    const before = this.#lookup.find(previous, unfinished);
    // What was read may have shown that the database is damaged; then there is a new one to write to.
    await this.#storage.ready();
    const turnId = this.#newId();
    const sessionId = before?.ref.sessionId ?? this.#newId();
    const given = before ? unwrittenRequest(before) : seed;
    const state = branchOf(before, {
      ref: { sessionId, turnId },
      request,
      created: this.#now(),
      order: this.#cache.nextOrder(),
      requestLearned: this.#lookup.wasLearned(before, request),
      startedAt: given.length,
      total: this.#lookup.totalOf(sessionId),
    });
    const changes = given.map((each) => appendMessage(state, each, each));
    const now = this.#now();
    const beforeUpTo = before ? before.position - 1 : -1;
    this.#storage.write((database) => {
      const afterwards = insertTurn(database, state, { beforeUpTo, now });
      for (const change of changes) writeChange(database, state, change, now);
      return afterwards;
    });
    this.#cache.begin(state);
    return sessionTurnOf(
      state,
      (change) => this.#store(state, change),
      () => this.#lookup.storedLearned(turnId),
    );
  }

  /** The session as it stands after a turn; undefined when that is not known. */
  async find(
    previous: TurnRef | undefined,
    unfinished?: readonly string[],
  ): Promise<SessionView | undefined> {
    await this.#storage.ready('leave');
    const state = this.#lookup.find(previous, unfinished);
    return state && viewOf(state);
  }

  /**
   * Messages in which all words of the query occur. What was said comes before what a tool printed, and of each the
   * newest first.
   */
  async search(
    query: string,
    options: { readonly limit?: number; readonly sessionId?: string } = {},
  ): Promise<readonly SearchHit[]> {
    const { limit = DEFAULT_HITS, sessionId } = options;
    await this.#storage.ready('leave');
    await this.#index();
    const stored = this.#storage.use((database) =>
      searchWords(database, query, { limit, sessionId }),
    );
    if (this.#storage.isComplete) return (stored ?? []).map(withoutTurn);
    // The disk is full, or held by another process: what it has is older than what is known here.
    const here = findInWindow(this.#cache.turns, query, sessionId);
    const older = (stored ?? []).filter(({ turnId }) => !this.#cache.turns.has(turnId));
    return [...here, ...older].slice(0, limit).map(withoutTurn);
  }

  /** One message, verbatim, that a search named. */
  async message(number: number): Promise<FoundMessage | undefined> {
    if (number < 0) return messageInWindow(this.#cache.turns, number);
    await this.#storage.ready('leave');
    return this.#storage.use((database) => {
      const row = database.get(
        `SELECT turns.session, entries.created, body FROM entries JOIN turns ON turns.number = turn
         WHERE entries.number = ? AND kind = 'message'`,
        number,
      );
      if (!row) return undefined;
      const at = new Date(numberOf(row, 'created'));
      return {
        sessionId: textOf(row, 'session'),
        at,
        message: messageOf(row, 'body', `Entry ${number}`),
      };
    });
  }

  /** Removes whole sessions, those first that were not used for longest. Returns how many. */
  async prune(limits: PruneLimits): Promise<number> {
    await this.#storage.ready('leave');
    return pruneSessions(this.#storage, { ...this.#removal(), limits });
  }

  /**
   * Removes all sessions but those that are at work in this window; where another is at work on one, what it says from
   * then on is not kept. Returns how many. Throws when not all could be removed.
   */
  async removeAll(): Promise<number> {
    await this.#storage.ready('leave');
    const stored = await removeAllSessions(this.#storage, this.#removal());
    const left = this.#cache.endedSessions();
    for (const id of left) this.#cache.forgetSession(id);
    return stored + left.length;
  }

  /**
   * The newest turns of the last days that are over, and whose request no extraction has looked at; oldest first. What
   * another window may still be at work on is left to it.
   */
  async unlearned(): Promise<readonly UnlearnedTurn[]> {
    await this.#storage.ready('leave');
    const { turns } = this.#cache;
    const found = unlearnedTurns(this.#storage, { turns, now: this.#now() });
    return found.map((ref) =>
      unlearnedTurn(ref, {
        open: () => this.#lookup.turn(ref.turnId),
        store: (state, change) => this.#store(state, change),
        storedLearned: () => this.#lookup.storedLearned(ref.turnId),
      }),
    );
  }

  /** The logs of the turns that run in this window. */
  running(): readonly SessionView[] {
    const turns = [...this.#cache.turns.values()];
    return turns.filter(({ status }) => status === 'running').map(viewOf);
  }

  /** The ids of the sessions that are at work in this window. */
  runningSessions(): readonly string[] {
    return this.#cache.runningSessions();
  }

  close(): void {
    this.#storage.close();
  }

  #removal(): Removal {
    return {
      now: this.#now(),
      isRunning: (id) => this.runningSessions().includes(id),
      onRemoved: (id) => this.#cache.forgetSession(id),
    };
  }

  #store(state: TurnState, change: TurnChange): void {
    const now = this.#now();
    this.#storage.write((database) => writeChange(database, state, change, now));
    if (change.kind !== 'ended') return;
    this.#cache.forgetOldest();
    void this.#index();
  }

  /** Until all is indexed, without holding up anything else. */
  #index(): Promise<void> {
    this.#indexing ??= this.#indexSlices().finally(() => (this.#indexing = undefined));
    return this.#indexing;
  }

  async #indexSlices(): Promise<void> {
    do {
      await pause();
      while (this.#storage.use(mergeIndex)) await pause();
    } while (
      this.#storage.use((database) =>
        indexSlice(database, (entry, error) =>
          this.#storage.skipped(`Message ${entry} of the search`, error),
        ),
      )
    );
  }
}

function withoutTurn({ number, sessionId, at, from, excerpt }: StoredHit): SearchHit {
  return { number, sessionId, at, from, excerpt };
}

function pause(): Promise<void> {
  return new Promise(setImmediate);
}
