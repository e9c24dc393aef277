// Renames a record: its file gets the name that follows, what points to it in the other files follows, and git takes
// it as before. All of it is one change; only what a person is editing keeps pointing to the old name.

import { randomUUID } from 'node:crypto';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { readBytesIfPresent } from '../../base/files.ts';
import { sentence } from '../../base/sentence.ts';
import type { Renaming, RevisedChange, Step } from '../change.ts';
import { RecordError, reviseRecord, slugFor, type MemoryRecord } from '../record.ts';
import { followRename, type Rename } from '../recordLinks.ts';
import { refuseSecrets } from '../secrets/secretGate.ts';
import { changeSharing, sharedNames } from './gitSharing.ts';
import { fileKey, type RecordCache } from './recordCache.ts';
import { freeNames, type RecordFiles } from './recordFiles.ts';

export interface RenameDesk {
  readonly folder: string;
  readonly files: RecordFiles;
  /** All of the folder, before. */
  readonly records: readonly MemoryRecord[];
  readonly cache: Pick<RecordCache, 'isTaken'>;
  readonly now: Date;
  /** Notes a step that was done, and gives the record that it left. */
  readonly did: (step: Step) => MemoryRecord;
}

/** Why a text that only points to a renamed record was replaced. */
const FOLLOWED = 'a link followed';

/** Throws StaleRecordError, RecordError, SecretError. */
export async function renameRecord(
  record: MemoryRecord,
  name: string,
  desk: RenameDesk,
): Promise<Renaming> {
  const text = decodeUtf8(await desk.files.read(record), record.path);
  if (!name.trim()) throw new RecordError(sentence`A memory needs a name.`);
  refuseSecrets({ name }, text);
  const others = desk.records.filter(({ file }) => file !== record.file);
  const revised = await reviseName(record, { name, text, others }, desk);
  const { record: now } = revised;
  const rename = { from: record, to: now, others };
  const isSame = now.file === record.file && now.name === record.name;
  const followed = isSame ? { links: 0, linking: [], left: [] } : await followAll(rename, desk);
  const own = isSame ? 0 : followRename(text, rename).links;
  return {
    ...revised,
    links: followed.links + own,
    linking: own > 0 ? [now, ...followed.linking] : followed.linking,
    left: followed.left,
  };
}

/** What a record would be called. Its file gets this name too, unless it has it but for the case of its letters. */
export async function nameFor(
  record: Pick<MemoryRecord, 'file'>,
  name: string,
  { folder, cache }: Pick<RenameDesk, 'folder' | 'cache'>,
): Promise<string> {
  const isShared = await sharedNames(folder);
  const isInTheWay = (file: string) =>
    !isOwn(record, file) && (cache.isTaken(file) || isShared(file));
  const [first = ''] = freeNames(slugFor(name), isInTheWay);
  return first;
}

async function reviseName(
  record: MemoryRecord,
  given: { readonly name: string; readonly text: string; readonly others: readonly MemoryRecord[] },
  { folder, files, cache, now, did }: RenameDesk,
): Promise<RevisedChange> {
  const { text, others } = given;
  const slug = slugFor(given.name);
  const textFor = (file: string, name: string) => {
    const rename = { from: record, to: { file, name }, others };
    return reviseRecord(followRename(text, rename).text, { name }, now);
  };
  const first = await nameFor(record, given.name, { folder, cache });
  if (!isOwn(record, `${first}.md`)) {
    const isShared = await sharedNames(folder);
    const names = freeNames(slug, (file) => cache.isTaken(file) || isShared(file));
    const made = await files.rename(record, names, (name) => textFor(`${name}.md`, name));
    const step = isShared(record.file) ? await withSharing(made, { folder, files }) : made;
    return { kind: 'renamed', record: did(step), before: record, step };
  }
  const revised = textFor(record.file, first);
  if (revised === text)
    return { kind: 'renamed', record, before: record, step: { id: randomUUID() } };
  const step = await files.replace(record, revised, 'renamed');
  return { kind: 'renamed', record: did(step), before: record, step };
}

/** Git takes the file by its new name. Where that fails the file has its old one again. */
async function withSharing(
  step: Step,
  { folder, files }: Pick<RenameDesk, 'folder' | 'files'>,
): Promise<Step> {
  const { before, after } = step;
  if (!before || !after) return step;
  const sharing = { shared: [after.file], hidden: [before.file] };
  try {
    await changeSharing(folder, sharing);
  } catch (error) {
    await files.undo(step);
    throw error;
  }
  return { ...step, sharing };
}

/** Where case does not count, a file is not in the way of a name that differs from its own in nothing else. */
function isOwn(record: Pick<MemoryRecord, 'file'>, file: string): boolean {
  return fileKey(file) === fileKey(record.file);
}

async function followAll(
  rename: Rename & { readonly others: readonly MemoryRecord[] },
  { files, did }: RenameDesk,
): Promise<Pick<Renaming, 'links' | 'linking' | 'left'>> {
  const linking: MemoryRecord[] = [];
  const left: MemoryRecord[] = [];
  let links = 0;
  for (const other of rename.others) {
    try {
      const bytes = await readBytesIfPresent(other.path);
      const followed = bytes && followRename(decodeUtf8(bytes, other.path), rename);
      if (!followed || followed.links === 0) continue;
      linking.push(did(await files.replace(other, followed.text, FOLLOWED)));
      links += followed.links;
    } catch {
      // The record is renamed, and the person is told where a link is left to be changed by hand.
      left.push(other);
    }
  }
  return { links, linking, left };
}
