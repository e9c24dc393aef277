// On Windows a file cannot be renamed while another program reads it: a virus scanner, an indexer, git. They are
// done in a moment.

import { hasCode } from './errorCode.ts';

/** How Windows says that somebody holds the file. */
const HELD = ['EPERM', 'EACCES', 'EBUSY'];
/** Milliseconds between the attempts: about a second in all, as scanners need at most. */
const PAUSES: readonly number[] = [5, 10, 20, 50, 100, 200, 300, 400];

/** Runs `work`, on Windows again and again while a file is held. Elsewhere these failures are final. */
export async function retryWhileHeld<T>(
  work: () => Promise<T>,
  { platform = process.platform, pauses = PAUSES } = {},
): Promise<T> {
  for (const pause of platform === 'win32' ? pauses : []) {
    try {
      return await work();
    } catch (error) {
      if (!HELD.some((code) => hasCode(error, code))) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
