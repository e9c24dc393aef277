// Moves what has run out to the trash, of all scopes as one change to undo. What a person touches at that moment
// stays.

import { randomUUID } from 'node:crypto';
import type { RemovedChange } from '../change.ts';
import { expiredRecords, upcomingExpiries, type Expiry } from '../expiry.ts';
import type { MemoryRecord } from '../record.ts';
import type { MemoryScopes, Scope } from '../scopes.ts';

interface RetirementRule {
  /** Days after which an untouched `project` record of a scope runs out; 0 is never. */
  readonly afterDaysOf: (scope: Scope) => number;
  readonly now: Date;
  /** Those to leave where they are although they have run out. */
  readonly spares?: (record: MemoryRecord) => boolean;
}

interface Retirement {
  readonly changes: readonly RemovedChange[];
  readonly retired: readonly Expiry[];
  /** Of those that run out soon, soonest first. */
  readonly upcoming: readonly Expiry[];
  /** Why a record that has run out is still there. */
  readonly failures: readonly unknown[];
}

export async function retireExpired(
  scopes: MemoryScopes,
  { afterDaysOf, now, spares = () => false }: RetirementRule,
): Promise<Retirement> {
  const group = randomUUID();
  const changes: RemovedChange[] = [];
  const retired: Expiry[] = [];
  const upcoming: Expiry[] = [];
  const failures: unknown[] = [];
  for (const scope of scopes.all) {
    const { records } = await scope.store.list();
    const rule = { afterDays: afterDaysOf(scope), now };
    upcoming.push(...upcomingExpiries(records, rule));
    const expired = expiredRecords(records, rule).filter(({ record }) => !spares(record));
    const removed = await scopes.removeAll(
      expired.map(({ record }) => record),
      'expired',
      group,
    );
    changes.push(...removed.done);
    const gone = new Set(removed.done.map(({ record }) => record));
    retired.push(...expired.filter(({ record }) => gone.has(record)));
    failures.push(...removed.failures.map(({ error }) => error));
  }
  return { changes, retired, upcoming: upcoming.toSorted((a, b) => a.at - b.at), failures };
}
