// One process at a time in a folder. The lock is the one that the system keeps for SQLite on a file in the folder:
// it ends with its owner, however that dies, so there is no stale lock to find and to break.

import path from 'node:path';
import { lookNow } from './files.ts';
import { errorText, type Log } from './log.ts';
import { sentence, SentenceError } from './sentence.ts';
import { isBusy, openDatabase, type Database } from './sqlite.ts';

/** In the folder that is locked. */
export const LOCK_FILE = '.lock';
/** Far longer than any change takes, and still bearable for a person who waits. */
const PATIENCE_MS = 15_000;
/** Between two attempts, give or take a half, so that many who wait do not knock in step. */
const PAUSE_MS = 10;

/** Another process is at work; nothing was done. */
export class FolderLockedError extends SentenceError {
  override readonly name = 'FolderLockedError';
}

export class FolderLock {
  readonly #folder: string;
  readonly #log: Log;
  readonly #patienceMs: number;
  #warned = false;

  constructor(options: {
    /** It must exist when `run` is called. */
    readonly folder: string;
    readonly log: Log;
    readonly patienceMs?: number;
  }) {
    this.#folder = options.folder;
    this.#log = options.log;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /**
   * Runs `work` while nobody else runs work in the folder. Where the disk takes no lock, `work` runs without one.
   * Throws FolderLockedError after a long wait.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const held = await this.#take();
    try {
      return await work();
    } finally {
      held?.close();
    }
  }

  async #take(): Promise<Database | undefined> {
    const file = path.join(this.#folder, LOCK_FILE);
    const deadline = Date.now() + this.#patienceMs;
    for (;;) {
      try {
        return await lockFile(file);
      } catch (error) {
        if (!isBusy(error)) return this.#goWithout(error);
        if (Date.now() > deadline) throw this.#stillLocked(error);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
    }
  }

  #goWithout(error: unknown): undefined {
    if (this.#warned) return;
    this.#warned = true;
    this.#log.warn(
      `[lock] ${this.#folder} cannot be locked, so changes are made without a lock: ${errorText(error)}`,
    );
  }

  #stillLocked(cause: unknown): FolderLockedError {
    const seconds = Math.round(this.#patienceMs / 1000);
    return new FolderLockedError(
      sentence`Another window has been at work in ${this.#folder} for ${seconds} seconds. Nothing was changed; try again.`,
      { cause },
    );
  }
}

/** Locked until the database is closed. Nothing is ever written to it. */
async function lockFile(file: string): Promise<Database> {
  const present = lookNow(file);
  if (present && present.kind !== 'file')
    throw new Error(`${LOCK_FILE} is a ${present.kind} and not a file.`);
  // Ours is empty. A database that came with a repository may have a journal beside it, which SQLite would play back:
  // that writes pages, and removes a file that the journal names.
  if (present && present.size > 0)
    throw new Error(`${LOCK_FILE} is not empty, so it is not a lock.`);
  const database = await openDatabase(file, { waitMs: 0 });
  try {
    // No journal beside the file: it would come and go, and everybody who watches the folder would look again.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
