// One change to the folder at a time, in this process and between processes. After each the index is brought in
// step, the steps that were done are written to the journal, and the listeners are told.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isTemporary, kindIfPresent, listFolder, lookNow, removeFile } from '../../base/files.ts';
import { FolderLock } from '../../base/folderLock.ts';
import { makeIgnoredFolder } from '../../base/ignoredFolder.ts';
import { InOrder } from '../../base/inOrder.ts';
import { Listeners } from '../../base/listeners.ts';
import { errorText, type Log } from '../../base/log.ts';
import type { Step } from '../change.ts';
import { writeIndex } from './indexFile.ts';
import type { Journal } from './journal.ts';
import { INDEX_FILE, type MemoryList, type RecordCache } from './recordCache.ts';
import type { Trash } from './trash.ts';

/** A change that is being made. */
export interface OpenChange {
  /** The memories when it began. */
  readonly list: MemoryList;
  /** Done so far; what is left in it at the end, also when the change fails, can be undone later. */
  readonly steps: Step[];
  /** Ids of the steps of earlier changes that were taken back so far. */
  readonly undone: string[];
  /** Notes steps before they are done, so that they can be undone though the process be killed meanwhile. */
  readonly foresee: (steps: readonly Step[]) => Promise<void>;
}

interface QueueOptions {
  readonly folder: string;
  /** Folders in which others of ours write beside the memories. */
  readonly beside: readonly string[];
  readonly log: Log;
  readonly now: () => Date;
  readonly cache: RecordCache;
  readonly journal: Journal;
  readonly trash: Trash;
}

/** What a killed process left is cleared away when it is surely nobody's any more. */
const STRAY_MS = 60 * 60 * 1000;

export class ChangeQueue {
  readonly #options: QueueOptions;
  readonly #lock: FolderLock;
  readonly #listeners: Listeners;
  readonly #inOrder = new InOrder();
  #warnedOfLink = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#lock = new FolderLock(options);
    this.#listeners = new Listeners((error) =>
      options.log.error(`[memory] A listener failed: ${errorText(error)}`),
    );
  }

  /**
   * Runs `work` in its turn; where there is no folder, without a lock and without making one. With a part of something
   * larger, MEMORY.md and the listeners wait for its last part.
   */
  change<T>(
    work: (open: OpenChange) => Promise<T>,
    group?: string,
    part?: { readonly isLast: boolean },
  ): Promise<T> {
    return this.#inOrder.run(async () => {
      const { folder, cache } = this.#options;
      if (lookNow(folder) !== undefined) return this.#locked(work, group, part);
      const list = await cache.list();
      const result = await work({ list, steps: [], undone: [], foresee: async () => {} });
      this.#listeners.tell();
      return result;
    });
  }

  /** Like `change`, and makes the folder when there is none. */
  make<T>(work: (open: OpenChange) => Promise<T>, group?: string): Promise<T> {
    return this.#inOrder.run(() => this.#locked(work, group));
  }

  /** Brings everything in step with what others did. Where there is no real folder, only the listeners are told. */
  refresh(): Promise<void> {
    return this.#inOrder.run(async () => {
      const { folder, cache } = this.#options;
      const kind = lookNow(folder)?.kind;
      if (kind === 'link') this.#warnOfLink();
      if (kind !== 'folder') return this.#listeners.tell();
      return this.#locked(async () => {
        await cache.list();
        await this.#clearStrays();
      });
    });
  }

  /** Returns the function that unsubscribes. A listener is called after each change, and must not throw. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Clears away what killed processes left half written. */
  async #clearStrays(): Promise<void> {
    const { folder, beside, now } = this.#options;
    for (const place of [folder, ...beside]) {
      if ((await kindIfPresent(place)) !== 'folder') continue;
      for (const { name, kind } of await listFolder(place)) {
        if (kind !== 'file' || !isTemporary(name)) continue;
        const stray = path.join(place, name);
        const age = now().getTime() - (lookNow(stray)?.modified ?? Infinity);
        if (age > STRAY_MS) await removeFile(stray);
      }
    }
  }

  async #locked<T>(
    work: (open: OpenChange) => Promise<T>,
    group: string = randomUUID(),
    { isLast } = { isLast: true },
  ): Promise<T> {
    const { folder, cache, journal, now } = this.#options;
    // Private also in a clone, which brings shared memories but perhaps not the file that hides the others.
    await makeIgnoredFolder(folder);
    const steps: Step[] = [];
    const undone: string[] = [];
    const foreseen: string[] = [];
    const foresee = async (some: readonly Step[]): Promise<void> => {
      await journal.append(group, some, now());
      foreseen.push(...some.map(({ id }) => id));
    };
    let failed = true;
    try {
      return await this.#lock.run(async () => {
        try {
          const result = await work({ list: await cache.latest(), steps, undone, foresee });
          failed = false;
          return result;
        } finally {
          // What was done takes the place of what was foreseen.
          await this.#note(steps, [...undone, ...foreseen], group);
          if (isLast) await this.#keepIndex();
          // After a failure nobody knows what the folder holds, and the next change looks.
          if (!failed) cache.settle();
        }
      });
    } finally {
      if (isLast && (!failed || steps.length + undone.length > 0)) this.#listeners.tell();
    }
  }

  /** What was done stands: from here on nothing may fail it. */
  async #note(steps: readonly Step[], undone: readonly string[], group: string): Promise<void> {
    const { journal, log, now } = this.#options;
    try {
      await journal.append(group, steps, now());
      await journal.markUndone(undone, now());
    } catch (error) {
      log.warn(`[memory] The change was not noted for undoing: ${errorText(error)}`);
    }
  }

  async #keepIndex(): Promise<void> {
    const { folder, cache, log, trash } = this.#options;
    try {
      const { records } = cache.known();
      // An empty folder is left empty.
      if (records.length > 0 || (await kindIfPresent(path.join(folder, INDEX_FILE))) !== undefined)
        await writeIndex(folder, records, trash);
    } catch (error) {
      log.warn(`[memory] ${INDEX_FILE} was not brought up to date: ${errorText(error)}`);
    }
  }

  /** Once: it stays a link until a person acts. */
  #warnOfLink(): void {
    if (this.#warnedOfLink) return;
    this.#warnedOfLink = true;
    const { folder, log } = this.#options;
    log.warn(`[memory] ${folder} is a link, so the memories in it are not used.`);
  }
}
