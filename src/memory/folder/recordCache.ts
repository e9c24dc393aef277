// Every memory of a folder, kept parsed. A file that has not changed is not read again, and one that cannot be read
// is reported and never stops the rest.

import path from 'node:path';
import { isMissing } from '../../base/errorCode.ts';
import { lookNow, namesNow, readBytesNow, type FileLook } from '../../base/files.ts';
import { sentence, sentenceOf, type Said } from '../../base/sentence.ts';
import { parseRecord, RecordError, type DamagedRecord, type MemoryRecord } from '../record.ts';

export const INDEX_FILE = 'MEMORY.md';

/** All memories of a folder, sorted by file name. */
export interface MemoryList {
  readonly records: readonly MemoryRecord[];
  readonly damaged: readonly DamagedRecord[];
}

/** No memory is near this size; a log or a dump that ended up here is not loaded. */
export const MAX_BYTES = 1024 * 1024;
/** Looking and reading are done at once, which is fastest; after this long other work gets its turn. */
const SLICE_MS = 8;
/** A second write within one tick of the disk's clock does not show in the file's time. */
const CLOCK_TICK_MS = 20;

const NOT_A_FILE = {
  link: sentence`The file is a link, and links are not followed.`,
  folder: sentence`This is a folder and not a file.`,
  other: sentence`This is not a regular file.`,
} as const;

interface Known extends FileLook {
  /** False when the file may have changed since without a sign of it. */
  readonly settled: boolean;
  readonly reading: Reading;
}

type Reading = MemoryRecord | DamagedRecord;

export class RecordCache {
  readonly #folder: string;
  readonly #known = new Map<string, Known>();
  /** How many files have a name with this key. */
  readonly #keys = new Map<string, number>();
  /** Made of what is known when it is asked for. */
  #list: MemoryList | undefined;
  /** The folder's time when all that is known was true; undefined while a change is made. */
  #inStepWith: string | undefined;
  /** Whether a file was doubted since the change began. */
  #hasDoubts = false;
  readonly #changeCount: () => number;

  /** `changeCount` is another number after each change that a store makes, in whatever process. */
  constructor(folder: string, changeCount: () => number) {
    this.#folder = folder;
    this.#changeCount = changeCount;
  }

