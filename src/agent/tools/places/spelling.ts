// The same name can be written in several ways: with an accent in its letter or after it. Which of them a disk has
// cannot be seen, so a path is taken for the one that is there.

import path from 'node:path';
import { isInside } from '../../../base/containment.ts';
import { kindIfPresent, listFolder } from '../../../base/files.ts';

/** The path with its names below one of the folders spelled as the disk spells them; those that are not there stay. */
export async function asSpelled(folders: readonly string[], absolute: string): Promise<string> {
  if (/^\p{ASCII}*$/u.test(absolute)) return absolute;
  const folder = folders.find((candidate) => isInside(candidate, absolute));
  if (folder === undefined) return absolute;
  let spelled = folder;
  const names = path.relative(folder, absolute).split(path.sep);
  for (const [index, name] of names.entries()) {
    const found = await nameThere(spelled, name);
    if (found === undefined) return path.join(spelled, ...names.slice(index));
    spelled = path.join(spelled, found);
  }
  return spelled;
}

async function nameThere(folder: string, name: string): Promise<string | undefined> {
  if ((await kindIfPresent(path.join(folder, name))) !== undefined) return name;
  const wanted = name.normalize();
  const entries = await listFolder(folder);
  return entries.find((entry) => entry.name.normalize() === wanted)?.name;
}
