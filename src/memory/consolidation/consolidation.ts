// Does what was planned: merges, corrects and retires records, on the disk as it is now. Written down first, then
// record by record, never over what someone else has changed, and all of it as one change to undo.

import { errorText, type Log } from '../../base/log.ts';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import type { Model } from '../../models/model.ts';
import { StaleRecordError, type Change } from '../change.ts';
import { sharedFiles } from '../folder/gitSharing.ts';
import { newConsolidationId } from '../folder/journal.ts';
import { RecordError, reviseRecord } from '../record.ts';
import type { MemoryStore } from '../store.ts';
import type { PlannedChange } from './changeSet.ts';
import { planConsolidation, type ConsolidationPlan } from './consolidationPlan.ts';
import { completeBegun } from './consolidationRecovery.ts';
import type { Work } from './consolidationWork.ts';
import { keptApart } from './mergeLimits.ts';
import { settledChanges } from './settledChanges.ts';

interface ApplyOptions {
  readonly store: MemoryStore;
  readonly log: Log;
  readonly now?: () => Date;
  /** From `newConsolidationId`. Changes with the same one, also to other stores, are undone together. */
  readonly group?: string;
}

interface AppliedConsolidation {
  /** One after the other; what was done and why is in the log. */
  readonly changes: readonly Change[];
  /** Changes whose records, or those that hold what they leave out, are no longer as the model saw them. */
  readonly left: readonly PlannedChange[];
}

/**
 * Applies what still holds of the changes, perhaps only those that a person picked, as one change to undo. Throws,
 * with everything as it was, when a write failed, and ConsolidationBusyError.
 */
export async function applyConsolidation(
  changes: readonly PlannedChange[],
  options: ApplyOptions,
): Promise<AppliedConsolidation> {
  if (changes.length === 0) return { changes: [], left: [] };
  const { store, log } = options;
  return store.consolidations.alone(async () => {
    await completeBegun(store, log);
    return applyHolding(changes, options);
  });
}

/**
 * Both halves at once, for when nobody looks on. What was refused is in the log. When the changes cannot be made, the
 * model is asked again the next time.
 */
export async function consolidateMemories(
  options: ApplyOptions & { readonly model: Model },
  signal: AbortSignal,
): Promise<AppliedConsolidation> {
  let applied: AppliedConsolidation = { changes: [], left: [] };
  const carryOut = async ({ changes }: ConsolidationPlan) => {
    applied = await applyHolding(changes, options);
  };
  await planConsolidation({ ...options, unattended: true, carryOut }, signal);
  return applied;
}

/** A change, and what it is on the disk. */
interface Planned {
  readonly change: PlannedChange;
  readonly work: Work;
}

/** For one who has the consolidations to itself. */
async function applyHolding(
  changes: readonly PlannedChange[],
  options: ApplyOptions,
): Promise<AppliedConsolidation> {
  return applyAll(await holding(changes, options), { ...options, given: changes });
}

/** Those whose sources are still as they were, and that together lose nothing that was not said to go. */
async function holding(
  changes: readonly PlannedChange[],
  { store, log, now = () => new Date() }: ApplyOptions,
): Promise<readonly Planned[]> {
  const { records } = await store.list();
  const hashes = new Map(records.map(({ path, hash }) => [path, hash]));
  const fresh = changes.filter(({ sources }) =>
    sources.every(({ path, hash }) => hashes.get(path) === hash),
  );
  const shared = await sharedFiles(
    store.folder,
    records.map(({ file }) => file),
  );
  // One of them may have been shared since.
  const apart = fresh.filter(({ sources }) => !keptApart(sources, ({ file }) => shared.has(file)));
  const planned: Planned[] = [];
  for (const change of settledChanges(apart, records).changes) {
    const work = await workOf(change, { store, log, now: now() });
    if (work) planned.push({ change, work });
  }
  return planned;
}

/** Undefined when the record is being written by someone else, or its front matter cannot be edited. */
async function workOf(
  change: PlannedChange,
  { store, log, now }: { readonly store: MemoryStore; readonly log: Log; readonly now: Date },
): Promise<Work | undefined> {
  const reason = `consolidation: ${reasonOf(change)}`;
  const states = change.sources.map(({ file, hash }) => ({ file, hash }));
  if (change.kind === 'retire') return { remove: states, reason };
  const { target, fields } = change;
  try {
    const before = decodeUtf8(await store.read(target), target.path);
    const text = reviseRecord(before, { ...fields, source: 'consolidation' }, now);
    const remove = states.filter(({ file }) => file !== target.file);
    return { rewrite: { file: target.file, hash: target.hash, text }, remove, reason };
  } catch (error) {
    if (!(error instanceof StaleRecordError || error instanceof RecordError)) throw error;
    log.info(`[consolidation] ${target.file}: ${error.message}`);
    return undefined;
  }
}

async function applyAll(
  planned: readonly Planned[],
  {
    store,
    log,
    group = newConsolidationId(),
    given,
  }: ApplyOptions & { given: readonly PlannedChange[] },
): Promise<AppliedConsolidation> {
  const { consolidations } = store;
  const changes: Change[] = [];
  const done = new Set<PlannedChange>();
  if (planned.length > 0)
    await consolidations.begin({ group, works: planned.map(({ work }) => work) });
  try {
    for (const { change, work } of planned) {
      const made = await consolidations.carryOut(work, group);
      if (!made) continue;
      changes.push(...made);
      done.add(change);
    }
  } catch (error) {
    if (await takeBack(changes, { store, log, group })) await consolidations.end();
    throw error;
  }
  await consolidations.end();
  const left = given.filter((change) => !done.has(change));
  for (const change of done) log.info(`[consolidation] ${doneText(change)}`);
  for (const change of left)
    log.info(`[consolidation] left ${filesOf(change)}: changed in the meantime`);
  return { changes, left };
}

/** False when some stays. It is taken back at the next start, since what was begun is still written down. */
async function takeBack(
  changes: readonly Change[],
  { store, log, group }: { store: MemoryStore; log: Log; group: string },
): Promise<boolean> {
  let isAll = true;
  for (const change of changes.toReversed()) {
    try {
      await store.undo(change);
    } catch (error) {
      // The others must still be taken back.
      log.error(`[consolidation] ${change.record.file} was not taken back: ${errorText(error)}`);
      isAll = false;
    }
  }
  const left = await store.changeGroup(group);
  return isAll && !left?.steps.length;
}

function doneText(change: PlannedChange): string {
  if (change.kind === 'retire') return `retired ${filesOf(change)}: ${change.reason}`;
  const reason = change.reason === '' ? '' : `: ${change.reason}`;
  return change.kind === 'merge'
    ? `merged ${filesOf(change)} into ${change.target.file}${reason}`
    : `updated ${change.target.file}${reason}`;
}

function reasonOf(change: PlannedChange): string {
  if (change.kind === 'retire') return change.reason;
  return change.reason || `merged into ${change.target.file}`;
}

function filesOf({ sources }: PlannedChange): string {
  return sources.map(({ file }) => file).join(', ');
}
