// The folder of memories: lists, changes and restores them, takes changes back, and keeps MEMORY.md in step.
// Changes run one after another, also between processes, and never over a text that was not seen.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { OnProgress, Settled } from '../base/atMost.ts';
import type { Log } from '../base/log.ts';
import { sentence, SentenceError, throwAny } from '../base/sentence.ts';
import type { Change, NewChange, RemovedChange, Renaming, RevisedChange, Step } from './change.ts';
import { ChangeQueue } from './folder/changeQueue.ts';
import { DamagedFiles } from './folder/damagedFiles.ts';
import { ConsolidationRuns } from './consolidation/consolidationRuns.ts';
import { lookAt, noteStep } from './folder/doneStep.ts';
import { writeIndex } from './folder/indexFile.ts';
import { Journal, type ChangeGroup } from './folder/journal.ts';
import { makeSteps } from './folder/manySteps.ts';
import { hashOf, printRecord, slugFor } from './record.ts';
import type { MemoryRecord, NewRecord, RecordChanges } from './record.ts';
import { INDEX_FILE, RecordCache, type MemoryList } from './folder/recordCache.ts';
import { freeNames, namesToRestore, RecordFiles, takenForNew } from './folder/recordFiles.ts';
import { nameFor, renameRecord } from './folder/renameRecord.ts';
import { Shares } from './folder/shares.ts';
import { Proposals } from './review/proposals.ts';
import { refuseSecrets } from './secrets/secretGate.ts';
import { SeveralRecords } from './folder/severalRecords.ts';
import { takeBack, type KeptStep } from './folder/takeBack.ts';
import { Trash, type TrashedFile } from './folder/trash.ts';

/** In the workspace folder; the name that other agents give to it too. */
export const MEMORY_FOLDER = '.memory';

interface StoreOptions {
  /** Absolute path. It need not exist. */
  readonly folder: string;
  readonly log: Log;
  readonly now?: () => Date;
  /** Whether an editor holds changes to a file that are not saved. Such a file is left alone. */
  readonly isBeingEdited?: (path: string) => boolean;
}

export class MemoryStore {
  readonly folder: string;
  /** What may become a memory here when the person says so. */
  readonly proposals: Proposals;
  readonly consolidations: ConsolidationRuns;
  readonly shares: Shares;
  readonly damaged: DamagedFiles;
  readonly several: SeveralRecords;
  readonly #now: () => Date;
  readonly #trash: Trash;
  readonly #journal: Journal;
  readonly #cache: RecordCache;
  readonly #files: RecordFiles;
  readonly #queue: ChangeQueue;

