// What was removed, byte for byte, in `.memory/.trash`: each file has a note beside it with its name, the time
// and the reason. Nothing in the trash is ever overwritten or deleted here, except a note whose file went back.

import path from 'node:path';
import {
  copyNewFile,
  createFileAtomically,
  kindIfPresent,
  makePrivateFolder,
  moveIfFree,
  removeFile,
} from '../base/files.ts';

/** The note beside a removed file, `<file in the trash>.json`. */
export interface TrashNote {
  /** Its name when it was in the folder of memories. */
  readonly file: string;
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
export async function moveToTrash(
  file: string,
  { folder, reason, now }: TrashOptions,
): Promise<string> {
  const trash = await prepareTrash(folder);
  const note: TrashNote = { file, removed: now.toISOString(), reason };
  for (let attempt = 1; ; attempt++) {
    const trashPath = path.join(trash, `${stamp(now, attempt)}-${file}`);
    // The note comes first: it claims the name, and when the disk is full nothing has moved yet.
    if (!(await createFileAtomically(notePath(trashPath), JSON.stringify(note, null, 2) + '\n')))
      continue;
    let moved = false;
    try {
      moved = await moveIfFree(path.join(folder, file), trashPath);
    } finally {
      if (!moved) await removeFile(notePath(trashPath));
    }
    if (moved) return trashPath;
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

/** Makes a folder that only its owner can enter and that git ignores as a whole. Refuses to follow a link. */
export async function makeIgnoredFolder(folder: string): Promise<void> {
  const kind = await kindIfPresent(folder);
  const name = path.basename(folder);
  if (kind === 'folder') return;
  if (kind === 'link')
    throw new Error(`${name} is a link, and memories are only written to a real folder.`);
  if (kind === 'other' || kind === 'file')
    throw new Error(`${name} is not a folder, so no memory can be written to it.`);
  await makePrivateFolder(folder);
  await createFileAtomically(path.join(folder, '.gitignore'), '*\n');
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
