// Times a piece of work.

/** Milliseconds of each run, sorted. One run before them warms up. */
export async function timesOf(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

/** The time below which a share of the sorted runs lies, in tenths of a millisecond. */
export function quantile(times: readonly number[], share: number): number {
  const index = Math.min(times.length - 1, Math.floor(times.length * share));
  return Math.round((times[index] ?? Number.NaN) * 10) / 10;
}
