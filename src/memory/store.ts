// The folder of memories: lists, creates, updates, removes and undoes, and keeps MEMORY.md in step.
// Changes run one after another, and each checks that the file is still the one that was seen.

import path from 'node:path';
import {
  createFileAtomically,
  decodeUtf8,
  infoIfPresent,
  kindIfPresent,
  listFolder,
  makeIgnoredFolder,
  readBytesIfPresent,
  replaceFileAtomically,
  writeFileAtomically,
} from '../base/files.ts';
import { errorText, type Log } from '../base/log.ts';
import { indexText, isGeneratedIndex } from './memoryIndex.ts';
import { hashOf, parseRecord, printRecord, reviseRecord, slugFor } from './record.ts';
import type { MemoryRecord, NewRecord, RecordChanges } from './record.ts';
import { fileKey, INDEX_FILE, RecordReader, type MemoryList } from './recordReader.ts';
import { copyToTrash, keepInTrash, moveToTrash, restoreFromTrash } from './trash.ts';

export type { MemoryList } from './recordReader.ts';

/** In the workspace folder; the name that other agents give to it too. */
export const MEMORY_FOLDER = '.memory';

/** What a call did, with all that undo needs. */
export type Change = CreatedChange | UpdatedChange | RemovedChange;

interface CreatedChange {
  readonly kind: 'created';
  readonly record: MemoryRecord;
}

interface UpdatedChange {
  readonly kind: 'updated';
  readonly record: MemoryRecord;
  readonly before: MemoryRecord;
  readonly beforeText: string;
}

interface RemovedChange {
  readonly kind: 'removed';
  readonly record: MemoryRecord;
  readonly trashPath: string;
}

/** The file is no longer the one that was seen; nothing was changed. */
export class StaleRecordError extends Error {
  override readonly name = 'StaleRecordError';
}

export class MemoryStore {
  readonly folder: string;
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #reader: RecordReader;
  readonly #listeners = new Set<() => void>();
  readonly #undone = new WeakSet<Change>();
  #warnedOfLink = false;
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(options: {
    /** Absolute path. It need not exist. */
    readonly folder: string;
    readonly log: Log;
    readonly now?: () => Date;
  }) {
    this.folder = options.folder;
    this.#log = options.log;
    this.#now = options.now ?? (() => new Date());
    this.#reader = new RecordReader(options.folder);
  }

  get indexPath(): string {
    return path.join(this.folder, INDEX_FILE);
  }

  /** All memories as they stand on disk now, sorted by file name. */
  list(): Promise<MemoryList> {
    return this.#reader.list();
  }

