// What was removed or written over, byte for byte, in `.memory/.trash`: each file has a note beside it with its
// name, the time and the reason. Nothing in the trash is ever overwritten, and only emptying it deletes.

import path from 'node:path';
import * as z from 'zod/mini';
import {
  createFileAtomically,
  kindIfPresent,
  linkIfFree,
  listFolder,
  moveFile,
  moveIfFree,
  readBytesIfPresent,
  removeAll,
  removeFile,
} from '../../base/files.ts';
import { LOCK_FILE } from '../../base/folderLock.ts';
import { makeIgnoredFolder } from '../../base/ignoredFolder.ts';
import { RULES_FILE } from '../../base/ignoreRules.ts';
import { parseJson } from '../../base/parseJson.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import { isRecordFile } from './recordCache.ts';

/** What has been done, in the order in which it was done. */
export const JOURNAL_FILE = 'journal.jsonl';
/** What a consolidation is about to do, and what vouches for it; there only while it does. */
export const CONSOLIDATION_FILE = 'consolidation.json';
export const CONSOLIDATION_SEAL = 'consolidation.seal.json';
/** These are no texts, and stay when the trash is emptied. The lock is held while somebody consolidates. */
const NO_TEXTS: readonly string[] = [
  RULES_FILE,
  JOURNAL_FILE,
  CONSOLIDATION_FILE,
  CONSOLIDATION_SEAL,
  LOCK_FILE,
];

/** A text in the trash. */
export interface TrashedFile extends Kept {
  /** Absolute path. */
  readonly path: string;
  /** ISO date on which this text left the folder. */
  readonly removed: string;
  readonly reason: string;
  /** Whether the file went as a whole, or another text took the place of this one. */
  readonly kind: 'removed' | 'replaced';
}

interface Kept {
  /** File name in the trash. */
  readonly trash: string;
  /** Its name when it was in the folder of memories. */
  readonly file: string;
}

/** Of notes: several times as fast as one by one, and far fewer than a process may hold open. */
const READ_AT_ONCE = 64;

/** Beside each text, `<file in the trash>.json`. */
const Note = z.object({
  /** The file may have come with a repository, and the name becomes a path. */
  file: z.string().check(z.refine(isRecordFile)),
  removed: z.string(),
  reason: z.string(),
  kind: z.catch(z.enum(['removed', 'replaced']), 'removed'),
});

export class Trash {
  readonly folder: string;
  readonly #memories: string;
  readonly #now: () => Date;
  /** Names that are being given just now: several texts may come at the same time. */
  readonly #coming = new Set<string>();

  /** `memories` is the folder of the memories. */
  constructor(memories: string, now: () => Date) {
    this.folder = path.join(memories, '.trash');
    this.#memories = memories;
    this.#now = now;
  }

