// One change of a consolidation on the disk: a record gets a new text, and what it takes the place of goes to the
// trash. All of it is done or nothing, and what a killed process began is found out from the files and completed.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { throwAny } from '../../base/sentence.ts';
import { StaleRecordError, type Change, type FileState, type Step } from '../change.ts';
import type { OpenChange } from '../folder/changeQueue.ts';
import { hashOf, type MemoryRecord } from '../record.ts';
import { isRecordFile, type RecordCache } from '../folder/recordCache.ts';
import type { RecordFiles } from '../folder/recordFiles.ts';
import { takeBack } from '../folder/takeBack.ts';
import type { Trash, TrashedFile } from '../folder/trash.ts';

/** The file may have come with a repository, and its names become paths: of memories, and of nothing else. */
const State = z.object({ file: z.string().check(z.refine(isRecordFile)), hash: z.string() });

/** Each file with the bytes that it had when the change was decided. */
export const Work = z.object({
  rewrite: z.optional(z.extend(State, { text: z.string() })),
  remove: z.array(State),
  reason: z.string(),
});
export type Work = z.infer<typeof Work>;

export interface Desk {
  readonly files: RecordFiles;
  readonly cache: RecordCache;
  readonly trash: Trash;
}

/** Undefined, and nothing done, when one of the files is no longer as it was. */
export async function doWork(
  { rewrite, remove, reason }: Work,
  open: OpenChange,
  desk: Desk,
): Promise<readonly Change[] | undefined> {
  const sources: MemoryRecord[] = [];
  for (const state of [...(rewrite ? [rewrite] : []), ...remove]) {
    const record = await recordAt(state, desk);
    if (!record) return undefined;
    sources.push(record);
  }
  const changes: Change[] = [];
  try {
    for (const record of sources) {
      const isTarget = record.file === rewrite?.file;
      const step = isTarget
        ? await desk.files.replace(record, rewrite.text, reason)
        : await desk.files.remove(record, reason);
      open.steps.push(step);
      const after = look(step, desk);
      if (!isTarget) changes.push({ kind: 'removed', record, step });
      else if (after) changes.push({ kind: 'updated', record: after, before: record, step });
    }
    return changes;
  } catch (error) {
    await takeAllBack(open, desk);
    if (error instanceof StaleRecordError) return undefined;
    throw error;
  }
}

/**
 * Does what is left of a change that may have been begun, and adds to `open` what was done and not noted. `noted` are
 * the steps that were; when a person has taken some of them back, the rest is taken back too. Gives what is done now.
 */
export async function completeWork(
  work: Work,
  open: OpenChange,
  options: Found & { readonly isUndone: boolean },
): Promise<readonly Change[]> {
  open.steps.push(...(await unnotedSteps(work, options)));
  if (options.isUndone) {
    await takeAllBack(open, options);
    return [];
  }
  const { rewrite, remove, reason } = work;
  if (!rewrite || !(await recordAt({ ...rewrite, hash: hashOfText(rewrite.text) }, options)))
    return (await doWork(work, open, options)) ?? [];
  const changes: Change[] = [];
  for (const state of remove) {
    // What was written since stays as it is.
    const record = await recordAt(state, options);
    const step = record && (await unlessStale(options.files.remove(record, reason)));
    if (!step) continue;
    look(step, options);
    open.steps.push(step);
    changes.push({ kind: 'removed', record, step });
  }
  return changes;
}

interface Found extends Desk {
  readonly noted: readonly Step[];
  /** What was in the trash before. */
  readonly trashed: () => Promise<readonly TrashedFile[]>;
}

/** What stands done on the disk, with its old text in the trash, and is not among the steps that were noted. */
async function unnotedSteps(
  { rewrite, remove, reason }: Work,
  desk: Found,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const after = rewrite && { file: rewrite.file, hash: hashOfText(rewrite.text) };
  if (
    after &&
    (await recordAt(after, desk)) &&
    !desk.noted.some((step) => step.after?.hash === after.hash)
  ) {
    const trash = await findInTrash(rewrite, { kind: 'replaced', reason }, desk);
    const before = trash && { file: rewrite.file, hash: rewrite.hash, trash };
    if (before) steps.push({ id: randomUUID(), after, before });
  }
  for (const { file, hash } of remove) {
    const isNoted = desk.noted.some(({ after, before }) => !after && before?.file === file);
    if (isNoted || (await recordAt({ file, hash }, desk))) continue;
    const trash = await findInTrash({ file, hash }, { kind: 'removed', reason }, desk);
    if (trash) steps.push({ id: randomUUID(), before: { file, hash, trash } });
  }
  return steps;
}

/** The name in the trash of a text that went for a reason. */
async function findInTrash(
  { file, hash }: FileState,
  as: { readonly kind: 'removed' | 'replaced'; readonly reason: string },
  { trash, trashed }: Found,
): Promise<string | undefined> {
  for (const each of await trashed()) {
    if (each.file !== file || each.kind !== as.kind || each.reason !== as.reason) continue;
    if (hashOf(await trash.read(each)) === hash) return each.trash;
  }
  return undefined;
}

/** Undefined when the file is another by now, or an editor holds changes to it. */
async function recordAt(
  state: FileState,
  { files, cache }: Desk,
): Promise<MemoryRecord | undefined> {
  const bytes = await unlessStale(files.read(state));
  const reading = bytes && cache.reread(state.file);
  return reading && 'hash' in reading && reading.hash === state.hash ? reading : undefined;
}

/** Looks anew at the files of a step; gives the record that it left. */
function look({ before, after }: Step, { cache }: Desk): MemoryRecord | undefined {
  if (before) cache.reread(before.file);
  const reading = after && cache.reread(after.file);
  return reading && 'hash' in reading ? reading : undefined;
}

/** Throws naming what stays, which can then still be undone. */
async function takeAllBack(open: OpenChange, desk: Desk): Promise<void> {
  const undo = (step: Step) => takeStepBack(step, desk).finally(() => look(step, desk));
  const kept = await takeBack({ steps: open.steps, earlier: new Set(), undo, undone: [] });
  const left = kept.map(({ step }) => step).toReversed();
  open.steps.splice(0, open.steps.length, ...left);
  throwAny(kept.map(({ error }) => error));
}

/** Without a new file, for which there is no room where the disk is full. */
async function takeStepBack(step: Step, { files, trash }: Desk): Promise<void> {
  const { before, after } = step;
  if (!before || before.file !== after?.file) return files.undo(step);
  await files.read(after);
  await trash.putBack(before);
}

/** Its newer text stands, which is what matters. */
async function unlessStale<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StaleRecordError) return undefined;
    throw error;
  }
}

function hashOfText(text: string): string {
  return hashOf(Buffer.from(text));
}
