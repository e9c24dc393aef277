// Folders of ours in a person's workspace: private, and kept out of commits by a file in them.

import path from 'node:path';
import { createFileAtomically, kindIfPresent, makePrivateFolder } from './files.ts';
import { RULES_FILE } from './ignoreRules.ts';
import { sentence, SentenceError } from './sentence.ts';

/** The rules of such a folder: git is to see nothing in it, themselves included. */
export const IGNORE_ALL = '*\n';

/**
 * Makes a folder that only its owner can enter and that git ignores as a whole. Refuses to follow a link, and to
 * use a folder whose rules git cannot read, as everything in it would be committed.
 */
export async function makeIgnoredFolder(folder: string): Promise<void> {
  const kind = await kindIfPresent(folder);
  const name = path.basename(folder);
  if (kind === 'link')
    throw new SentenceError(sentence`${name} is a link, and only a real folder is written to.`);
  if (kind === 'other' || kind === 'file')
    throw new SentenceError(sentence`${name} is not a folder, so nothing can be written to it.`);
  if (kind === undefined) await makePrivateFolder(folder);
  await ignoreInGit(folder);
  const rules = path.join(folder, RULES_FILE);
  const kindOfRules = await kindIfPresent(rules);
  if (kindOfRules !== undefined && kindOfRules !== 'file')
    throw new SentenceError(
      sentence`${rules} is not a plain file, so git would take what is private. Put one in its place and try again.`,
    );
}

/** Keeps what a folder holds out of commits, unless the folder already says what is to be ignored. */
export async function ignoreInGit(folder: string): Promise<void> {
  const file = path.join(folder, RULES_FILE);
  if ((await kindIfPresent(file)) === undefined) await createFileAtomically(file, IGNORE_ALL);
}
