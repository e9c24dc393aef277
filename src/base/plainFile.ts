// Reads many plain files quickly, and nothing that could wait for ever or lead elsewhere: a pipe, a device or a link
// that somebody has put in a file's place is left alone. At once where the disk is quick, by promises where it is not.

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  promises as fs,
  readFileSync,
  type Stats,
} from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isMissing, isOfSystem } from './errorCode.ts';

/** A pipe that nobody writes to opens at once so. Windows has neither flag: there it is undefined, and counts as none. */
const TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Whoever is to use the editor meanwhile must not wait longer. */
const MAX_WAIT_MS = 15;
/** A disk that reads fewer in that time is a slow one, perhaps in another house. */
const QUICK_FILES = 15;
const CHUNK_BYTES = 1_000_000;

/** `large`: more bytes than were to be read. Undefined: no plain file is there. An error names why it is not read. */
export type PlainContent = Buffer | 'large' | Error | undefined;

/** Reads some files after the other. One that takes long makes it read by promises from there on. */
export class PlainFileReader {
  readonly #maxBytes: number;
  readonly #now: () => number;
  #isSlow = false;

  /** `now`: in milliseconds. */
  constructor(maxBytes: number, now = () => performance.now()) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  async read(files: readonly string[]): Promise<readonly PlainContent[]> {
    const contents: PlainContent[] = [];
    // Three quarters of the time of a promise for each file are spent on the promises.
    while (!this.#isSlow && contents.length < files.length) {
      await setImmediate();
      const begun = this.#now();
      const before = contents.length;
      for (const file of files.slice(before)) {
        contents.push(contentNow(file, this.#maxBytes));
        if (this.#now() - begun > MAX_WAIT_MS) break;
      }
      this.#isSlow = contents.length < files.length && contents.length - before < QUICK_FILES;
    }
    const rest = files.slice(contents.length).map((file) => contentLater(file, this.#maxBytes));
    return [...contents, ...(await Promise.all(rest))];
  }
}

/** The bytes of a plain file, some at a time; those that are added meanwhile are left. */
export async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  const handle = await fs.open(file, TO_READ);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return;
    for (let at = 0; at < stat.size;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stat.size - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function contentNow(file: string, maxBytes: number): PlainContent {
  try {
    const handle = openSync(file, TO_READ);
    try {
      const stat = fstatSync(handle);
      return refusal(stat, maxBytes) ?? (stat.isFile() ? readFileSync(handle) : undefined);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return failure(error);
  }
}

async function contentLater(file: string, maxBytes: number): Promise<PlainContent> {
  try {
    const handle = await fs.open(file, TO_READ);
    try {
      const stat = await handle.stat();
      return refusal(stat, maxBytes) ?? (stat.isFile() ? await handle.readFile() : undefined);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return failure(error);
  }
}

function refusal(stat: Stats, maxBytes: number): 'large' | undefined {
  return stat.isFile() && stat.size > maxBytes ? 'large' : undefined;
}

function failure(error: unknown): Error | undefined {
  if (isMissing(error)) return undefined;
  if (isOfSystem(error)) return error;
  throw error;
}
