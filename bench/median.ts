// Times a piece of work.

/** Milliseconds of each run, sorted. One run before them warms up. */
export function timesOf(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  return timesOfEach(runs, async () => work);
}

/** The same for work that is prepared anew for each run, which is not timed. */
export async function timesOfEach(
  runs: number,
  prepare: () => Promise<() => Promise<unknown>>,
): Promise<number[]> {
  await (
    await prepare()
  )();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const work = await prepare();
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

/** The time below which a share of the sorted runs lies, in tenths of a millisecond or finer parts. */
export function quantile(times: readonly number[], share: number, parts = 10): number {
  const index = Math.min(times.length - 1, Math.floor(times.length * share));
  return Math.round((times[index] ?? Number.NaN) * parts) / parts;
}
