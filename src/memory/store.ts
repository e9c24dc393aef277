// The folder of memories: lists, changes and restores them, takes changes back, and keeps MEMORY.md in step.
// Changes run one after another, also between processes, and never over a text that was not seen.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { decodeUtf8 } from '../base/decodeUtf8.ts';
import type { Log } from '../base/log.ts';
import { sentence, SentenceError } from '../base/sentence.ts';
import { StaleRecordError, type Change, type NewChange, type RemovedChange } from './change.ts';
import type { Renaming, RevisedChange, Step } from './change.ts';
import { ChangeQueue, type OpenChange } from './folder/changeQueue.ts';
import { DamagedFiles } from './folder/damagedFiles.ts';
import { ConsolidationRuns } from './consolidation/consolidationRuns.ts';
import { writeIndex } from './folder/indexFile.ts';
import { Journal, type ChangeGroup } from './folder/journal.ts';
import { hashOf, printRecord, reviseRecord, slugFor } from './record.ts';
import type { DamagedRecord, MemoryRecord, NewRecord, RecordChanges } from './record.ts';
import { makeSteps } from './folder/manySteps.ts';
import { INDEX_FILE, RecordCache, type MemoryList } from './folder/recordCache.ts';
import { freeNames, namesToRestore, RecordFiles, takenForNew } from './folder/recordFiles.ts';
import { nameFor, renameRecord } from './folder/renameRecord.ts';
import { Shares } from './folder/shares.ts';
import { Proposals } from './review/proposals.ts';
import { refuseSecrets } from './secrets/secretGate.ts';
import { takeBack } from './folder/takeBack.ts';
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

  /** Creates all or none, as one change to undo. Throws SecretError, RecordError. */
  async createAll(records: readonly NewRecord[], group?: string): Promise<readonly NewChange[]> {
    const now = this.#now();
    // Nothing is made for a record that cannot be.
    for (const record of records) {
      printRecord(record, now);
      refuseSecrets(record);
    }
    return this.#queue.make(async (open) => {
      const isTaken = await takenForNew(this.folder, this.#cache);
      const { done, failures } = await makeSteps<NewRecord, NewChange>(records, {
        make: (record) => {
          const textFor = (name: string) => printRecord({ ...record, name }, now);
          return this.#files.create(freeNames(slugFor(record.name), isTaken), textFor);
        },
        note: (step) => ({ kind: 'created', record: this.#did(step, open), step }),
      });
      const [failure] = failures;
      if (!failure) return done;
      for (const step of open.steps.splice(0)) await this.#discard(step);
      throw failure.error;
    }, group);
  }

  /** Writes a file of another store, byte for byte unless its name is taken here. */
  adopt(record: MemoryRecord, bytes: Uint8Array, group: string): Promise<NewChange> {
    return this.#queue.make(async (open) => {
      const base = path.parse(record.file).name;
      const textFor = (name: string) =>
        name === base ? bytes : reviseRecord(decodeUtf8(bytes, record.path), { name }, this.#now());
      const names = freeNames(base, await takenForNew(this.folder, this.#cache));
      const made = await this.#files.create(names, textFor);
      const step: Step = { ...made, moved: true };
      return { kind: 'created', record: this.#did(step, open), step };
    }, group);
  }

  /** Deletes what `adopt` wrote a moment ago, for a move that failed. */
  abandon({ step }: NewChange): Promise<void> {
    return this.#queue.change(async ({ undone }) => {
      await this.#discard(step);
      undone.push(step.id);
    });
  }

  /** The bytes of a record's file. Throws StaleRecordError. */
  read(record: MemoryRecord): Promise<Uint8Array> {
    return this.#files.read(record);
  }

  /**
   * Rewrites the lines that change; the old text stays in the trash. The file keeps its name. Throws
   * StaleRecordError, RecordError, SecretError.
   */
  update(record: MemoryRecord, changes: RecordChanges, group?: string): Promise<RevisedChange> {
    return this.#queue.change(async (open) => {
      const name = changes.name?.trim() ? { name: slugFor(changes.name) } : {};
      const before = decodeUtf8(await this.#files.read(record), record.path);
      refuseSecrets(changes, before);
      const text = reviseRecord(before, { ...changes, ...name }, this.#now());
      if (text === before) return { kind: 'updated', record, before: record, step: noStep() };
      const step = await this.#files.replace(record, text, 'updated');
      return { kind: 'updated', record: this.#did(step, open), before: record, step };
    }, group);
  }

  /** Gives the record another name, and its file the one that follows. What points to it follows. Throws like `update`. */
  rename(record: MemoryRecord, name: string, group?: string): Promise<Renaming> {
    return this.#queue.change((open) => {
      const { list, foresee } = open;
      const did = (step: Step) => this.#did(step, open);
      const desk = { folder: this.folder, cache: this.#cache, files: this.#files, foresee, did };
      return renameRecord(record, name, { ...desk, list, now: this.#now() });
    }, group);
  }

  /** What a record would be called that is given this name: others, and rules for git, may be in the way. */
  async nameFor(record: MemoryRecord, name: string): Promise<string> {
    await this.#cache.list();
    return nameFor(record, name, { folder: this.folder, cache: this.#cache });
  }

  /** Moves the file to the trash. Throws StaleRecordError. */
  remove(record: MemoryRecord, reason: string, group?: string): Promise<RemovedChange> {
    return this.#queue.change(async ({ steps }) => {
      const step = await this.#files.remove(record, reason);
      this.#look(step);
      steps.push(step);
      return { kind: 'removed', record, step };
    }, group);
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
        return { kind: 'updated', record: this.#did(step, open), before: now, step };
      }
      const isTaken = (file: string) => this.#cache.isTaken(file);
      const names = await namesToRestore(trashed.file, { folder: this.folder, isTaken });
      const step = await this.#files.restore(trashed, names);
      return { kind: 'restored', record: this.#did(step, open), step };
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
    return this.#takeBackAll([step]);
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
  undoGroup({ steps }: ChangeGroup): Promise<void> {
    return this.#takeBackAll(steps);
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

  /** Notes a step that was done, and gives the record that it left. */
  #did(step: Step, { steps }: OpenChange): MemoryRecord {
    const record = this.#look(step);
    steps.push(step);
    const file = step.after?.file ?? '';
    if (!record) throw new StaleRecordError(sentence`${file} is gone right after it was written.`);
    if ('problem' in record)
      throw new StaleRecordError(sentence`${file} is there, but is no memory: ${record.problem}`);
    return record;
  }

  #takeBackAll(steps: readonly Step[]): Promise<void> {
    return this.#queue.change(async ({ undone }) => {
      const earlier = await this.#journal.undone();
      const undo = (step: Step) => this.#files.undo(step).finally(() => this.#look(step));
      // Without its old name there is nothing for the links to lead back to, so they stay as well.
      for (const step of steps) if (!earlier.has(step.id)) await this.#files.checkRename(step);
      await takeBack({ steps, earlier, undo, undone });
    });
  }

  /** Without the trash, which has no room for it where the disk is full. */
  async #discard(step: Step): Promise<void> {
    if (step.after) await this.#files.discard(step.after);
    this.#look(step);
  }

  /** Looks anew at the files of a step; gives what stands in the place of the one it left. */
  #look({ before, after }: Step): MemoryRecord | DamagedRecord | undefined {
    if (before) this.#cache.reread(before.file);
    return after && this.#cache.reread(after.file);
  }
}

/** Of a change that changed nothing. */
function noStep(): Step {
  return { id: randomUUID() };
}
