// The way to the database, whatever becomes of it. A write that must wait for another process is kept in order and
// written later; without a disk nothing is kept. What is wrong is told once, and no call fails for it.

import path from 'node:path';
import { lookNow, makePrivateFolder } from '../base/files.ts';
import { errorText, type Log } from '../base/log.ts';
import { isBusy, isCorrupt, type Database } from '../base/sqlite.ts';
import type { SessionProblem } from './session.ts';
import {
  isOrphaned,
  NewerSchemaError,
  openSessions,
  setAside,
  WAIT_MS,
} from './sessionDatabase.ts';

/** For opening, which is not done on every request: others hold it for milliseconds, unless something is wrong. */
const OPENING_PATIENCE_MS = 2_000;
const OPENING_PAUSE_MS = 20;
/** Between two attempts to write what waits. */
const RETRY_MS = 1_000;

export interface StorageOptions {
  /** Undefined: nothing is kept. */
  readonly file: string | undefined;
  readonly log: Log;
  readonly now: () => Date;
  readonly onProblem: (problem: SessionProblem) => void;
}

type Write = (database: Database) => void;

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

  /** Whether all that was written is on the disk. */
  get isComplete(): boolean {
    return this.#keeps && this.#waiting.length === 0;
  }

  /** Opens the database when it is not open, or not the one at its path any more, and writes what waits. */
  async ready(ifMissing: 'create' | 'leave' = 'create'): Promise<void> {
    const { file } = this.#options;
    if (file === undefined || !this.#keeps) return;
    if (this.#database && lookNow(file)?.ino !== this.#ino) {
      this.#options.log.warn(`[sessions] ${file} was removed or replaced while it was open.`);
      this.#close();
    }
    if (!this.#database && (ifMissing === 'create' || lookNow(file) !== undefined)) {
      this.#opening ??= this.#open(file).finally(() => (this.#opening = undefined));
      await this.#opening;
    }
    this.#flush();
  }

  /** Writes at once where that is possible. `write` may be called again after it failed. */
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

  tell(problem: Omit<SessionProblem, 'file' | 'movedTo'> & { readonly movedTo?: string }): void {
    const { file, log, onProblem } = this.#options;
    if (file === undefined || this.#told.has(problem.kind)) return;
    this.#told.add(problem.kind);
    const moved = problem.movedTo === undefined ? '' : ` It was moved to ${problem.movedTo}.`;
    log.warn(`[sessions] ${file}: ${problem.kind}.${moved} ${problem.detail}`);
    onProblem(
      problem.kind === 'corrupt'
        ? { kind: problem.kind, file, movedTo: problem.movedTo ?? '', detail: problem.detail }
        : { kind: problem.kind, file, detail: problem.detail },
    );
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

  async #open(file: string): Promise<void> {
    const deadline = Date.now() + OPENING_PATIENCE_MS;
    for (let moved = 0; ;) {
      try {
        await makePrivateFolder(path.dirname(file));
        if (this.#damage) await this.#moveDamaged(file, this.#damage);
        if (isOrphaned(file)) await setAside(file, this.#options.now());
        const ino = lookNow(file)?.ino;
        try {
          const database = await openSessions(file);
          // It may have been closed meanwhile.
          if (!this.#keeps) return database.close();
          this.#database = database;
          this.#ino = lookNow(file)?.ino;
          return;
        } catch (error) {
          // A new one that is damaged too will not get better by another.
          if (!isCorrupt(error) || moved++ > 0) throw error;
          this.#damage = { detail: errorText(error), ino };
          continue;
        }
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) {
          this.#failed(error);
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, OPENING_PAUSE_MS));
    }
  }

  async #moveDamaged(
    file: string,
    { detail, ino }: { detail: string; ino: number | undefined },
  ): Promise<void> {
    // Another window may have moved it already, and made a new one.
    if (lookNow(file)?.ino === ino) {
      const movedTo = await setAside(file, this.#options.now());
      this.tell({ kind: 'corrupt', movedTo, detail });
    }
    this.#damage = undefined;
  }

  #flush(): void {
    if (!this.#keeps || this.#waiting.length === 0) return;
    const writes = [...this.#waiting];
    const isWritten = this.use((database) => {
      database.change(() => {
        for (const write of writes) write(database);
      });
      return true;
    });
    if (isWritten) {
      this.#waiting.splice(0, writes.length);
      this.#wait('usual');
    } else {
      this.#tryLater();
    }
  }

  #failed(error: unknown): void {
    const detail = errorText(error);
    if (isBusy(error)) {
      this.tell({ kind: 'locked', detail });
      this.#wait('not at all');
      this.#tryLater();
    } else if (isCorrupt(error) && this.#database) {
      this.#damage = { detail, ino: this.#ino };
      this.#close();
    } else {
      this.tell({ kind: error instanceof NewerSchemaError ? 'newer' : 'unavailable', detail });
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
