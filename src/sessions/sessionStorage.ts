// The way to the database, whatever becomes of it. A write that must wait for another process is kept in order and
// written later; without a disk nothing is kept. What is wrong is told once, and no call fails for it.

import path from 'node:path';
import { lookNow } from '../base/files.ts';
import { FolderLock, FolderLockedError } from '../base/folderLock.ts';
import { errorText, type Log } from '../base/log.ts';
import { isBusy, isDamaged, isDiskFailure, isOwnFailure, type Database } from '../base/sqlite.ts';
import { openInPlace, type Damage } from './openInPlace.ts';
import type { SessionProblem } from './session.ts';
import { NewerSchemaError, WAIT_MS } from './sessionDatabase.ts';
import type { Afterwards } from './turnRows.ts';

/** For opening, which is not done on every request: others hold it for milliseconds, unless something is wrong. */
const OPENING_PATIENCE_MS = 2_000;
const OPENING_PAUSE_MS = 20;
/** For reading what a chat goes on from: without it, it goes on from the text that it shows, for good. */
export const READING_PATIENCE_MS = 10_000;
const READING_PAUSE_MS = 100;
/** Between two attempts to write what waits. */
const RETRY_MS = 1_000;
/** What waits is lost when the window closes, so that may hold up the thread for a moment. */
const CLOSING_PATIENCE_MS = 1_000;

interface StorageOptions {
  /** Undefined: nothing is kept. */
  readonly file: string | undefined;
  readonly log: Log;
  readonly now: () => Date;
  /** See `READING_PATIENCE_MS`. */
  readonly patienceMs: number;
  readonly onProblem: (problem: SessionProblem) => void;
}

type Write = (database: Database) => Afterwards | undefined;

export class SessionStorage {
  readonly #options: StorageOptions;
  readonly #told = new Set<SessionProblem['kind']>();
  #database: Database | undefined;
  /** Names the file that is open, whatever stands at its path by now. */
  #ino: number | undefined;
  #opening: Promise<void> | undefined;
  /** Why the file must not be used; it is moved before the next is made. */
  #damage: Damage | undefined;
  #waiting: Write[] = [];
  #waitMs = WAIT_MS;
  #isHeld = false;
  /** That another process gives it free was waited for in vain. */
  #hasWaited = false;
  #timer: NodeJS.Timeout | undefined;
  #keeps: boolean;

  constructor(options: StorageOptions) {
    this.#options = options;
    this.#keeps = options.file !== undefined;
  }

  get file(): string | undefined {
    return this.#options.file;
  }

  /** Whether all that was written is on the disk. */
  get isComplete(): boolean {
    return this.#keeps && this.#waiting.length === 0;
  }

