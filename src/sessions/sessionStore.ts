// Short-term history: the sessions of a workspace, in a database and, those in use, in memory. Where there is no
// database they live in memory for one window.

import { randomUUID } from 'node:crypto';
import { numberOf, textOf } from '../base/sqlite.ts';
import { silentLog, type Log } from '../base/log.ts';
import { userText, type Message } from '../models/model.ts';
import { pruneSessions, removeAllSessions, type PruneLimits } from './prune.ts';
import { indexSlice, mergeIndex, searchWords, type StoredHit } from './searchIndex.ts';
import type {
  FoundMessage,
  SearchHit,
  SessionProblem,
  SessionTurn,
  SessionView,
  TurnRef,
  TurnStart,
} from './session.ts';
import { SessionStorage } from './sessionStorage.ts';
import { TurnCache } from './turnCache.ts';
import { loadTotal, loadTurn, messageOf } from './turnChain.ts';
import {
  cutOffTurns,
  insertTurn,
  wasLearnedAfter,
  wasLearnedAtStart,
  writeChange,
} from './turnRows.ts';
import {
  appendMessage,
  branchOf,
  noUsage,
  sessionTurnOf,
  viewOf,
  type TurnChange,
  type TurnState,
  type UsageTotal,
} from './turnState.ts';
import { findInWindow, messageInWindow } from './windowSearch.ts';

/** The name of the database. It lies in the folder that the editor gives an extension for a workspace. */
export const SESSIONS_FILE = 'sessions.db';

const DEFAULT_HITS = 10;

export class SessionStore {
  readonly #storage: SessionStorage;
  readonly #newId: () => string;
  readonly #now: () => Date;
  readonly #cache: TurnCache;
  /** The turn that began last in this window. */
  #newest: TurnState | undefined;
  #order = 0;
  #indexing: Promise<void> | undefined;

