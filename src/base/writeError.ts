// Why a file could not be written, in words a person can act on.

import path from 'node:path';
import { hasCode } from './errorCode.ts';
import { sentence, SentenceError, type Sentence } from './sentence.ts';

/** What stands in the way of a write, in a sentence that a person can act on. */
export function writeError(file: string, cause: unknown): unknown {
  const problem = Object.entries(WRITE_PROBLEMS).find(([code]) => hasCode(cause, code))?.[1];
  if (problem === undefined) return cause;
  const name = path.basename(file);
  return new SentenceError(
    sentence`${name} was not written, and what was there is unchanged: ${problem}`,
    { cause },
  );
}

const WRITE_PROBLEMS: Readonly<Record<string, Sentence>> = {
  ENOSPC: sentence`the disk is full.`,
  EDQUOT: sentence`the disk quota is used up.`,
  EFBIG: sentence`the file would be larger than the system allows.`,
  EROFS: sentence`the disk can only be read.`,
  EACCES: sentence`you may not write to its folder.`,
  EPERM: sentence`you may not write to its folder.`,
  EBUSY: sentence`another program holds it.`,
  ENOENT: sentence`its folder is gone.`,
};