  /** Whether another process has kept this one from it when it was tried last. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Opens the database when it is not open, or not the one at its path any more, and writes what waits. */
  async ready(ifMissing: 'create' | 'leave' = 'create'): Promise<void> {
    const { file } = this.#options;
    if (file === undefined || !this.#keeps) return;
    try {
      this.#closeReplaced(file);
      if (!this.#database && (ifMissing === 'create' || lookNow(file) !== undefined)) {
        this.#opening ??= this.#open(file).finally(() => (this.#opening = undefined));
        await this.#opening;
      }
    } catch (error) {
      this.#cannotOpen(file, error);
    }
    this.#flush();
    if (this.#waiting.length === 0) this.#wait(WAIT_MS);
  }

  /** As `ready`, and waits, once, for another process that lets nothing be read. */
  async readable(): Promise<void> {
    const deadline = Date.now() + this.#patienceMs(this.#options.patienceMs);
    for (;;) {
      await this.ready();
      this.use((database) => database.get('SELECT 1 FROM indexed'));
      if (!this.#keeps || !this.#isHeld || Date.now() >= deadline) break;
      await new Promise((resolve) => setTimeout(resolve, READING_PAUSE_MS));
    }
    this.#hasWaited = this.#isHeld;
  }

  /** Writes at once where that is possible. `write` may be called again, after all that it wrote was taken back. */
  write(write: Write): void {
    if (!this.#keeps) return;
    this.#waiting.push(write);
    this.#flush();
  }

  /** What `use` returns; undefined when there is no database, or when it failed. It may write, if that can be left. */
  use<T>(use: (database: Database) => T): T | undefined {
    if (!this.#database) return undefined;
    try {
      const result = use(this.#database);
      this.#isHeld = false;
      return result;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** Tells who looks into the log what was left out for its own failure, which is no failure of the file. */
  skipped(what: string, error: unknown): void {
    this.#options.log.warn(`[sessions] ${this.file}: ${what} was left out: ${errorText(error)}`);
  }

  /** Once for each kind. */
  tell(problem: SessionProblem): void {
    if (this.#told.has(problem.kind)) return;
    this.#told.add(problem.kind);
    const { file, kind, detail } = problem;
    const moved = kind === 'damaged' ? ` It was moved to ${problem.movedTo}.` : '';
    this.#options.log.warn(`[sessions] ${file}: ${kind}.${moved} ${detail}`);
    this.#options.onProblem(problem);
  }

  /** Nothing is kept after it. */
  close(): void {
    this.#wait(CLOSING_PATIENCE_MS);
    this.#flush();
    if (this.#waiting.length > 0)
      this.#options.log.error(`[sessions] ${this.#waiting.length} changes could not be written.`);
    this.#keeps = false;
    this.#waiting = [];
    this.#close();
  }

  #closeReplaced(file: string): void {
    if (!this.#database || lookNow(file)?.ino === this.#ino) return;
    this.#options.log.warn(`[sessions] ${file} was removed or replaced while it was open.`);
    this.#close();
  }

  /** Waits for other processes, for some time. */
  async #open(file: string): Promise<void> {
    const patienceMs = this.#patienceMs(OPENING_PATIENCE_MS);
    const { log } = this.#options;
    const lock = new FolderLock({ folder: path.dirname(file), log, patienceMs });
    const deadline = Date.now() + patienceMs;
    for (;;) {
      try {
        return await this.#openOnce(file, lock);
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, OPENING_PAUSE_MS));
    }
  }

  async #openOnce(file: string, lock: FolderLock): Promise<void> {
    const { log, now } = this.#options;
    const tell = (problem: SessionProblem) => this.tell(problem);
    const database = await openInPlace(file, { lock, damage: this.#damage, log, now, tell });
    this.#damage = undefined;
    this.#isHeld = false;
    this.#hasWaited = false;
    // It may have been closed meanwhile.
    if (!this.#keeps) return database.close();
    this.#database = database;
    this.#ino = lookNow(file)?.ino;
  }

  #flush(): void {
    if (!this.#keeps || this.#waiting.length === 0) return;
    const database = this.#database;
    const writes = [...this.#waiting];
    try {
      const afterwards = database?.change(() =>
        writes.map((write) => this.#writeOrSkip(database, write)),
      );
      if (!afterwards) return this.#tryLater();
      this.#waiting.splice(0, writes.length);
      for (const apply of afterwards) apply?.();
      this.#wait(WAIT_MS);
    } catch (error) {
      // They would fail again.
      if (isOwnFailure(error)) this.#waiting.splice(0, writes.length);
      this.#failed(error);
      this.#tryLater();
    }
  }

  #writeOrSkip(database: Database, write: Write): Afterwards | undefined {
    try {
      return database.part(() => write(database));
    } catch (error) {
      if (!isOwnFailure(error)) throw error;
      this.skipped('A change', error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    const { file } = this.#options;
    if (file === undefined) return;
    const detail = errorText(error);
    if (isBusy(error)) {
      this.#held(file, detail);
    } else if (isDamaged(error)) {
      this.#damage = { detail, ino: this.#ino };
      this.#close();
    } else if (isDiskFailure(error)) {
      this.#keepNothing({ kind: 'unavailable', file, detail });
    } else {
      // It costs what was asked for. Nothing else in the file is worse for it.
      this.#options.log.warn(`[sessions] ${file}: ${detail}`);
    }
  }

  /** Also when the path itself cannot be looked at. */
  #cannotOpen(file: string, error: unknown): void {
    const detail = errorText(error);
    if (isBusy(error) || error instanceof FolderLockedError) return this.#held(file, detail);
    const kind = error instanceof NewerSchemaError ? 'newer' : 'unavailable';
    this.#keepNothing({ kind, file, detail });
  }

  #held(file: string, detail: string): void {
    this.#isHeld = true;
    this.tell({ kind: 'locked', file, detail });
    // Each attempt would block for nothing.
    this.#wait(0);
    this.#tryLater();
  }

  #keepNothing(problem: SessionProblem): void {
    this.tell(problem);
    this.#keeps = false;
    this.#waiting = [];
  }

  #patienceMs(usual: number): number {
    return this.#hasWaited ? 0 : Math.min(usual, this.#options.patienceMs);
  }

  /** How long each statement waits for other processes from now on. */
  #wait(ms: number): void {
    if (ms === this.#waitMs || !this.#database) return;
    this.#database.exec(`PRAGMA busy_timeout = ${ms}`);
    this.#waitMs = ms;
  }

  #tryLater(): void {
    if (!this.#keeps || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.ready();
    }, RETRY_MS).unref();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitMs = WAIT_MS;
    const database = this.#database;
    this.#database = undefined;
    try {
      database?.close();
    } catch (error) {
      this.#options.log.warn(`[sessions] Closing failed: ${errorText(error)}`);
    }
  }
}
