/** The arithmetic mean. Throws for an empty list. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('The mean of no values does not exist.');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value in the middle, or the mean of the two in the middle. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}
