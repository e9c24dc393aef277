// The single steps that change files in a folder of memories. Each checks that the file is still the one that was
// seen, keeps what it takes away in the trash, and can be taken back. The store puts them in order, under its lock.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  createFileAtomically,
  kindIfPresent,
  readBytesIfPresent,
  removeFile,
  replaceFileAtomically,
  writeFileAtomically,
} from '../../base/files.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import { StaleRecordError, type FileState, type FormerState, type Step } from '../change.ts';
import { hashOf } from '../record.ts';
import { sharedNames, takeBackSharing } from './gitSharing.ts';
import { fileKey, type RecordCache } from './recordCache.ts';
import type { Trash } from './trash.ts';

export class RecordFiles {
  readonly #folder: string;
  readonly #trash: Trash;
  readonly #cache: Pick<RecordCache, 'doubt'>;
  readonly #isBeingEdited: (path: string) => boolean;

  constructor(options: {
    readonly folder: string;
    readonly trash: Trash;
    /** Told of a file that is not the one that was seen. */
    readonly cache: Pick<RecordCache, 'doubt'>;
    /** Whether an editor holds changes to a file that are not saved. */
    readonly isBeingEdited: (path: string) => boolean;
  }) {
    this.#folder = options.folder;
    this.#trash = options.trash;
    this.#cache = options.cache;
    this.#isBeingEdited = options.isBeingEdited;
  }

