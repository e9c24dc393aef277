// Waiting for what may never come, no longer than a signal allows.

/** Resolves when the signal is aborted: at once when it is already. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What comes of `work`. Throws `failure` as soon as the signal is aborted, whatever `work` does about it. */
export async function orAborted<T>(
  work: () => PromiseLike<T>,
  signal: AbortSignal,
  failure: () => Error,
): Promise<T> {
  if (signal.aborted) throw failure();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(failure());
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