  constructor({ folder, log, now = () => new Date(), isBeingEdited = () => false }: StoreOptions) {
    this.folder = folder;
    this.proposals = new Proposals({ folder: path.join(folder, '.proposed'), log, now });
    this.#now = now;
    const trash = new Trash(folder, now);
    const journal = new Journal(trash);
    const cache = new RecordCache(folder, () => journal.size());
    this.#trash = trash;
    this.#journal = journal;
    this.#cache = cache;
    this.#files = new RecordFiles({ folder, trash, cache, isBeingEdited });
    const beside = [trash.folder, this.proposals.folder];
    const parts = { folder, log, now, trash, journal, cache };
    this.#queue = new ChangeQueue({ ...parts, beside });
    this.shares = new Shares({ folder, queue: this.#queue });
    const tools = { files: this.#files, queue: this.#queue };
    this.damaged = new DamagedFiles({ ...tools, folder, cache });
    this.several = new SeveralRecords({ ...tools, folder, cache, now });
    this.consolidations = new ConsolidationRuns({ ...parts, ...tools });
  }

  get indexPath(): string {
    return path.join(this.folder, INDEX_FILE);
  }

  /** All memories as they stand on disk now, sorted by file name. */
  list(): Promise<MemoryList> {
    return this.#cache.list();
  }

  /** Writes a new file. A taken name gets a suffix; `name` in the file is the file's name. Throws SecretError. */
  async create(record: NewRecord, group?: string): Promise<NewChange> {
    const [change] = await this.createAll([record], group);
    if (!change) throw new SentenceError(sentence`${record.name} was not created.`);
    return change;
  }

  /** Creates all or none, as one change to undo; none when `signal` is aborted. Throws SecretError, RecordError. */
  async createAll(
    records: readonly NewRecord[],
    group?: string,
    {
      onProgress,
      signal,
    }: { readonly onProgress?: OnProgress; readonly signal?: AbortSignal } = {},
  ): Promise<readonly NewChange[]> {
    const now = this.#now();
    // Nothing is made for a record that cannot be.
    for (const record of records) {
      printRecord(record, now);
      refuseSecrets(record);
    }
    return this.#queue.make(async (open) => {
      const isTaken = await takenForNew(this.folder, this.#cache);
      const { done, failures } = await makeSteps<NewRecord, NewChange>(records, {
        make: async (record) => {
          signal?.throwIfAborted();
          const textFor = (name: string) => printRecord({ ...record, name }, now);
          return this.#files.create(freeNames(slugFor(record.name), isTaken), textFor);
        },
        note: (step) => ({ kind: 'created', record: noteStep(step, open, this.#cache), step }),
        onProgress,
      });
      const [failure] = failures;
      if (!failure) return done;
      for (const step of open.steps.splice(0)) await this.#discard(step);
      throw failure.error;
    }, group);
  }

  /** The bytes of a record's file. Throws StaleRecordError. */
  read(record: MemoryRecord): Promise<Uint8Array> {
    return this.#files.read(record);
  }

  /**
   * Rewrites the lines that change; the old text stays in the trash. The file keeps its name. Throws
   * StaleRecordError, RecordError, SecretError.
   */
  async update(
    record: MemoryRecord,
    changes: RecordChanges,
    group?: string,
  ): Promise<RevisedChange> {
    const change = onlyOne(await this.several.update([record], changes, group));
    return change ?? { kind: 'updated', record, before: record, step: noStep() };
  }

  /** Gives the record another name, and its file the one that follows. What points to it follows. Throws like `update`. */
  rename(
    record: MemoryRecord,
    name: string,
    group?: string,
    onProgress?: OnProgress,
  ): Promise<Renaming> {
    return this.#queue.change((open) => {
      const { list, foresee } = open;
      const did = (step: Step) => noteStep(step, open, this.#cache);
      const tools = { folder: this.folder, cache: this.#cache, files: this.#files, foresee, did };
      const desk = { ...tools, list, now: this.#now(), onProgress };
      return renameRecord(record, name, desk);
    }, group);
  }

  /** What a record would be called that is given this name: others, and rules for git, may be in the way. */
  async nameFor(record: MemoryRecord, name: string): Promise<string> {
    await this.#cache.list();
    return nameFor(record, name, { folder: this.folder, cache: this.#cache });
  }

  /** Moves the file to the trash. Throws StaleRecordError. */
  async remove(record: MemoryRecord, reason: string, group?: string): Promise<RemovedChange> {
    const change = onlyOne(await this.several.remove([record], reason, group));
    return change ?? { kind: 'removed', record, step: noStep() };
  }

  /** What was removed or replaced, newest first. */
  trashed(): Promise<readonly TrashedFile[]> {
    return this.#trash.list();
  }

  /**
   * Brings a text back from the trash: a removed file under its old name, or with a suffix where that is taken; a
   * replaced text in the place of what stands there now.
   */
  restore(trashed: TrashedFile): Promise<Change> {
    return this.#queue.change(async (open) => {
      const now = open.list.records.find(({ file }) => file === trashed.file);
      if (trashed.kind === 'replaced' && now) {
        const text = await this.#trash.read(trashed);
        if (hashOf(text) === now.hash)
          return { kind: 'updated', record: now, before: now, step: noStep() };
        const step = await this.#files.replace(now, text, 'an earlier text was restored');
        return { kind: 'updated', record: noteStep(step, open, this.#cache), before: now, step };
      }
      const isTaken = (file: string) => this.#cache.isTaken(file);
      const names = await namesToRestore(trashed.file, { folder: this.folder, isTaken });
      const step = await this.#files.restore(trashed, names);
      return { kind: 'restored', record: noteStep(step, open, this.#cache), step };
    });
  }

  /** Deletes for good what was removed and replaced. What was changed so far cannot be undone afterwards. */
  emptyTrash(): Promise<void> {
    return this.#queue.change(async ({ list }) => {
      await this.#journal.forget(list.records, this.#now());
      await this.#trash.empty();
    });
  }

  /** Takes a change back, once, if what it left is still there as it was. Throws with a sentence otherwise. */
  undo({ step }: Change): Promise<void> {
    return this.undoGroup({ steps: [step] });
  }

  /** What was made as one with this id, as far as it is not undone. */
  changeGroup(id: string): Promise<ChangeGroup | undefined> {
    return this.#journal.group(id);
  }

  /** What was made as one last and is not undone, but for some. */
  lastGroup(passedOver?: ReadonlySet<string>): Promise<ChangeGroup | undefined> {
    return this.#journal.last(passedOver);
  }

  /** Takes back as many of the changes as are still as they were. Throws naming the others. */
  async undoGroup({ steps }: Pick<ChangeGroup, 'steps'>): Promise<void> {
    throwAny((await this.takeBack(steps)).map(({ error }) => error));
  }

  /** The same, giving the others with why they stay. */
  takeBack(steps: readonly Step[], onProgress?: OnProgress): Promise<readonly KeptStep[]> {
    return this.#queue.change(async ({ undone }) => {
      const earlier = await this.#journal.undone();
      const undo = (step: Step) => this.#files.undo(step).finally(() => lookAt(step, this.#cache));
      // Without its old name there is nothing for the links to lead back to, so they stay as well.
      for (const step of steps) if (!earlier.has(step.id)) await this.#files.checkRename(step);
      return takeBack({ steps, earlier, undo, undone, onProgress });
    });
  }

  /** Makes MEMORY.md right, and the folder when there is none. */
  rebuildIndex(): Promise<void> {
    return this.#queue.make(async ({ list }) => writeIndex(this.folder, list.records, this.#trash));
  }

  /** After a change from outside: reads what changed, brings the index in step and tells the listeners. */
  refresh(): Promise<void> {
    return this.#queue.refresh();
  }

  /** Returns the function that unsubscribes. A listener is called after each change, and must not throw. */
  onDidChange(listener: () => void): () => void {
    return this.#queue.onDidChange(listener);
  }

  /** Without the trash, which has no room for it where the disk is full. */
  async #discard(step: Step): Promise<void> {
    if (step.after) await this.#files.discard(step.after);
    lookAt(step, this.#cache);
  }
}

/** Undefined when it was so already. Throws why it could not be made. */
function onlyOne<Made>({ done, failures }: Settled<MemoryRecord, Made>): Made | undefined {
  if (failures[0]) throw failures[0].error;
  return done[0];
}

/** Of a change that changed nothing. */
function noStep(): Step {
  return { id: randomUUID() };
}
