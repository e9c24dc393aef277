// Code that is read from the disk when it is first used. By then it may be gone, as when the extension was updated or
// installed again while the window is open: that is told in words which help, and tried again at the next use.

import { errorText, type Log } from '../../base/log.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';

/** `read` is called until it succeeds once. Why it failed stands in the log only: a person can do nothing with it. */
export function lateCode<T>(read: () => Promise<T>, log: Log): () => Promise<T> {
  let code: Promise<T> | undefined;
  return () => (code ??= read().catch(failed));

  function failed(error: unknown): never {
    code = undefined;
    log.error(`[code] A part of the extension could not be read: ${errorText(error)}`);
    throw new SentenceError(
      sentence`A part of Memory Agent could not be read from the disk, perhaps because the extension was updated. Reload the window.`,
    );
  }
}
