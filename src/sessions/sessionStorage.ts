// The way to the database, whatever becomes of it. A write that must wait for another process is kept in order and
// written later; without a disk nothing is kept. What is wrong is told once, and no call fails for it.

import path from 'node:path';
import { lookNow, makePrivateFolder } from '../base/files.ts';
import { errorText, type Log } from '../base/log.ts';
import { DamagedDataError, isBusy, isDamaged, type Database } from '../base/sqlite.ts';
import { hasChanges, setAside } from './damagedFiles.ts';
import type { SessionProblem } from './session.ts';
import { NewerSchemaError, openSessions, WAIT_MS } from './sessionDatabase.ts';
import type { Afterwards } from './turnRows.ts';

/** For opening, which is not done on every request: others hold it for milliseconds, unless something is wrong. */
const OPENING_PATIENCE_MS = 2_000;
const OPENING_PAUSE_MS = 20;
/** Between two attempts to write what waits. */
const RETRY_MS = 1_000;

interface StorageOptions {
  /** Undefined: nothing is kept. */
  readonly file: string | undefined;
  readonly log: Log;
  readonly now: () => Date;
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
  #damage: { readonly detail: string; readonly ino: number | undefined } | undefined;
  #waiting: Write[] = [];
  #isSlow = false;
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
      // The path itself may be what cannot be looked at.
      this.#failed(error);
    }
    this.#flush();
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
      return use(this.#database);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
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
    const deadline = Date.now() + OPENING_PATIENCE_MS;
    for (;;) {
      try {
        return await this.#openOrReplace(file);
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, OPENING_PAUSE_MS));
    }
  }

  async #openOrReplace(file: string): Promise<void> {
    await makePrivateFolder(path.dirname(file));
    await this.#moveDamaged(file);
    await this.#moveChanges(file);
    const ino = lookNow(file)?.ino;
    try {
      await this.#openOnce(file);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      this.#damage = { detail: errorText(error), ino };
      await this.#moveDamaged(file);
      // A new one that is damaged too will not get better by another.
      await this.#openOnce(file);
    }
  }

  async #openOnce(file: string): Promise<void> {
    const database = await openSessions(file);
    // It may have been closed meanwhile.
    if (!this.#keeps) return database.close();
    this.#database = database;
    this.#ino = lookNow(file)?.ino;
  }

  async #moveDamaged(file: string): Promise<void> {
    if (!this.#damage) return;
    const { detail, ino } = this.#damage;
    // Another window may have moved it already, and made a new one.
    if (lookNow(file)?.ino === ino) {
      const movedTo = await setAside(file, this.#options.now());
      this.tell({ kind: 'damaged', file, movedTo, detail });
    }
    this.#damage = undefined;
  }

  /** SQLite removes the changes beside a database that is gone or empty: they may be all that is left of it. */
  async #moveChanges(file: string): Promise<void> {
    const size = lookNow(file)?.size;
    if ((size ?? 0) > 0 || !hasChanges(file)) return;
    const movedTo = await setAside(file, this.#options.now());
    if (size === undefined) {
      this.#options.log.warn(
        `[sessions] ${file} is gone; its last changes were moved to ${movedTo}-wal.`,
      );
    } else {
      const detail = 'It is empty, and changes that are not in it stand beside it.';
      this.tell({ kind: 'damaged', file, movedTo, detail });
    }
  }

  #flush(): void {
    if (!this.#keeps || this.#waiting.length === 0) return;
    const writes = [...this.#waiting];
    const afterwards = this.use((database) =>
      database.change(() => writes.map((write) => write(database))),
    );
    if (afterwards) {
      this.#waiting.splice(0, writes.length);
      for (const apply of afterwards) apply?.();
      this.#wait('usual');
    } else {
      this.#tryLater();
    }
  }

  #failed(error: unknown): void {
    const { file, log } = this.#options;
    if (file === undefined) return;
    const detail = errorText(error);
    if (error instanceof DamagedDataError) {
      // It costs what was asked for. Nothing else in the file is worse for it.
      log.warn(`[sessions] ${file}: ${detail}`);
    } else if (isBusy(error)) {
      this.tell({ kind: 'locked', file, detail });
      this.#wait('not at all');
      this.#tryLater();
    } else if (isDamaged(error) && this.#database) {
      this.#damage = { detail, ino: this.#ino };
      this.#close();
    } else {
      const kind = error instanceof NewerSchemaError ? 'newer' : 'unavailable';
      this.tell({ kind, file, detail });
      this.#keeps = false;
      this.#waiting = [];
    }
  }

  /** While another process holds it, each attempt would block for nothing. */
  #wait(patience: 'usual' | 'not at all'): void {
    const isSlow = patience === 'not at all';
    if (isSlow === this.#isSlow || !this.#database) return;
    this.#database.exec(`PRAGMA busy_timeout = ${isSlow ? 0 : WAIT_MS}`);
    this.#isSlow = isSlow;
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
    this.#isSlow = false;
    const database = this.#database;
    this.#database = undefined;
    try {
      database?.close();
    } catch (error) {
      this.#options.log.warn(`[sessions] Closing failed: ${errorText(error)}`);
    }
  }
}
