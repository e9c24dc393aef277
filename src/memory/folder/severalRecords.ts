// Changes to several records as one: in their turn, some at once. One that cannot be made does not hold up the others.
// Where there is more than one, what was done can be taken back also when the process is killed in the middle.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { settleEach, type Settled } from '../../base/atMost.ts';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import type { FormerState, NewChange, RemovedChange, RevisedChange, Step } from '../change.ts';
import { hashOf, reviseRecord, slugFor, type MemoryRecord, type RecordChanges } from '../record.ts';
import { refuseSecrets } from '../secrets/secretGate.ts';
import type { ChangeQueue, OpenChange } from './changeQueue.ts';
import { lookAt, noteStep } from './doneStep.ts';
import { makeSteps, READ_AT_ONCE } from './manySteps.ts';
import type { RecordCache } from './recordCache.ts';
import { freeNames, takenForNew, type RecordFiles } from './recordFiles.ts';

interface Parts {
  readonly folder: string;
  readonly files: RecordFiles;
  readonly cache: RecordCache;
  readonly queue: ChangeQueue;
  readonly now: () => Date;
}

/** A record that goes to another store. */
interface Departure {
  readonly record: MemoryRecord;
  /** The id that its arrival there has too. */
  readonly moved?: string;
}

/** A record of another store, on its way here. */
export interface Arrival extends Required<Departure> {
  readonly bytes: Uint8Array;
}

export class SeveralRecords {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Rewrites the lines that change; the old texts stay in the trash. The files keep their names. Those that are so
   * already are in neither list.
   */
  update(
    records: readonly MemoryRecord[],
    changes: RecordChanges,
    group?: string,
  ): Promise<Settled<MemoryRecord, RevisedChange>> {
    const { cache, files, queue } = this.#parts;
    return queue.change(async (open) => {
      const revise = (record: MemoryRecord) => this.#revise(record, changes);
      const planned = await settleEach(records, READ_AT_ONCE, revise);
      const edits = planned.done.filter(({ isChanged }) => isChanged);
      await foresee(open, edits);
      const made = await makeSteps(edits, {
        make: ({ record, text }) => files.replace(record, text, 'updated'),
        note: (step, { record }): RevisedChange => {
          return { kind: 'updated', record: noteStep(step, open, cache), before: record, step };
        },
      });
      return this.#settled(made, planned.failures);
    }, group);
  }

  /** Moves the files to the trash. */
  remove(
    records: readonly MemoryRecord[],
    reason: string,
    group?: string,
  ): Promise<Settled<MemoryRecord, RemovedChange>> {
    return this.#remove(
      records.map((record) => ({ record })),
      reason,
      group,
    );
  }

  /** Moves files to the trash that have arrived in another store. */
  leave(
    departures: readonly Departure[],
    group: string,
  ): Promise<Settled<MemoryRecord, RemovedChange>> {
    return this.#remove(departures, 'moved', group);
  }

  /** Writes files of another store, byte for byte unless their names are taken here. */
  adopt(arrivals: readonly Arrival[], group: string): Promise<Settled<MemoryRecord, NewChange>> {
    const { cache, files, folder, queue, now } = this.#parts;
    return queue.make(async (open) => {
      const isTaken = await takenForNew(folder, cache);
      const time = now();
      const plan = async ({ record, bytes, moved }: Arrival) => {
        const own = path.parse(record.file).name;
        const textFor = (name: string) =>
          name === own ? bytes : reviseRecord(decodeUtf8(bytes, record.path), { name }, time);
        const [name = own] = freeNames(own, isTaken);
        const after = { file: `${name}.md`, hash: hashOf(Buffer.from(textFor(name))) };
        const names = beginningWith(name, freeNames(own, isTaken));
        return { record, moved, textFor, after, names };
      };
      const planned = await settleEach(arrivals, READ_AT_ONCE, plan);
      await foresee(open, planned.done);
      const made = await makeSteps(planned.done, {
        make: async ({ names, textFor, moved }) => ({
          ...(await files.create(names, textFor)),
          moved,
        }),
        note: (step): NewChange => ({ kind: 'created', record: noteStep(step, open, cache), step }),
      });
      const failures = planned.failures.map(({ item, error }) => ({ item: item.record, error }));
      return this.#settled(made, failures);
    }, group);
  }

  /** Deletes what `adopt` wrote a moment ago, for moves that failed. */
  abandon(arrived: readonly NewChange[]): Promise<void> {
    const { cache, files, queue } = this.#parts;
    return queue.change(async ({ undone }) => {
      for (const { step } of arrived) {
        if (step.after) await files.discard(step.after);
        lookAt(step, cache);
        undone.push(step.id);
      }
    });
  }

  #remove(
    departures: readonly Departure[],
    reason: string,
    group: string | undefined,
  ): Promise<Settled<MemoryRecord, RemovedChange>> {
    const { cache, files, queue } = this.#parts;
    return queue.change(async (open) => {
      const planned = departures.map(({ record, moved }) => ({
        record,
        moved,
        before: inTrash(record),
      }));
      await foresee(open, planned);
      const made = await makeSteps(planned, {
        make: async ({ record, moved }) => ({
          ...(await files.remove(record, reason)),
          ...(moved !== undefined && { moved }),
        }),
        note: (step, { record }): RemovedChange => {
          lookAt(step, cache);
          open.steps.push(step);
          return { kind: 'removed', record, step };
        },
      });
      return this.#settled(made);
    }, group);
  }

  async #revise(record: MemoryRecord, changes: RecordChanges) {
    const { files, now } = this.#parts;
    const name = changes.name?.trim() ? { name: slugFor(changes.name) } : {};
    const present = decodeUtf8(await files.read(record), record.path);
    refuseSecrets(changes, present);
    const text = reviseRecord(present, { ...changes, ...name }, now());
    const after = { file: record.file, hash: hashOf(Buffer.from(text)) };
    return { record, text, isChanged: text !== present, before: inTrash(record), after };
  }

  /** Of files that failed nobody knows what they hold. */
  #settled<T>(
    made: Settled<{ readonly record: MemoryRecord }, T>,
    earlier: Settled<MemoryRecord, T>['failures'] = [],
  ): Settled<MemoryRecord, T> {
    const later = made.failures.map(({ item, error }) => ({ item: item.record, error }));
    for (const { item } of later) this.#parts.cache.doubt(item.file);
    return { done: made.done, failures: [...earlier, ...later] };
  }
}

/** What is removed is found in the trash by its text. */
function inTrash({ file, hash }: MemoryRecord): FormerState {
  return { file, hash, trash: file };
}

async function foresee(
  { foresee }: OpenChange,
  planned: readonly Omit<Step, 'id'>[],
): Promise<void> {
  const steps = planned.map(({ before, after, moved }) => ({
    id: randomUUID(),
    before,
    after,
    moved,
  }));
  // One alone is noted as soon as it is done.
  if (steps.length > 1) await foresee(steps);
}

function* beginningWith(first: string, rest: Iterable<string>): Generator<string> {
  yield first;
  yield* rest;
}
