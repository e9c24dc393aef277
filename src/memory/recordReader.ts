// Reads every memory of a folder. A file that has not changed is not read again, and one that cannot be read
// is reported and never stops the rest.

import path from 'node:path';
import {
  infoIfPresent,
  kindIfPresent,
  listFolder,
  readBytesIfPresent,
  type FolderEntry,
} from '../base/files.ts';
import { errorText } from '../base/log.ts';
import { parseRecord, RecordError, type DamagedRecord, type MemoryRecord } from './record.ts';

export const INDEX_FILE = 'MEMORY.md';

/** All memories of a folder, sorted by file name. */
export interface MemoryList {
  readonly records: readonly MemoryRecord[];
  readonly damaged: readonly DamagedRecord[];
}

/** No memory is near this size; a log or a dump that ended up here is not loaded. */
const MAX_BYTES = 1024 * 1024;
/** Enough to keep the disk busy, far from the number of files a process may open. */
const READS_AT_ONCE = 32;
/** A second write within one tick of the disk's clock does not show in the file's time. */
const CLOCK_TICK_MS = 20;

const NOT_A_FILE = {
  link: 'The file is a link, and links are not followed.',
  folder: 'This is a folder and not a file.',
  other: 'This is not a regular file.',
} as const;

type Reading =
  | { readonly kind: 'record'; readonly record: MemoryRecord }
  | { readonly kind: 'damaged'; readonly problem: string };

interface Known {
  readonly size: number;
  readonly modified: number;
  readonly reading: Reading;
}

export class RecordReader {
  readonly #folder: string;
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The memories as they stand on disk now; none when there is no folder, or a link to one. */
  async list(): Promise<MemoryList> {
    if ((await kindIfPresent(this.#folder)) === 'link') return linkedFolder(this.#folder);
    const entries = (await listFolder(this.#folder)).filter(({ name }) => isRecordFile(name));
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const records: MemoryRecord[] = [];
    const damaged: DamagedRecord[] = [];
    const known = new Map<string, Known>();
    for (let at = 0; at < entries.length; at += READS_AT_ONCE) {
      const readings = entries
        .slice(at, at + READS_AT_ONCE)
        .map(async (entry) => ({ file: entry.name, reading: await this.#read(entry, known) }));
      for (const { file, reading } of await Promise.all(readings)) {
        if (reading?.kind === 'record') records.push(reading.record);
        if (reading?.kind === 'damaged')
          damaged.push({ file, path: this.#pathOf(file), problem: reading.problem });
      }
    }
    this.#known = known;
    return { records, damaged };
  }

  /** What an entry holds, or undefined when it is gone by now. Notes in `known` what need not be read again. */
  async #read(entry: FolderEntry, known: Map<string, Known>): Promise<Reading | undefined> {
    if (entry.kind !== 'file') return { kind: 'damaged', problem: NOT_A_FILE[entry.kind] };
    if (fileKey(entry.name) === fileKey(INDEX_FILE)) return this.#readNamesake();
    try {
      return await this.#readFile(entry.name, known);
    } catch (error) {
      return { kind: 'damaged', problem: `The file cannot be read: ${errorText(error)}` };
    }
  }

  /** `memory.md` is the index where case does not count, and else a file whose name must not be taken for it. */
  async #readNamesake(): Promise<Reading | undefined> {
    const names = (await listFolder(this.#folder)).map(({ name }) => name);
    const isIndex =
      !names.includes(INDEX_FILE) && (await kindIfPresent(this.#pathOf(INDEX_FILE))) !== undefined;
    const problem = `The name is that of the index, ${INDEX_FILE}, in other letters.`;
    return isIndex ? undefined : { kind: 'damaged', problem };
  }

  async #readFile(file: string, known: Map<string, Known>): Promise<Reading | undefined> {
    const target = this.#pathOf(file);
    const startedAt = Date.now();
    const info = await infoIfPresent(target);
    if (!info) return undefined;
    const { size, modified } = info;
    const last = this.#known.get(file);
    if (last && last.size === size && last.modified === modified) {
      known.set(file, last);
      return last.reading;
    }
    if (size > MAX_BYTES) return { kind: 'damaged', problem: 'The file is larger than 1 MB.' };
    const bytes = await readBytesIfPresent(target);
    if (!bytes) return undefined;
    const reading = parse(target, bytes, modified);
    if (modified < startedAt - CLOCK_TICK_MS) known.set(file, { size, modified, reading });
    return reading;
  }

  #pathOf(file: string): string {
    return path.join(this.#folder, file);
  }
}

/** Two names that some file systems take for the same have the same key. */
export function fileKey(file: string): string {
  return file.normalize('NFC').toLowerCase();
}

/** What it holds belongs to another place, perhaps to another project. */
function linkedFolder(folder: string): MemoryList {
  const problem = 'The folder is a link, and links are not followed.';
  return { records: [], damaged: [{ file: path.basename(folder), path: folder, problem }] };
}

function isRecordFile(name: string): boolean {
  const key = fileKey(name);
  // Names with a dot in front belong to editors and the system (`.#x.md`, `._x.md`).
  return key.endsWith('.md') && !key.startsWith('.') && name !== INDEX_FILE;
}

function parse(target: string, bytes: Uint8Array, modified: number): Reading {
  try {
    return { kind: 'record', record: parseRecord(target, bytes, modified) };
  } catch (error) {
    if (error instanceof RecordError) return { kind: 'damaged', problem: error.message };
    throw error;
  }
}
