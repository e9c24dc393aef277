// What was removed or written over, byte for byte, in `.memory/.trash`: each file has a note beside it with its
// name, the time and the reason. Nothing in the trash is ever overwritten or deleted here, except a note whose
// file went back.

import path from 'node:path';
import {
  copyNewFile,
  createFileAtomically,
  kindIfPresent,
  makeIgnoredFolder,
  makePrivateFolder,
  moveIfFree,
  removeFile,
} from '../base/files.ts';

/** The note beside a file, `<file in the trash>.json`. */
interface TrashNote {
  /** Its name when it was in the folder of memories. */
  readonly file: string;
  /** When this text left the folder. */
  readonly removed: string;
  readonly reason: string;
}

interface TrashOptions {
  /** Of the memories. */
  readonly folder: string;
  readonly reason: string;
  readonly now: Date;
}

/** Moves a file to the trash and returns where it is now. */
export function moveToTrash(file: string, options: TrashOptions): Promise<string> {
  const from = path.join(options.folder, file);
  return putIntoTrash(file, (trashPath) => moveIfFree(from, trashPath), options);
}

/** Keeps in the trash what a file held that is about to be written over, and returns where. */
export function keepInTrash(
  file: string,
  data: string | Uint8Array,
  options: TrashOptions,
): Promise<string> {
  return putIntoTrash(file, (trashPath) => createFileAtomically(trashPath, data), options);
}

/** `put` brings the file to the path it is given, and is false when something stands there. */
async function putIntoTrash(
  file: string,
  put: (trashPath: string) => Promise<boolean>,
  { folder, reason, now }: TrashOptions,
): Promise<string> {
  const trash = await prepareTrash(folder);
  const note: TrashNote = { file, removed: now.toISOString(), reason };
  for (let attempt = 1; ; attempt++) {
    const trashPath = path.join(trash, `${stamp(now, attempt)}-${file}`);
    // The note comes first: it claims the name, and when the disk is full nothing has moved yet.
    if (!(await createFileAtomically(notePath(trashPath), JSON.stringify(note, null, 2) + '\n')))
      continue;
    let done = false;
    try {
      done = await put(trashPath);
    } finally {
      if (!done) await removeFile(notePath(trashPath));
    }
    if (done) return trashPath;
  }
}

/** Moves a file back to where it was. */
export async function restoreFromTrash(trashPath: string, target: string): Promise<void> {
  const file = path.basename(target);
  if ((await kindIfPresent(trashPath)) !== 'file')
    throw new Error(`${file} is no longer in the trash and cannot be restored.`);
  await makeIgnoredFolder(path.dirname(target));
  if (!(await moveIfFree(trashPath, target)))
    throw new Error(`There is a new ${file} by now; the removed one stays in the trash.`);
  await removeFile(notePath(trashPath));
}

/** Copies files of the folder into a folder of their own in the trash and returns its path. */
export async function copyToTrash(
  files: readonly string[],
  { folder, reason, now }: TrashOptions,
): Promise<string> {
  const trash = await prepareTrash(folder);
  let attempt = 1;
  const target = () => path.join(trash, `${stamp(now, attempt)}-${reason}`);
  while ((await kindIfPresent(target())) !== undefined) attempt++;
  await makePrivateFolder(target());
  for (const file of files) await copyNewFile(path.join(folder, file), path.join(target(), file));
  return target();
}

async function prepareTrash(folder: string): Promise<string> {
  await makeIgnoredFolder(folder);
  const trash = path.join(folder, '.trash');
  await makeIgnoredFolder(trash);
  return trash;
}

function notePath(trashPath: string): string {
  return `${trashPath}.json`;
}

/** Sorts by time. */
function stamp(now: Date, attempt: number): string {
  const time = now.toISOString().replace(/[-:.]/g, '');
  return attempt === 1 ? time : `${time}-${attempt}`;
}
