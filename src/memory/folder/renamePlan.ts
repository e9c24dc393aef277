// What a rename will write, before anything of it is written: the text of the record under its new name, and those of
// the records that point to it.

import { randomUUID } from 'node:crypto';
import { AtMost } from '../../base/atMost.ts';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { readBytesIfPresent } from '../../base/files.ts';
import type { FileState, Sharing, Step } from '../change.ts';
import { hashOf, reviseRecord, type MemoryRecord } from '../record.ts';
import { followRename, namesakesOf, type Rename } from '../recordLinks.ts';
import { fileKey } from './recordCache.ts';

/** Files. Several times as fast as one by one, and far fewer than a process may hold open. */
const READ_AT_ONCE = 64;

export interface RenamePlan {
  readonly name: string;
  readonly own: Edit;
  /** Of the records that hold links to it. */
  readonly linking: readonly Edit[];
  /** Records that could not be read, so nobody knows whether they point to it. */
  readonly unread: readonly MemoryRecord[];
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

/** `text` is what the record's file holds, and `records` are all of the folder. Throws RecordError. */
export async function planRename(
  record: MemoryRecord,
  given: {
    readonly name: string;
    readonly text: string;
    readonly records: readonly MemoryRecord[];
    readonly now: Date;
  },
): Promise<RenamePlan> {
  const { name, text, records, now } = given;
  const file = fileKey(`${name}.md`) === fileKey(record.file) ? record.file : `${name}.md`;
  const others = records.filter((other) => other.file !== record.file);
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
  return { name, own, ...(await follow(isSame ? [] : others, rename)) };
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
  const unread: MemoryRecord[] = [];
  const places = new AtMost(READ_AT_ONCE);
  const reading = others.map(async (record) => {
    try {
      return await places.run(() => editThatFollows(record, rename));
    } catch {
      // Why it cannot be read matters less than that the person is told to look at it.
      unread.push(record);
      return undefined;
    }
  });
  const edits = await Promise.all(reading);
  return { linking: edits.filter((edit) => edit !== undefined), unread };
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
