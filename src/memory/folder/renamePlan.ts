// What a rename will write, before anything of it is written: the text of the record under its new name, and those of
// the records that point to it.

import { randomUUID } from 'node:crypto';
import { settleEach } from '../../base/atMost.ts';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { lookNow, readBytesIfPresent } from '../../base/files.ts';
import type { DamagedLinks, FileState, Sharing, Step } from '../change.ts';
import { hashOf, reviseRecord, type DamagedRecord, type MemoryRecord } from '../record.ts';
import { countLinks, followRename, namesakesOf, type Rename } from '../recordLinks.ts';
import { READ_AT_ONCE } from './manySteps.ts';
import { fileKey, MAX_BYTES, type MemoryList } from './recordCache.ts';

export interface RenamePlan {
  readonly name: string;
  readonly own: Edit;
  /** Of the records that hold links to it. */
  readonly linking: readonly Edit[];
  /** Records that could not be read, so nobody knows whether they point to it. */
  readonly unread: readonly MemoryRecord[];
  readonly damaged: readonly DamagedLinks[];
}

/** A new text for a file. */
export interface Edit {
  readonly record: MemoryRecord;
  /** What the new text was made of. */
  readonly from: FileState;
  readonly to: FileState;
  readonly text: string;
  /** How many of its links lead to the new name. */
  readonly links: number;
}

/** `text` is what the record's file holds, and `list` are all of the folder. Throws RecordError. */
export async function planRename(
  record: MemoryRecord,
  given: {
    readonly name: string;
    readonly text: string;
    readonly list: MemoryList;
    readonly now: Date;
  },
): Promise<RenamePlan> {
  const { name, text, list, now } = given;
  const file = fileKey(`${name}.md`) === fileKey(record.file) ? record.file : `${name}.md`;
  const others = list.records.filter((other) => other.file !== record.file);
  const rename = { from: record, to: { file, name }, others: namesakesOf(record, others) };
  const isSame = file === record.file && name === record.name;
  const followed = isSame ? { text, links: 0 } : followRename(text, rename);
  const revised = reviseRecord(followed.text, { name }, now);
  const own: Edit = {
    record,
    from: record,
    to: { file, hash: hashOf(Buffer.from(revised)) },
    text: revised,
    links: followed.links,
  };
  if (isSame) return { name, own, linking: [], unread: [], damaged: [] };
  const damaged = await settleEach(list.damaged, READ_AT_ONCE, (file) => linksIn(file, rename));
  return { name, own, ...(await follow(others, rename)), damaged: damaged.done.flat() };
}

/** The steps that the plan comes to, before they are done: what they take away is found in the trash by its text. */
export function stepsOf({ own, linking }: RenamePlan, sharing?: Sharing): readonly Step[] {
  return [{ ...stepOf(own), sharing }, ...linking.map(stepOf)];
}

function stepOf({ from: { file, hash }, to }: Edit): Step {
  return { id: randomUUID(), after: to, before: { file, hash, trash: file } };
}

async function follow(
  others: readonly MemoryRecord[],
  rename: Rename,
): Promise<Pick<RenamePlan, 'linking' | 'unread'>> {
  const read = (record: MemoryRecord) => editThatFollows(record, rename);
  const { done, failures } = await settleEach(others, READ_AT_ONCE, read);
  // Why one cannot be read matters less than that the person is told to look at it.
  const unread = failures.map(({ item }) => item);
  return { linking: done.filter((edit) => edit !== undefined), unread };
}

/** What cannot be read at all, as a folder or a link, has none. */
async function linksIn(
  { file, path }: DamagedRecord,
  rename: Rename,
): Promise<readonly DamagedLinks[]> {
  const look = lookNow(path);
  if (look?.kind !== 'file' || look.size > MAX_BYTES) return [];
  const text = (await readBytesIfPresent(path))?.toString() ?? '';
  const links = countLinks(text, rename);
  return links > 0 ? [{ file, links }] : [];
}

/** Undefined when nothing in the file leads to what is renamed. */
async function editThatFollows(record: MemoryRecord, rename: Rename): Promise<Edit | undefined> {
  const { file, path } = record;
  const bytes = await readBytesIfPresent(path);
  if (!bytes) return undefined;
  const { text, links } = followRename(decodeUtf8(bytes, path), rename);
  if (links === 0) return undefined;
  // What was written since the record was listed counts.
  const from = { file, hash: hashOf(bytes) };
  return { record, from, to: { file, hash: hashOf(Buffer.from(text)) }, text, links };
}
