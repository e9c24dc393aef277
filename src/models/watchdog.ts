// Notices a stream that has gone silent. It counts bytes rather than events, since a model that thinks in secret
// sends nothing but pings, which are never events.

interface Watchdog {
  /** Aborted when nothing came for too long. */
  readonly signal: AbortSignal;
  /** A fetch whose response feeds the watchdog. */
  readonly fetch: typeof fetch;
  /** Must be called when the request is over. */
  stop(): void;
}

export interface WatchdogLimits {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** Runs from now on. */
export function watchFetch(fetchUnwatched: typeof fetch, limits: WatchdogLimits): Watchdog {
  const controller = new AbortController();
  const expire = (): void => controller.abort();
  let timer = setTimeout(expire, limits.firstByteMs);
  const rearm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(expire, limits.idleMs);
  };
  return {
    signal: controller.signal,
    async fetch(input, init) {
      const response = await fetchUnwatched(input, init);
      rearm();
      const body = response.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, out) {
            rearm();
            out.enqueue(bytes);
          },
        }),
      );
      return new Response(body ?? null, response);
    },
    stop: () => clearTimeout(timer),
  };
}