  /** Moves a file to the trash and returns its name there. */
  move(file: string, reason: string): Promise<string> {
    const from = path.join(this.#memories, file);
    return this.#put({ file, reason, kind: 'removed' }, async (to) => {
      if ((await kindIfPresent(to)) !== undefined) return false;
      // In one step, since an editor may save a new file there between two. The note has claimed the place.
      await moveFile(from, to);
      return true;
    });
  }

  /** Keeps what a file holds that is about to be replaced, and returns its name in the trash. */
  keep(file: string, reason: string): Promise<string> {
    const from = path.join(this.#memories, file);
    return this.#put({ file, reason, kind: 'replaced' }, (to) => linkIfFree(from, to));
  }

  /** Takes back `keep`: the text was not replaced after all. */
  async drop(trash: string): Promise<void> {
    await removeFile(this.pathOf(trash));
    await removeFile(notePath(this.pathOf(trash)));
  }

  /** Takes back `keep` after all was done: puts the text in the place of the new one, which takes no room on the disk. */
  async putBack({ trash, file }: Kept): Promise<void> {
    await this.#mustBeThere(trash, file);
    await moveFile(this.pathOf(trash), path.join(this.#memories, file));
    await removeFile(notePath(this.pathOf(trash)));
  }

  /** Moves a file back into the folder of memories: false when something stands there under the name `to`. */
  async moveBack({ trash, file }: Kept, to: string): Promise<boolean> {
    const target = path.join(this.#memories, to);
    await this.#mustBeThere(trash, file);
    if (!(await moveIfFree(this.pathOf(trash), target))) return false;
    await removeFile(notePath(this.pathOf(trash)));
    return true;
  }

  async read({ trash, file }: Kept): Promise<Uint8Array> {
    await this.#mustBeThere(trash, file);
    return (await readBytesIfPresent(this.pathOf(trash))) ?? gone(file);
  }

  /** Whether there is a file of this name. */
  async has(trash: string): Promise<boolean> {
    return (await this.isThere()) && (await kindIfPresent(this.pathOf(trash))) === 'file';
  }

  /** Newest first, of all files or of one. Those without a note of ours are left out. */
  async list(file?: string): Promise<readonly TrashedFile[]> {
    if (!(await this.isThere())) return [];
    const files = (await listFolder(this.folder)).filter(({ kind }) => kind === 'file');
    const names = new Set(files.map(({ name }) => name));
    // A note that came with a repository may lie beside the journal, which would leave the trash with it.
    const noted = [...names].filter((name) => isRecordFile(name) && names.has(notePath(name)));
    const ending = file === undefined ? '' : `-${shortened(file)}`;
    const newestFirst = noted
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .toReversed();
    const trashed: TrashedFile[] = [];
    for (let start = 0; start < newestFirst.length; start += READ_AT_ONCE) {
      const some = newestFirst.slice(start, start + READ_AT_ONCE);
      const described = await Promise.all(some.map((name) => this.#describe(name)));
      trashed.push(...described.filter((each) => each !== undefined));
    }
    return file === undefined ? trashed : trashed.filter((each) => each.file === file);
  }

  /** Deletes all texts for good. */
  async empty(): Promise<void> {
    if (!(await this.isThere())) return;
    const entries = await listFolder(this.folder);
    for (const { name } of entries.filter(({ name }) => !NO_TEXTS.includes(name)))
      await removeAll(this.pathOf(name));
  }

  /** Whether the folder is there, and is no link that came with a repository. */
  async isThere(): Promise<boolean> {
    return (await kindIfPresent(this.folder)) === 'folder';
  }

  /** Makes the folder when there is none. */
  async prepare(): Promise<void> {
    await makeIgnoredFolder(this.folder);
  }

  pathOf(trash: string): string {
    return path.join(this.folder, trash);
  }

  /** `put` brings the file to the path it is given, and is false when something stands there. */
  async #put(
    note: Omit<z.infer<typeof Note>, 'removed'>,
    put: (to: string) => Promise<boolean>,
  ): Promise<string> {
    await this.prepare();
    const now = this.#now();
    const text = JSON.stringify({ ...note, removed: now.toISOString() }, null, 2) + '\n';
    for (let attempt = 1; ; attempt++) {
      const trash = `${stamp(now, attempt)}-${shortened(note.file)}`;
      if (this.#coming.has(trash)) continue;
      this.#coming.add(trash);
      try {
        if (await this.#putAs(trash, text, put)) return trash;
      } finally {
        this.#coming.delete(trash);
      }
    }
  }

  /** False when something stands there. */
  async #putAs(
    trash: string,
    note: string,
    put: (to: string) => Promise<boolean>,
  ): Promise<boolean> {
    const to = this.pathOf(trash);
    // The note comes first: it claims the name, and when the disk is full nothing has moved yet.
    if (!(await createFileAtomically(notePath(to), note))) return false;
    let done = false;
    try {
      done = await put(to);
    } finally {
      if (!done) await removeFile(notePath(to));
    }
    return done;
  }

  /** Undefined when its note was spoilt by hand. */
  async #describe(trash: string): Promise<TrashedFile | undefined> {
    const bytes = await readBytesIfPresent(notePath(this.pathOf(trash)));
    const note = Note.safeParse(parseJson(bytes?.toString() ?? ''));
    return note.data && { trash, path: this.pathOf(trash), ...note.data };
  }

  async #mustBeThere(trash: string, file: string): Promise<void> {
    if (!(await this.has(trash))) gone(file);
  }
}

function gone(file: string): never {
  throw new SentenceError(sentence`${file} is no longer in the trash and cannot be restored.`);
}

function notePath(trashPath: string): string {
  return `${trashPath}.json`;
}

/** With the time in front and the note's ending a long name would be too long for the disk. The note has it whole. */
function shortened(file: string): string {
  const { name, ext } = path.parse(file);
  return `${/^.{0,40}/su.exec(name)?.[0] ?? ''}${ext}`;
}

/** Sorts by time. */
function stamp(now: Date, attempt: number): string {
  const time = now.toISOString().replace(/[-:.]/g, '');
  return attempt === 1 ? time : `${time}-${attempt}`;
}
