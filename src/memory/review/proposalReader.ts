// Reads the files of a folder of proposals. One that has not changed is not read again, and what is no proposal is
// told to the log and left alone: a repository may ship anything.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lookNow, namesNow, readBytesNow, type FileLook } from '../../base/files.ts';
import { errorText, type Log } from '../../base/log.ts';
import { isRecordFile } from '../folder/recordCache.ts';
import { parseProposal, type Proposal } from './proposalFile.ts';

/** No proposal is near this size, nor are there ever so many. */
const MAX_BYTES = 64 * 1024;
const MAX_FILES = 500;

interface Known {
  readonly look: FileLook;
  /** Undefined when the file holds none. */
  readonly proposal: Proposal | undefined;
}

export class ProposalReader {
  readonly #log: Log;
  readonly #known = new Map<string, Known>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Those in a folder, oldest first. */
  list(folder: string): readonly Proposal[] {
    return proposalFiles(folder)
      .flatMap((file) => this.read(path.join(folder, file)) ?? [])
      .toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
  }

  /** The proposal in a file, or undefined when there is none. */
  read(file: string): Proposal | undefined {
    const look = lookNow(file);
    const known = this.#known.get(file);
    if (look && known && isDeepStrictEqual(known.look, look)) return known.proposal;
    this.#known.delete(file);
    if (!look) return undefined;
    const proposal = this.#parsed(file, look);
    this.#known.set(file, { look, proposal });
    return proposal;
  }

  #parsed(file: string, { kind, size, modified }: FileLook): Proposal | undefined {
    try {
      if (kind !== 'file') throw new Error(`It is a ${kind} and not a file.`);
      if (size > MAX_BYTES) throw new Error(`It is larger than ${MAX_BYTES} bytes.`);
      return parseProposal(file, readBytesNow(file), modified);
    } catch (error) {
      this.#log.warn(`[proposals] ${file} is left alone: ${errorText(error)}`);
      return undefined;
    }
  }
}

/** The files of a folder that may hold one, by name. */
export function proposalFiles(folder: string): readonly string[] {
  return namesNow(folder).filter(isRecordFile).toSorted().slice(0, MAX_FILES);
}
