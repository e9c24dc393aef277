// Whether a file may be written at all. An atomic write would get round it, since that only needs its folder.

import { constants, promises as fs } from 'node:fs';
import { hasCode } from './errorCode.ts';

const ANY_MAY_WRITE = 0o222;

/** Of a file that is there. Also true for one that nobody may write, when root asks, who may write all. */
export async function isWriteProtected(file: string): Promise<boolean> {
  if (((await fs.stat(file)).mode & ANY_MAY_WRITE) === 0) return true;
  try {
    await fs.access(file, constants.W_OK);
    return false;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].some((code) => hasCode(error, code))) return true;
    throw error;
  }
}
