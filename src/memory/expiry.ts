// Tells which memories have run out, and which soon will. Only facts and pointers do: what a person is like and
// how they want things done holds until they say otherwise, and so does whatever they pinned.

import type { MemoryRecord } from './record.ts';

/** A record and when it runs out. */
export interface Expiry {
  readonly record: MemoryRecord;
  /** `date`: its own `expires` says so; `age`: it was not touched for as many days as the person allows. */
  readonly because: 'age' | 'date';
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface ExpiryRule {
  /** Days after which an untouched `project` record runs out; 0 is never. */
  readonly afterDays: number;
  readonly now: Date;
}

/** Two weeks: long enough to act on, short enough to be worth reading. */
const SOON_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The records that have run out, in the order they came in. */
export function expiredRecords(
  records: readonly MemoryRecord[],
  { afterDays, now }: ExpiryRule,
): readonly Expiry[] {
  return expiries(records, afterDays).filter(({ at }) => at < now.getTime());
}

/** The records that run out within two weeks, soonest first. */
export function upcomingExpiries(
  records: readonly MemoryRecord[],
  { afterDays, now }: ExpiryRule,
): readonly Expiry[] {
  const end = now.getTime() + SOON_DAYS * DAY_MS;
  return expiries(records, afterDays)
    .filter(({ at }) => at >= now.getTime() && at <= end)
    .toSorted((a, b) => a.at - b.at);
}

/** Whether a record ever runs out, whatever date is in it. */
export function canExpire({ type, pinned }: Pick<MemoryRecord, 'type' | 'pinned'>): boolean {
  return !pinned && (type === 'project' || type === 'reference');
}

/** The moment at which the `expires` of a record is over, or undefined for what is no date. */
export function endOf(expires: string | undefined): number | undefined {
  const time = expires === undefined ? Number.NaN : Date.parse(expires);
  if (Number.isNaN(time)) return undefined;
  if ((time + 1) % DAY_MS !== 0) return time;
  // A day without a time is read as its last moment in UTC, but the person means the day where they are.
  const day = new Date(time);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + 1).getTime() - 1;
}

function expiries(records: readonly MemoryRecord[], afterDays: number): readonly Expiry[] {
  return records.flatMap((record) => expiryOf(record, afterDays) ?? []);
}

/** A date that the person wrote into the record says more than its age, so it alone counts. */
function expiryOf(record: MemoryRecord, afterDays: number): Expiry | undefined {
  if (!canExpire(record)) return undefined;
  const { type, expires } = record;
  const date = endOf(expires);
  if (date !== undefined) return { record, because: 'date', at: date };
  if (type !== 'project' || !(afterDays > 0)) return undefined;
  return { record, because: 'age', at: touchedAt(record) + afterDays * DAY_MS };
}

/** By a hand that sets no date too. A checkout also gives a file a new time, and then it stays for longer. */
function touchedAt({ updated, created, modified }: MemoryRecord): number {
  const dates = [updated, created].map((date) => Date.parse(date ?? ''));
  return Math.max(modified, ...dates.filter((time) => !Number.isNaN(time)));
}
