// The last day of something that a person asked to have remembered for a while. A model reckons it, so it is checked.

import { endOf } from '../expiry.ts';
import { isoDate, isoDeadline } from '../fieldText.ts';

/** Days. What holds for more than a year is no matter of a while. */
const MOST_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The day as `2027-03-31`. Undefined for what is no real day, is over, or lies more than a year ahead. */
export function lastDay(given: string | undefined, now: Date): string | undefined {
  const day = given?.trim() ?? '';
  const end = endOf(isoDeadline(day));
  // There is no 30 February, whatever `Date` makes of it.
  if (end === undefined || isoDate(day) !== `${day}T00:00:00.000Z`) return undefined;
  const ahead = end - now.getTime();
  return ahead >= 0 && ahead <= MOST_DAYS * DAY_MS ? day : undefined;
}
