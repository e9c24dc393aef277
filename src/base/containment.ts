// Whether a path stays inside a folder, once every link on the way is followed.

import path from 'node:path';
import { linkTarget, realPathIfPresent } from './files.ts';
import { sentence, SentenceError } from './sentence.ts';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * The real path of `target` if it lies inside one of `folders`, links resolved on both sides (for a path that
 * does not exist yet: those of its deepest existing parent), else undefined. `..` and NUL never pass.
 */
export async function realPathInside(
  folders: readonly string[],
  target: string,
): Promise<string | undefined> {
  if (target.includes('\0')) return undefined;
  const real = await realPathOfDeepestParent(path.resolve(target));
  for (const folder of folders) {
    const root = await realPathOfDeepestParent(path.resolve(folder));
    if (isInside(root, real)) return real;
  }
  return undefined;
}

/** Whether `target` is `folder` or lies below it, by path text alone. */
export function isInside(folder: string, target: string): boolean {
  const relative = path.relative(folder, target);
  return (
    relative === '' ||
    (!relative.startsWith('..' + path.sep) && relative !== '..' && !path.isAbsolute(relative))
  );
}

async function realPathOfDeepestParent(target: string, linksLeft = MAX_LINKS): Promise<string> {
  const real = await realPathIfPresent(target);
  if (real !== undefined) return real;
  if (path.dirname(target) === target) return target;
  const parent = await realPathOfDeepestParent(path.dirname(target), linksLeft);
  // A link that points nowhere yet must not be taken for a plain missing file: writing would follow it.
  const link = await linkTarget(target);
  if (link === undefined) return path.join(parent, path.basename(target));
  if (linksLeft === 0) throw new SentenceError(sentence`${target} leads through too many links.`);
  return realPathOfDeepestParent(path.resolve(parent, link), linksLeft - 1);
}