  /** The bytes of a file, which must be the ones that were seen. Throws StaleRecordError. */
  async read(state: FileState): Promise<Buffer> {
    const target = this.#pathOf(state.file);
    if (this.#isBeingEdited(target))
      throw new StaleRecordError(
        sentence`${state.file} has changes in an editor that are not saved. Save or revert them first.`,
      );
    try {
      return await unchanged(state, target);
    } catch (error) {
      this.#cache.doubt(state.file);
      throw error;
    }
  }

  /** Writes a new file under the first free one of the names, which `textFor` is given. */
  async create(
    names: Iterable<string>,
    textFor: (name: string) => string | Uint8Array,
  ): Promise<Step & { readonly after: FileState }> {
    for (const name of names) {
      const after = await this.#createIfFree(`${name}.md`, textFor(name));
      if (after) return { id: randomUUID(), after };
    }
    throw new SentenceError(sentence`No file name is left for the memory.`);
  }

  async replace(state: FileState, text: string | Uint8Array, reason: string): Promise<Step> {
    const target = this.#pathOf(state.file);
    const after = { file: state.file, hash: hashOf(Buffer.from(text)) };
    let trash: string | undefined;
    try {
      await replaceFileAtomically(target, text, async () => {
        await this.read(state);
        trash = await this.#trash.keep(state.file, reason);
        await unchanged(state, this.#trash.pathOf(trash));
      });
    } catch (error) {
      if (trash !== undefined) await this.#trash.drop(trash);
      throw error;
    }
    if (trash === undefined)
      throw new SentenceError(sentence`${state.file} was replaced without a copy.`);
    await this.#yieldToWriter(state, trash);
    return { id: randomUUID(), after, before: { file: state.file, hash: state.hash, trash } };
  }

  /** A new file in the place of another; undefined when something stands there. */
  async rename(state: FileState, to: string, text: string): Promise<Step | undefined> {
    await this.read(state);
    const after = await this.#createIfFree(to, text);
    if (!after) return undefined;
    try {
      const trash = await this.#takeAway(state, 'renamed');
      return { id: randomUUID(), after, before: { file: state.file, hash: state.hash, trash } };
    } catch (error) {
      await this.discard(after);
      throw error;
    }
  }

  async remove(state: FileState, reason: string): Promise<Step> {
    const trash = await this.#takeAway(state, reason);
    return { id: randomUUID(), before: { file: state.file, hash: state.hash, trash } };
  }

  /** A file that is no readable memory, as it is now. Throws when it is no file that the trash can take. */
  async stateOf(file: string): Promise<FileState> {
    const target = this.#pathOf(file);
    const kind = await kindIfPresent(target);
    if (kind === undefined)
      throw new StaleRecordError(sentence`${file} is gone by now; nothing was changed.`);
    const bytes = await bytesOfFile(target);
    if (bytes) return { file, hash: hashOf(bytes) };
    throw new SentenceError(
      sentence`${file} is no regular file, so it cannot go to the trash. Delete it by hand.`,
    );
  }

  /** Deletes what was made a moment ago, for a change that failed; what another wrote into it since stays. */
  async discard(made: FileState): Promise<void> {
    if (await this.#holds(made)) await removeFile(this.#pathOf(made.file));
  }

  /** Moves a file out of the trash, under the first free one of the names. */
  async restore(
    trashed: { readonly trash: string; readonly file: string },
    names: Iterable<string>,
  ): Promise<Step & { readonly after: FileState }> {
    for (const name of names) {
      const file = `${name}.md`;
      if (!(await this.#trash.moveBack(trashed, file))) continue;
      const bytes = await readBytesIfPresent(this.#pathOf(file));
      return { id: randomUUID(), after: { file, hash: hashOf(bytes ?? Buffer.of()) } };
    }
    throw new SentenceError(sentence`No file name is left for the memory.`);
  }

  /** Takes a step back, if what it left is still there as it was. Throws with a sentence otherwise. */
  async undo(step: Step): Promise<void> {
    if (step.after || step.before) await this.#undoFiles(step);
    if (step.sharing) await takeBackSharing(this.#folder, step.sharing);
  }

  /** Throws with a sentence when a rename could not be taken back now. Of another step it says nothing. */
  async checkRename(step: Step): Promise<void> {
    const { after, before } = step;
    if (!after || !before || after.file === before.file) return;
    if (await this.#isTakenBack(step)) return;
    await this.read(after);
    if (await this.#holds(before)) return;
    if ((await kindIfPresent(this.#pathOf(before.file))) !== undefined) throw placeTaken(before);
  }

  async #createIfFree(file: string, text: string | Uint8Array): Promise<FileState | undefined> {
    const isNew = await createFileAtomically(this.#pathOf(file), text);
    return isNew ? { file, hash: hashOf(Buffer.from(text)) } : undefined;
  }

  async #undoFiles(step: Step): Promise<void> {
    const { after } = step;
    if (await this.#isTakenBack(step)) return;
    const before = step.before && (await this.#inTrash(step.before));
    if (after) await this.read(after);
    if (after && after.file === before?.file) {
      await this.replace(after, await this.#trash.read(before), 'undone');
      return;
    }
    // It never went where a process was killed between the two halves of a rename.
    const isThere = before && (await this.#holds(before));
    if (before && !isThere && !(await this.#trash.moveBack(before, before.file)))
      throw placeTaken(before);
    if (after) await this.#takeAway(after, 'undone');
  }

  /**
   * Under the name that the text has in the trash now. It has another once it was restored, and that undone, and when
   * the step was foreseen.
   */
  async #inTrash(before: FormerState): Promise<FormerState> {
    if (await this.#trash.has(before.trash)) return before;
    for (const { file, trash } of await this.#trash.list(before.file)) {
      if (hashOf(await this.#trash.read({ file, trash })) === before.hash)
        return { ...before, trash };
    }
    return before;
  }

  /** Perhaps by a process that was killed before it could note it. */
  async #isTakenBack({ after, before }: Step): Promise<boolean> {
    const isLeft = after && after.file !== before?.file;
    if (isLeft && (await kindIfPresent(this.#pathOf(after.file))) !== undefined) return false;
    return !before || this.#holds(before);
  }

  async #holds({ file, hash }: FileState): Promise<boolean> {
    const bytes = await bytesOfFile(this.#pathOf(file));
    return bytes !== undefined && hashOf(bytes) === hash;
  }

  /** Moves a file to the trash. An editor that wrote into it at that moment wins: it goes back. */
  async #takeAway(state: FileState, reason: string): Promise<string> {
    await this.read(state);
    const trash = await this.#trash.move(state.file, reason);
    try {
      await unchanged(state, this.#trash.pathOf(trash));
    } catch (error) {
      await this.#trash.moveBack({ trash, file: state.file }, state.file);
      throw error;
    }
    return trash;
  }

  /** An editor that wrote into the old file at the moment of the change wins: its text goes back. */
  async #yieldToWriter(state: FileState, trash: string): Promise<void> {
    try {
      await unchanged(state, this.#trash.pathOf(trash));
    } catch (error) {
      await writeFileAtomically(
        this.#pathOf(state.file),
        await this.#trash.read({ trash, file: state.file }),
      );
      throw error;
    }
  }

  #pathOf(file: string): string {
    return path.join(this.#folder, file);
  }
}

/** The name and its numbered forms, without those of files that are taken. */
export function* freeNames(slug: string, isTaken: (file: string) => boolean): Generator<string> {
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const name = number === 1 ? slug : `${slug}-${number}`;
    if (!isTaken(`${name}.md`)) yield name;
  }
}

/**
 * For a new file. Also taken is what the rules share from an earlier record: a new one would be shared unasked. A name
 * that was not taken is from then on, for those that are made at the same time.
 */
export async function takenForNew(
  folder: string,
  cache: Pick<RecordCache, 'isTaken'>,
): Promise<(file: string) => boolean> {
  const isShared = await sharedNames(folder);
  const given = new Set<string>();
  return (file) => {
    const key = fileKey(file);
    const isTaken = given.has(key) || cache.isTaken(file) || isShared(file);
    given.add(key);
    return isTaken;
  };
}

/** For a file that comes back: its old name, and numbered ones, but for those that git would take unasked. */
export async function namesToRestore(
  file: string,
  { folder, isTaken }: { readonly folder: string; readonly isTaken: (file: string) => boolean },
): Promise<Iterable<string>> {
  const isShared = await sharedNames(folder);
  const isInTheWay = (name: string) => isTaken(name) || (name !== file && isShared(name));
  return freeNames(path.parse(file).name, isInTheWay);
}

/** More of one name than a person could tell apart; with its dash it stays within five bytes. */
const MAX_NUMBER = 9_999;

function placeTaken({ file }: FileState): SentenceError {
  return new SentenceError(
    sentence`There is a new ${file} by now; the old one stays in the trash.`,
  );
}

async function unchanged({ file, hash }: FileState, target: string): Promise<Buffer> {
  if ((await kindIfPresent(target)) === undefined)
    throw new StaleRecordError(sentence`${file} is gone by now; nothing was changed.`);
  const bytes = await bytesOfFile(target);
  if (!bytes || hashOf(bytes) !== hash)
    throw new StaleRecordError(
      sentence`${file} has changed in the meantime; it was left as it is.`,
    );
  return bytes;
}

async function bytesOfFile(target: string): Promise<Buffer | undefined> {
  return (await kindIfPresent(target)) === 'file' ? readBytesIfPresent(target) : undefined;
}