  /** The memories as they stand on disk now; none when there is no folder, or a link to one. */
  async list(): Promise<MemoryList> {
    const folder = lookNow(this.#folder);
    if (folder?.kind === 'link') {
      for (const name of this.#known.keys()) this.#forget(name);
      return linkedFolder(this.#folder);
    }
    const stamp = this.#stamp();
    const names = this.#recordFiles();
    let sliceEnd = performance.now() + SLICE_MS;
    for (const name of names) {
      this.#read(name);
      if (performance.now() < sliceEnd) continue;
      await new Promise(setImmediate);
      sliceEnd = performance.now() + SLICE_MS;
    }
    const present = new Set(names);
    // Looked at and not forgotten: a change of our own may have brought the file after the names were read.
    for (const name of this.#known.keys()) if (!present.has(name)) this.#read(name);
    this.#inStepWith = stamp;
    return this.known();
  }

  /**
   * The memories as they are known, looked at anew only when the folder is not the one that was left by `settle`
   * or `list`. What an editor wrote into a file since does not show; `list` sees it. Begins a change, so without
   * `settle` the next one looks again.
   */
  async latest(): Promise<MemoryList> {
    if (this.#inStepWith !== this.#stamp()) await this.list();
    this.#inStepWith = undefined;
    this.#hasDoubts = false;
    return this.known();
  }

  /** Whether a file has this name, also where case and the form of accents do not count; the index always has its. */
  isTaken(file: string): boolean {
    return isNamesake(file) || this.#keys.has(fileKey(file));
  }

  /** Looks at one file anew, for a change of our own. */
  reread(file: string): Reading | undefined {
    this.#read(file);
    return this.#known.get(file)?.reading;
  }

  /** A file has changed without a sign of it, as where a backup brings back the time too: it is read again. */
  doubt(file: string): void {
    const known = this.#known.get(file);
    if (known) this.#known.set(file, { ...known, settled: false });
    this.#inStepWith = undefined;
    this.#hasDoubts = true;
  }

  /** After changes of our own that were all reread, begun with `latest`: the folder is in step with what is known. */
  settle(): void {
    if (!this.#hasDoubts) this.#inStepWith = this.#stamp();
  }

  /** What is known, without a look at the disk. */
  known(): MemoryList {
    return (this.#list ??= this.#listOfKnown());
  }

  #listOfKnown(): MemoryList {
    const records: MemoryRecord[] = [];
    const damaged: DamagedRecord[] = [];
    for (const name of [...this.#known.keys()].toSorted()) {
      const reading = this.#known.get(name)?.reading;
      if (reading === undefined) continue;
      if ('problem' in reading) damaged.push(reading);
      else records.push(reading);
    }
    return { records, damaged };
  }

  #stamp(): string {
    return `${lookNow(this.#folder)?.modified} ${this.#changeCount()}`;
  }

  #recordFiles(): readonly string[] {
    const names = namesIn(this.#folder);
    // Where case does not count, `memory.md` is the index.
    const isIndex = (name: string) =>
      name === INDEX_FILE ||
      (isNamesake(name) &&
        !names.includes(INDEX_FILE) &&
        lookNow(this.#pathOf(INDEX_FILE)) !== undefined);
    return names.filter((name) => RECORD_FILE.test(name) && !isIndex(name));
  }

  /** Brings what is known of a file in step with the disk. */
  #read(file: string): void {
    const startedAt = Date.now();
    const look = lookNow(this.#pathOf(file));
    if (look === undefined) {
      this.#forget(file);
      return;
    }
    const known = this.#known.get(file);
    if (known?.settled && isSame(known, look)) return;
    const reading = this.#readingOf(file, look);
    if (reading === undefined) {
      this.#forget(file);
      return;
    }
    // The object stays the same as long as the text does, for those who remember what they made of it.
    const same =
      known &&
      'hash' in known.reading &&
      'hash' in reading &&
      known.reading.hash === reading.hash &&
      known.reading.modified === reading.modified;
    this.#remember(file, {
      ...look,
      settled: look.modified < startedAt - CLOCK_TICK_MS,
      reading: same ? known.reading : reading,
    });
  }

  #remember(file: string, now: Known): void {
    const before = this.#known.get(file);
    this.#known.set(file, now);
    if (before === undefined) this.#count(file, 1);
    if (before?.reading !== now.reading) this.#list = undefined;
  }

  #forget(file: string): void {
    if (!this.#known.delete(file)) return;
    this.#count(file, -1);
    this.#list = undefined;
  }

  #count(file: string, change: 1 | -1): void {
    const key = fileKey(file);
    const count = (this.#keys.get(key) ?? 0) + change;
    if (count === 0) this.#keys.delete(key);
    else this.#keys.set(key, count);
  }

  #readingOf(file: string, look: FileLook): Reading | undefined {
    const damaged = (problem: Said) => ({ file, path: this.#pathOf(file), problem });
    if (isNamesake(file))
      return damaged(sentence`The name is that of the index, ${INDEX_FILE}, in other letters.`);
    if (look.kind !== 'file') return damaged(NOT_A_FILE[look.kind]);
    if (look.size > MAX_BYTES) return damaged(sentence`The file is larger than 1 MB.`);
    try {
      return parseRecord(this.#pathOf(file), readBytesNow(this.#pathOf(file)), look.modified);
    } catch (error) {
      if (error instanceof RecordError) return damaged(error.sentence);
      if (isMissing(error)) return undefined;
      return damaged(sentence`The file cannot be read: ${sentenceOf(error)}`);
    }
  }

  #pathOf(file: string): string {
    // Not `path.join`: thousands of files are looked at in each listing.
    return this.#folder + path.sep + file;
  }
}

/** Two names that some file systems take for the same have the same key. */
export function fileKey(file: string): string {
  return file.normalize('NFC').toLowerCase();
}

/** Whether a file of this name, which never leads out of its folder, is taken for a memory. */
export function isRecordFile(name: string): boolean {
  return name === path.basename(name) && RECORD_FILE.test(name);
}

/** Names with a dot in front belong to editors and the system (`.#x.md`, `._x.md`). */
const RECORD_FILE = /^[^.\0][^\0]*\.md$/i;

function isNamesake(file: string): boolean {
  return file.length === INDEX_FILE.length && fileKey(file) === fileKey(INDEX_FILE);
}

function isSame(a: FileLook, b: FileLook): boolean {
  return a.kind === b.kind && a.size === b.size && a.modified === b.modified;
}

/** None when there is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return namesNow(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** What it holds belongs to another place, perhaps to another project. */
function linkedFolder(folder: string): MemoryList {
  const problem = sentence`The folder is a link, and links are not followed.`;
  const file = path.basename(folder);
  return { records: [], damaged: [{ file, path: folder, problem, isFolder: true }] };
}