  /** Writes a new file. A taken name gets a suffix; `name` in the file is the file's name. */
  create(record: NewRecord): Promise<CreatedChange> {
    return this.#change(async () => {
      const now = this.#now();
      // Nothing is made for a record that cannot be.
      printRecord(record, now);
      await makeIgnoredFolder(this.folder);
      for await (const name of this.#freeNames(slugFor(record.name))) {
        const target = path.join(this.folder, `${name}.md`);
        if (await createFileAtomically(target, printRecord({ ...record, name }, now)))
          return { kind: 'created', record: await this.#read(target) };
      }
      throw new Error(`No file name is left for "${record.name}".`);
    });
  }

  /**
   * Rewrites the lines that change; the old text stays in the trash. The file keeps its name. Throws
   * StaleRecordError, RecordError.
   */
  update(record: MemoryRecord, changes: RecordChanges): Promise<UpdatedChange> {
    return this.#change(async () => {
      const beforeText = await this.#textOf(record);
      const { name } = changes;
      const slugged = name?.trim() ? { ...changes, name: slugFor(name) } : changes;
      const text = reviseRecord(beforeText, slugged, this.#now());
      await this.#replace(record, { from: beforeText, to: text, reason: 'updated' });
      return {
        kind: 'updated',
        record: await this.#read(record.path),
        before: record,
        beforeText,
      };
    });
  }

  /** Moves the file to `.trash`. Throws StaleRecordError. */
  remove(record: MemoryRecord, reason: string): Promise<RemovedChange> {
    return this.#change(async () => {
      await this.#textOf(record);
      return { kind: 'removed', record, trashPath: await this.#moveToTrash(record.file, reason) };
    });
  }

  /** Takes a change back, once, if what it left is still there as it was. Throws with a sentence otherwise. */
  undo(change: Change): Promise<void> {
    return this.#change(async () => {
      const { record } = change;
      if (this.#undone.has(change))
        throw new Error(`The change to ${record.file} is already undone.`);
      switch (change.kind) {
        case 'created':
          await this.#textOf(record);
          await this.#moveToTrash(record.file, 'undone');
          break;
        case 'updated':
          await this.#replace(record, {
            from: await this.#textOf(record),
            to: change.beforeText,
            reason: 'undone',
          });
          break;
        case 'removed':
          await restoreFromTrash(change.trashPath, record.path);
          break;
      }
      this.#undone.add(change);
    });
  }

  /** Makes MEMORY.md right, and the folder when there is none. */
  rebuildIndex(): Promise<void> {
    return this.#inOrder(async () => {
      await this.#writeIndex((await this.list()).records);
    });
  }

  /** After a change from outside: reads what changed, brings the index in step and tells the listeners. */
  refresh(): Promise<void> {
    return this.#change(async () => {});
  }

  /** Returns the function that unsubscribes. A listener is called after each change, and must not throw. */
  onDidChange(listener: () => void): () => void {
    // A listener given twice is two listeners, each with an end of its own.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Copies all memories into a folder of their own in `.trash` and returns that folder. */
  snapshot(reason: string): Promise<string> {
    return this.#inOrder(async () => {
      const files = (await this.list()).records.map(({ file }) => file);
      return copyToTrash(files, this.#trashOptions(slugFor(reason)));
    });
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#inOrder(async () => {
      const result = await work();
      await this.#keepIndex();
      for (const listener of this.#listeners) {
        try {
          listener();
        } catch (error) {
          this.#log.error(`[memory] A listener failed: ${errorText(error)}`);
        }
      }
      return result;
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastWork.then(work);
    // The caller gets the failure; the next in line only waits for the end.
    this.#lastWork = result.catch(() => undefined);
    return result;
  }

  /** The text of a record's file, which must be byte for byte the one the record was read from. */
  async #textOf({ file, path, hash }: MemoryRecord): Promise<string> {
    const kind = await kindIfPresent(path);
    if (kind === undefined)
      throw new StaleRecordError(`${file} is gone by now; nothing was changed.`);
    await makeIgnoredFolder(this.folder);
    const bytes = kind === 'file' ? await readBytesIfPresent(path) : undefined;
    if (!bytes || hashOf(bytes) !== hash)
      throw new StaleRecordError(`${file} has changed in the meantime; it was left as it is.`);
    return decodeUtf8(bytes, path);
  }

  async #replace(
    record: MemoryRecord,
    { from, to, reason }: { from: string; to: string; reason: string },
  ): Promise<void> {
    if (from === to) return;
    await keepInTrash(record.file, from, this.#trashOptions(reason));
    await replaceFileAtomically(record.path, to, () => this.#textOf(record));
  }

  async #read(target: string): Promise<MemoryRecord> {
    const bytes = await readBytesIfPresent(target);
    const info = await infoIfPresent(target);
    if (!bytes || !info)
      throw new StaleRecordError(
        `${path.basename(target)} was removed right after it was written.`,
      );
    return parseRecord(target, bytes, info.modified);
  }

  /** The name and its numbered forms, without those that are taken even where case does not count. */
  async *#freeNames(slug: string): AsyncGenerator<string> {
    const entries = await listFolder(this.folder);
    const taken = new Set(entries.map(({ name }) => fileKey(name)));
    for (let number = 1; number < 10_000; number++) {
      const name = number === 1 ? slug : `${slug}-${number}`;
      if (!taken.has(fileKey(`${name}.md`))) yield name;
    }
  }

  #moveToTrash(file: string, reason: string): Promise<string> {
    return moveToTrash(file, this.#trashOptions(reason));
  }

  #trashOptions(reason: string) {
    return { folder: this.folder, reason, now: this.#now() };
  }

  /** The index follows from the records: when it cannot be written, the change itself still stands. */
  async #keepIndex(): Promise<void> {
    try {
      if ((await kindIfPresent(this.folder)) === 'link') return this.#warnOfLink();
      const { records } = await this.list();
      // An empty folder is left empty.
      if (records.length > 0 || (await kindIfPresent(this.indexPath)) !== undefined)
        await this.#writeIndex(records);
    } catch (error) {
      this.#log.warn(`[memory] ${INDEX_FILE} was not brought up to date: ${errorText(error)}`);
    }
  }

  /** Once: it stays a link until a person acts. */
  #warnOfLink(): void {
    if (this.#warnedOfLink) return;
    this.#warnedOfLink = true;
    this.#log.warn(`[memory] ${this.folder} is a link, so the memories in it are not used.`);
  }

  async #writeIndex(records: readonly MemoryRecord[]): Promise<void> {
    await makeIgnoredFolder(this.folder);
    const kind = await kindIfPresent(this.indexPath);
    if (kind !== undefined && kind !== 'file')
      throw new Error(`${INDEX_FILE} is a ${kind} and not a file.`);
    const present = await readBytesIfPresent(this.indexPath);
    const text = indexText(records);
    if (present?.toString() === text) return;
    // What a person wrote under that name, or between the lines, is kept.
    if (present && !isGeneratedIndex(present.toString()))
      await keepInTrash(INDEX_FILE, present, this.#trashOptions('replaced by the generated index'));
    await writeFileAtomically(this.indexPath, text);
  }
}
