// Why a file could not be written, in words a person can act on.

import path from 'node:path';
import { hasCode } from './errorCode.ts';

/** What stands in the way of a write, in a sentence that a person can act on. */
export function writeError(file: string, cause: unknown): unknown {
  const problem = Object.entries(WRITE_PROBLEMS).find(([code]) => hasCode(cause, code))?.[1];
  if (problem === undefined) return cause;
  const name = path.basename(file);
  return new Error(`${name} was not written, and what was there is unchanged: ${problem}`, {
    cause,
  });
}

const WRITE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the disk quota is used up.',
  EFBIG: 'the file would be larger than the system allows.',
  EROFS: 'the disk can only be read.',
  EACCES: 'you may not write to its folder.',
  EPERM: 'you may not write to its folder.',
  EBUSY: 'another program holds it.',
  ENOENT: 'its folder is gone.',
};
