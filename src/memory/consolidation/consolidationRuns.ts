// The consolidations of one folder. One window at a time is at it; what it is about to do is written down before it
// begins, so that the next to come can complete what was cut off.

import { FolderLock, FolderLockedError } from '../../base/folderLock.ts';
import { makeIgnoredFolder } from '../../base/ignoredFolder.ts';
import { errorText, type Log } from '../../base/log.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import type { Change } from '../change.ts';
import type { ChangeQueue, OpenChange } from '../folder/changeQueue.ts';
import type { ChangeGroup, Journal } from '../folder/journal.ts';
import type { Authors } from '../folder/journalLines.ts';
import type { Trash } from '../folder/trash.ts';
import { readBegun, removeBegun, writeBegun, type Begun } from './begunFile.ts';
import { completeWork, doWork, type Desk, type Work } from './consolidationWork.ts';

/** Somebody who only looks whether another is at it holds the lock for a moment. */
const PATIENCE_MS = 300;

/** Another window is at it; nothing was done. */
export class ConsolidationBusyError extends SentenceError {
  override readonly name = 'ConsolidationBusyError';
}

interface Parts extends Desk {
  readonly folder: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly journal: Journal;
  readonly queue: ChangeQueue;
}

export class ConsolidationRuns {
  readonly #parts: Parts;
  readonly #lock: FolderLock;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { folder } = parts.trash;
    this.#lock = new FolderLock({ folder, log: parts.log, patienceMs: PATIENCE_MS });
  }

  /** Runs `work` while no other window consolidates. Throws ConsolidationBusyError. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const { folder, trash } = this.#parts;
    await makeIgnoredFolder(folder);
    await trash.prepare();
    const begun = { yet: false };
    try {
      return await this.#lock.run(() => {
        begun.yet = true;
        return work();
      });
    } catch (error) {
      if (begun.yet || !(error instanceof FolderLockedError)) throw error;
      const problem = sentence`Another window is consolidating these memories. Try again when it is done.`;
      throw new ConsolidationBusyError(problem, { cause: error });
    }
  }

  /** Whether a window is at it just now. */
  async isBusy(): Promise<boolean> {
    if (!(await this.#parts.trash.isThere())) return false;
    try {
      await this.alone(() => Promise.resolve());
      return false;
    } catch (error) {
      if (error instanceof ConsolidationBusyError) return true;
      throw error;
    }
  }

  /** The files that were changed since a model last looked through the memories. */
  changed(): Promise<ReadonlySet<string>> {
    return this.#parts.journal.changed();
  }

  authors(): Promise<Authors> {
    return this.#parts.journal.authors();
  }

  /** Somebody begins to look through the memories; call what it gives when all were looked at, but for some files. */
  async lookThrough(): Promise<(left?: ReadonlySet<string>) => Promise<void>> {
    const { journal, now, queue } = this.#parts;
    const position = await journal.position();
    return (left) => queue.change(() => journal.markLookedThrough(position, now(), left));
  }

  /** The latest of which something is not undone. */
  last(): Promise<ChangeGroup | undefined> {
    return this.#parts.journal.lastConsolidation();
  }

  /** Writes down what is about to be done. */
  begin(begun: Begun): Promise<void> {
    return writeBegun(this.#parts.trash, begun);
  }

  /** All of it was done, or taken back. */
  async end(): Promise<void> {
    const { log, queue, trash } = this.#parts;
    try {
      // First, since a window that dies before it leaves what was begun, and with that the index, to the next.
      await queue.change(() => Promise.resolve(), undefined, { isLast: true });
      await removeBegun(trash);
    } catch (error) {
      // All is done, and the next window finds nothing left to do.
      log.warn(`[consolidation] its end was not noted: ${errorText(error)}`);
    }
  }

  /** What was begun here and has not come to its end. */
  begun(): Promise<Begun | undefined> {
    return readBegun(this.#parts.trash, this.#parts.log);
  }

  /** Undefined, and nothing done, when one of the records is no longer as it was. MEMORY.md follows at the end. */
  carryOut(work: Work, group: string): Promise<readonly Change[] | undefined> {
    const carryOut = (open: OpenChange) => doWork(work, open, this.#parts);
    return this.#parts.queue.change(carryOut, group, PART);
  }

  /** Whether some of it was taken back. */
  async isTakenBack(group: string): Promise<boolean> {
    return (await this.#parts.journal.stepsOf(group)).isUndone;
  }

  /**
   * For works that may have been begun, or done and not noted: each gives what is done now. What was done before is
   * read once for all of them.
   */
  async completion(group: string): Promise<(work: Work) => Promise<readonly Change[]>> {
    const { journal, queue, trash } = this.#parts;
    const { steps: noted, isUndone } = await journal.stepsOf(group);
    let list: ReturnType<Trash['list']> | undefined;
    const options = { ...this.#parts, noted, isUndone, trashed: () => (list ??= trash.list()) };
    return (work) => queue.change((open) => completeWork(work, open, options), group, PART);
  }
}

const PART = { isLast: false };
