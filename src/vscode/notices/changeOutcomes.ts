// What a person is told of a series of changes: one outcome for each memory, whatever it has been through. A move is
// made of two changes and told as one. No 'vscode' import.

import type { Change, NewChange, RevisedChange } from '../../memory/change.ts';
import type { MemoryRecord } from '../../memory/record.ts';

/** `record` is as it is now; of a removed one, as it was. `changes` led to it, in the order in which they were made. */
export type Outcome = { readonly record: MemoryRecord; readonly changes: readonly Change[] } & (
  | { readonly kind: 'created' | 'restored' | 'moved' | 'removed' }
  | { readonly kind: 'updated' | 'renamed'; readonly before: MemoryRecord }
);

export function outcomesOf(changes: readonly Change[]): readonly Outcome[] {
  const moves = movesAmong(changes);
  const departures = new Map<Change, Change>([...moves].map(([gone, added]) => [added, gone]));
  const outcomes = new Map<string, Outcome>();
  for (const change of changes) {
    if (moves.has(change)) continue;
    const { record } = change;
    const departure = departures.get(change);
    if (departure) {
      const earlier = outcomes.get(departure.record.path)?.changes ?? [];
      outcomes.delete(departure.record.path);
      outcomes.set(record.path, {
        kind: 'moved',
        record,
        changes: [...earlier, change, departure],
      });
    } else if (change.kind === 'updated' || change.kind === 'renamed') {
      const earlier = outcomes.get(change.before.path);
      outcomes.delete(change.before.path);
      outcomes.set(record.path, withRevision(earlier, change));
    } else {
      const earlier = outcomes.get(record.path)?.changes ?? [];
      outcomes.set(record.path, { kind: change.kind, record, changes: [...earlier, change] });
    }
  }
  return [...outcomes.values()];
}

/** The removal that each move ended with, and the copy that it began with. */
function movesAmong(changes: readonly Change[]): ReadonlyMap<Change, NewChange> {
  const arrivals = new Map<string, NewChange>();
  for (const change of changes)
    if (change.kind === 'created' && change.step.moved) arrivals.set(change.step.moved, change);
  const moves = new Map<Change, NewChange>();
  for (const change of changes) {
    const arrival = change.kind === 'removed' && arrivals.get(change.step.moved ?? '');
    if (arrival) moves.set(change, arrival);
  }
  return moves;
}

/** Of a memory saved and then updated, that it was saved; of one renamed and then updated, that it was renamed. */
function withRevision(earlier: Outcome | undefined, change: RevisedChange): Outcome {
  const { kind, record, before } = change;
  const changes = [...(earlier?.changes ?? []), change];
  if (!earlier || earlier.kind === 'removed') return { kind, record, before, changes };
  if (earlier.kind === 'updated' || earlier.kind === 'renamed') {
    const isRenamed = kind === 'renamed' || earlier.kind === 'renamed';
    return { kind: isRenamed ? 'renamed' : 'updated', record, before: earlier.before, changes };
  }
  return { kind: earlier.kind, record, changes };
}
