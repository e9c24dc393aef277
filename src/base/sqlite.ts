// SQLite as the system's Node has it. Files are private to the person, statements are prepared once, and every change
// is a transaction that takes the lock before it reads, so that it cannot fail for what another process did meanwhile.

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { createFileAtomically, lookNow } from './files.ts';

/** SQLite's result codes, the low byte of the code that Node gives: BUSY and LOCKED, and CORRUPT and NOTADB. */
const BUSY_CODES = [5, 6];
const DAMAGED_CODES = [11, 26];
/** READONLY, IOERR, FULL and CANTOPEN. */
const DISK_CODES = [8, 10, 13, 14];

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** What was read makes no sense to whoever wrote it. The database itself is sound. */
export class DamagedDataError extends Error {
  override readonly name = 'DamagedDataError';
}

/** Opens a database, made 0600 when it is new. `waitMs`: how long each statement waits for others, blocking. */
export async function openDatabase(file: string, options: { waitMs: number }): Promise<Database> {
  // Loaded when first needed: not every Node has it.
  const { DatabaseSync } = await import('node:sqlite');
  // Made by us, private: SQLite would give it the mode of the person's mask. What it puts beside it has the same mode.
  if (lookNow(file) === undefined) await createFileAtomically(file, '');
  return new Database(new DatabaseSync(file, { timeout: options.waitMs }));
}

export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs statements that give no rows and take no values. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** The number of rows that changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values);
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#prepared(sql).all(...values);
  }

  /** All of `work` is written, or nothing of it. */
  change<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } finally {
      // After some failures, a full disk among them, SQLite has taken it back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }

  /** A part of a change: when it fails, what it wrote is taken back, and the rest of the change can go on. */
  part<T>(work: () => T): T {
    this.#database.exec('SAVEPOINT part');
    try {
      const result = work();
      this.#database.exec('RELEASE part');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO part; RELEASE part');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Another process, or another connection, holds it: the same may succeed later. */
export function isBusy(error: unknown): boolean {
  return hasResultCode(error, BUSY_CODES);
}

/** The file is no database, or a part of it is not what SQLite wrote. */
export function isDamaged(error: unknown): boolean {
  return hasResultCode(error, DAMAGED_CODES);
}

/** The disk is full, or cannot be read from or written to. */
export function isDiskFailure(error: unknown): boolean {
  return hasResultCode(error, DISK_CODES);
}

/** It failed for what it was given, and not for the file: anything else can still be read and written. */
export function isOwnFailure(error: unknown): boolean {
  return !isBusy(error) && !isDamaged(error) && !isDiskFailure(error);
}

function hasResultCode(error: unknown, codes: readonly number[]): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  return typeof error.errcode === 'number' && codes.includes(error.errcode & 0xff);
}

export function textOf(row: Row, column: string): string {
  const value = optionalTextOf(row, column);
  if (value === undefined) throw new DamagedDataError(`${column} is missing.`);
  return value;
}

/** Undefined for NULL. */
export function optionalTextOf(row: Row, column: string): string | undefined {
  const value = row[column] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new DamagedDataError(`${column} is no text.`);
}

export function numberOf(row: Row, column: string): number {
  const value = optionalNumberOf(row, column);
  if (value === undefined) throw new DamagedDataError(`${column} is missing.`);
  return value;
}

/** Undefined for NULL. */
export function optionalNumberOf(row: Row, column: string): number | undefined {
  const value = row[column] ?? undefined;
  if (value === undefined || typeof value === 'number') return value;
  throw new DamagedDataError(`${column} is no number.`);
}
