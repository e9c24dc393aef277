// Renames a record: its file gets the name that follows, what points to it in the other files follows, and git takes
// it as before. All of it is one change, also where the process is killed in the middle; only what a person is
// editing keeps pointing to the old name.

import { randomUUID } from 'node:crypto';
import type { OnProgress } from '../../base/atMost.ts';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import type { Renaming, Sharing, Step } from '../change.ts';
import { RecordError, slugFor, type MemoryRecord } from '../record.ts';
import { refuseSecrets } from '../secrets/secretGate.ts';
import { changeSharing, sharedNames } from './gitSharing.ts';
import { makeSteps } from './manySteps.ts';
import { fileKey, type MemoryList, type RecordCache } from './recordCache.ts';
import { freeNames, type RecordFiles } from './recordFiles.ts';
import { planRename, stepsOf, type Edit, type RenamePlan } from './renamePlan.ts';

interface RenameDesk {
  readonly folder: string;
  readonly files: RecordFiles;
  /** All of the folder, before. */
  readonly list: MemoryList;
  readonly cache: Pick<RecordCache, 'isTaken'>;
  readonly now: Date;
  /** Notes steps that are about to be done. */
  readonly foresee: (steps: readonly Step[]) => Promise<void>;
  /** Notes a step that was done, and gives the record that it left. */
  readonly did: (step: Step) => MemoryRecord;
  /** Of the other records, whose links follow. */
  readonly onProgress?: OnProgress | undefined;
}

/** Why a text that only points to a renamed record was replaced. */
const FOLLOWED = 'a link followed';

/** Throws StaleRecordError, RecordError, SecretError. */
export async function renameRecord(
  record: MemoryRecord,
  name: string,
  desk: RenameDesk,
): Promise<Renaming> {
  const { folder, files, list, cache, now } = desk;
  const text = decodeUtf8(await files.read(record), record.path);
  if (!name.trim()) throw new RecordError(sentence`A memory needs a name.`);
  refuseSecrets({ name }, text);
  const isShared = await sharedNames(folder);
  for (const free of namesFor(record, name, { cache, isShared })) {
    const plan = await planRename(record, { name: free, text, list, now });
    if (plan.own.text === text) return unchanged(record);
    const sharing = isShared(record.file) ? sharingOf(plan) : undefined;
    await desk.foresee(stepsOf(plan, sharing));
    const step = await replaceOwn(plan, sharing, { folder, files });
    if (!step) continue;
    const renamed = desk.did(step);
    const { followed, left } = await followAll(plan, desk);
    const all = [{ record: renamed, links: plan.own.links }, ...followed];
    return {
      kind: 'renamed',
      record: renamed,
      before: record,
      step,
      links: all.reduce((sum, { links }) => sum + links, 0),
      linking: all.filter(({ links }) => links > 0).map((each) => each.record),
      left,
      damaged: plan.damaged,
    };
  }
  throw new SentenceError(sentence`No file name is left for the memory.`);
}

/** What a record would be called. Its file gets this name too, unless it has it but for the case of its letters. */
export async function nameFor(
  record: Pick<MemoryRecord, 'file'>,
  name: string,
  { folder, cache }: Pick<RenameDesk, 'folder' | 'cache'>,
): Promise<string> {
  const isShared = await sharedNames(folder);
  const [first = ''] = namesFor(record, name, { cache, isShared });
  return first;
}

type Followed = Pick<Edit, 'record' | 'links'>;
type IsShared = (file: string) => boolean;

/** Where case does not count, a file is not in the way of a name that differs from its own in nothing else. */
function namesFor(
  { file: own }: Pick<MemoryRecord, 'file'>,
  name: string,
  { cache, isShared }: Pick<RenameDesk, 'cache'> & { readonly isShared: IsShared },
): Iterable<string> {
  const isOwn = (file: string) => fileKey(file) === fileKey(own);
  const isInTheWay = (file: string) => !isOwn(file) && (cache.isTaken(file) || isShared(file));
  return freeNames(slugFor(name), isInTheWay);
}

function unchanged(record: MemoryRecord): Renaming {
  const nothing = { links: 0, linking: [], left: [], damaged: [] };
  return { kind: 'renamed', record, before: record, step: { id: randomUUID() }, ...nothing };
}

/** Git takes the file by its new name. */
function sharingOf({ own: { from, to } }: RenamePlan): Sharing | undefined {
  return from.file === to.file ? undefined : { shared: [to.file], hidden: [from.file] };
}

/** Undefined when the name has gone to another meanwhile. Where git cannot be told, the file has its old name again. */
async function replaceOwn(
  { own: { from, to, text } }: RenamePlan,
  sharing: Sharing | undefined,
  { folder, files }: Pick<RenameDesk, 'folder' | 'files'>,
): Promise<Step | undefined> {
  if (to.file === from.file) return files.replace(from, text, 'renamed');
  const step = await files.rename(from, to.file, text);
  if (!step || !sharing) return step;
  try {
    await changeSharing(folder, sharing);
  } catch (error) {
    await files.undo(step);
    throw error;
  }
  return { ...step, sharing };
}

async function followAll(
  { linking, unread }: RenamePlan,
  { files, did, onProgress }: RenameDesk,
): Promise<{ readonly followed: readonly Followed[]; readonly left: readonly MemoryRecord[] }> {
  const { done, failures } = await makeSteps(linking, {
    make: ({ from, text }) => files.replace(from, text, FOLLOWED),
    note: (step, { links }) => ({ record: did(step), links }),
    onProgress,
  });
  // The record is renamed, and the person is told where a link is left to be changed by hand.
  return { followed: done, left: [...unread, ...failures.map(({ item }) => item.record)] };
}
