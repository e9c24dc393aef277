// The consolidations of one folder. One window at a time is at it; what it is about to do is written down before it
// begins, so that the next to come can complete what was cut off.

import path from 'node:path';
import * as z from 'zod/mini';
import {
  kindIfPresent,
  readBytesIfPresent,
  removeFile,
  writeFileAtomically,
} from '../base/files.ts';
import { FolderLock, FolderLockedError } from '../base/folderLock.ts';
import { makeIgnoredFolder } from '../base/ignoredFolder.ts';
import type { Log } from '../base/log.ts';
import { parseJson } from '../base/parseJson.ts';
import type { Change } from './change.ts';
import type { ChangeQueue } from './changeQueue.ts';
import { completeWork, doWork, Work, type Desk } from './consolidationWork.ts';
import type { ChangeGroup, Journal } from './journal.ts';
import type { Authors } from './journalLines.ts';
import { CONSOLIDATION_FILE } from './trash.ts';

const Begun = z.object({ group: z.string(), works: z.array(Work) });
export type Begun = z.infer<typeof Begun>;

/** Somebody who only looks whether another is at it holds the lock for a moment. */
const PATIENCE_MS = 300;

/** Another window is at it; nothing was done. */
export class ConsolidationBusyError extends Error {
  override readonly name = 'ConsolidationBusyError';
}

interface Parts extends Desk {
  readonly folder: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly journal: Journal;
  readonly queue: ChangeQueue;
}

export class Consolidations {
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
      const problem = 'Another window is consolidating these memories. Try again when it is done.';
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
  async begin(begun: Begun): Promise<void> {
    await this.#parts.trash.prepare();
    await writeFileAtomically(this.#file, JSON.stringify(begun));
  }

  /** All of it was done, or taken back. */
  async end(): Promise<void> {
    await removeFile(this.#file);
  }

  /** What was begun and has not come to its end. */
  async begun(): Promise<Begun | undefined> {
    const { trash } = this.#parts;
    // A link may have come with a repository.
    const isFile = (await trash.isThere()) && (await kindIfPresent(this.#file)) === 'file';
    const bytes = isFile ? await readBytesIfPresent(this.#file) : undefined;
    return Begun.safeParse(parseJson(bytes?.toString() ?? '')).data;
  }

  /** Undefined, and nothing done, when one of the records is no longer as it was. */
  carryOut(work: Work, group: string): Promise<readonly Change[] | undefined> {
    return this.#parts.queue.change((open) => doWork(work, open, this.#parts), group);
  }

  /** Whether some of it was taken back. */
  async isTakenBack(group: string): Promise<boolean> {
    return (await this.#parts.journal.stepsOf(group)).isUndone;
  }

  /** For a work that may have been begun, or done and not noted: gives what is done now. */
  complete(work: Work, group: string): Promise<readonly Change[]> {
    return this.#parts.queue.change(async (open) => {
      const { steps: noted, isUndone } = await this.#parts.journal.stepsOf(group);
      return completeWork(work, open, { ...this.#parts, noted, isUndone });
    }, group);
  }

  get #file(): string {
    return path.join(this.#parts.trash.folder, CONSOLIDATION_FILE);
  }
}