  /** Without `file` sessions live until the window is closed. */
  constructor(
    options: {
      readonly file?: string;
      readonly log?: Log;
      readonly newId?: () => string;
      readonly now?: () => Date;
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
      onProblem: options.onProblem ?? (() => {}),
    });
    this.#cache = new TurnCache(() => this.#storage.isComplete);
  }

  async begin({ previous, unfinished, seed = [], request }: TurnStart = {}): Promise<SessionTurn> {
    await this.#storage.ready();
    const before = this.#turnToGoOnFrom(previous, unfinished);
    // What was read may have shown that the database is damaged; then there is a new one to write to.
    await this.#storage.ready();
    const turnId = this.#newId();
    const sessionId = before?.ref.sessionId ?? this.#newId();
    const given = before ? unwrittenRequest(before) : seed;
    const state = branchOf(before, {
      ref: { sessionId, turnId },
      request,
      created: this.#now(),
      order: this.#order++,
      requestLearned: this.#wasLearned(before, request),
      startedAt: given.length,
      total: this.#totalOf(sessionId),
    });
    const changes = given.map((each) => appendMessage(state, each, each));
    const now = this.#now();
    this.#storage.write((database) => {
      const afterwards = insertTurn(database, state, now);
      for (const change of changes) writeChange(database, state, change, now);
      return afterwards;
    });
    this.#newest = state;
    this.#cache.keep(state);
    return sessionTurnOf(state, (change) => this.#store(state, change));
  }

  /** The session as it stands after a turn; undefined when that is not known. */
  async find(
    previous: TurnRef | undefined,
    unfinished?: readonly string[],
  ): Promise<SessionView | undefined> {
    await this.#storage.ready('leave');
    const state = this.#turnToGoOnFrom(previous, unfinished);
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
    const isRunning = this.#isRunning;
    return this.#forget(
      await pruneSessions(this.#storage, { limits, now: this.#now(), isRunning }),
    );
  }

  /** Removes all sessions but those that are at work in this window. Returns how many. */
  async removeAll(): Promise<number> {
    await this.#storage.ready('leave');
    return this.#forget(await removeAllSessions(this.#storage, this.#isRunning));
  }

  /** The ids of the sessions that are at work in this window. */
  runningSessions(): readonly string[] {
    return this.#cache.runningSessions();
  }

  close(): void {
    this.#storage.close();
  }

  readonly #isRunning = (sessionId: string): boolean => this.runningSessions().includes(sessionId);

  #forget(removed: ReadonlySet<string>): number {
    this.#cache.forgetSessions(removed);
    return removed.size;
  }

  #turnToGoOnFrom(
    previous: TurnRef | undefined,
    unfinished: readonly string[] = [],
  ): TurnState | undefined {
    let state = previous && this.#turn(previous.turnId);
    if (previous && !state) {
      const { file } = this.#storage;
      const detail = `Turn ${previous.turnId} is not in it, or not sound.`;
      if (file !== undefined) this.#storage.tell({ kind: 'lostTurn', file, detail });
      return undefined;
    }
    for (const request of unfinished) state = this.#cutOff(state, request) ?? state;
    return state;
  }

  #turn(id: string): TurnState | undefined {
    const known = this.#cache.get(id);
    if (known) return known;
    const loaded = this.#storage.use((database) =>
      loadTurn(database, id, {
        order: this.#order++,
        totalOf: (sessionId) => this.#totalOf(sessionId),
      }),
    );
    if (loaded?.status === 'ended') this.#cache.keep(loaded);
    return loaded;
  }

  /** The turn after `before` that a crash or a reload has cut off. */
  #cutOff(before: TurnState | undefined, request: string): TurnState | undefined {
    const here = [...this.#cache.turns.values()].filter(
      (turn) =>
        turn.status === 'running' &&
        turn.previous === before?.ref.turnId &&
        turn.request === request,
    );
    // At the start of a session it may be that of another chat, which is at work here.
    if (before && here.length > 0) return here.at(-1);
    const stored = this.#storage.use((database) =>
      cutOffTurns(database, before?.ref.turnId, request),
    );
    const id = stored?.find((turn) => !here.some(({ ref }) => ref.turnId === turn));
    return id === undefined ? undefined : this.#turn(id);
  }

  /**
   * Whether the same request, at the same place, was learned from before: the person pressed Retry. What they took
   * back since must not return by that. At the start of a session only the turn just before can be that one.
   */
  #wasLearned(before: TurnState | undefined, request: string | undefined): boolean {
    const isIt = (turn: TurnState) =>
      turn.previous === before?.ref.turnId &&
      turn.request === request &&
      turn.learning.requestLearned;
    if (!before) {
      if (this.#newest) return isIt(this.#newest);
      return this.#storage.use((database) => wasLearnedAtStart(database, request)) ?? false;
    }
    const { turnId } = before.ref;
    if ([...this.#cache.turns.values()].some(isIt)) return true;
    return this.#storage.use((database) => wasLearnedAfter(database, turnId, request)) ?? false;
  }

  #store(state: TurnState, change: TurnChange): void {
    const now = this.#now();
    this.#storage.write((database) => writeChange(database, state, change, now));
    if (change.kind !== 'ended') return;
    this.#cache.forgetOldest();
    void this.#index();
  }

  #totalOf(sessionId: string): UsageTotal {
    return this.#cache.totalOf(
      sessionId,
      () => this.#storage.use((database) => loadTotal(database, sessionId)) ?? noUsage(),
    );
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

/** What the person said in a turn that was cut off before it had written that. */
function unwrittenRequest({ status, position, startedAt, request }: TurnState): readonly Message[] {
  return status !== 'ended' && position === startedAt && request ? [userText(request)] : [];
}

function withoutTurn({ number, sessionId, at, from, excerpt }: StoredHit): SearchHit {
  return { number, sessionId, at, from, excerpt };
}

function pause(): Promise<void> {
  return new Promise(setImmediate);
}
