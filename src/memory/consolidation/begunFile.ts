// What a consolidation is about to do, written down in the trash before it begins. A seal beside it says which file of
// this disk it is: a repository can bring both, but it knows neither the number that a disk will give to a file nor
// the moment at which a clone writes it. What has no such seal is not read, however much it is.

import * as z from 'zod/mini';
import { lookNow, readBytesIfPresent, removeFile, writeFileAtomically } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { parseJson } from '../../base/parseJson.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import { CONSOLIDATION_FILE, CONSOLIDATION_SEAL, type Trash } from '../folder/trash.ts';
import { Work } from './consolidationWork.ts';

const Begun = z.object({ group: z.string(), works: z.array(Work) });
export type Begun = z.infer<typeof Begun>;

/** The file that a seal is for. */
const Seal = z.object({ ino: z.number(), modified: z.number(), size: z.number() });

/** Far more than three numbers take. */
const MAX_SEAL_BYTES = 1_000;

export async function writeBegun(trash: Trash, begun: Begun): Promise<void> {
  await trash.prepare();
  const file = trash.pathOf(CONSOLIDATION_FILE);
  await writeFileAtomically(file, JSON.stringify(begun));
  const look = lookNow(file);
  if (!look)
    throw new SentenceError(sentence`${CONSOLIDATION_FILE} is gone right after it was written.`);
  const { ino, modified, size } = look;
  await writeFileAtomically(
    trash.pathOf(CONSOLIDATION_SEAL),
    JSON.stringify({ ino, modified, size }),
  );
}

/** Undefined when there is none, or it was not written here, which is in the log then. */
export async function readBegun(trash: Trash, log: Log): Promise<Begun | undefined> {
  if (!(await trash.isThere())) return undefined;
  const file = trash.pathOf(CONSOLIDATION_FILE);
  const look = lookNow(file);
  if (!look) return undefined;
  const seal = await readSeal(trash);
  const { kind, ino, modified, size } = look;
  if (kind === 'file' && seal?.ino === ino && seal.modified === modified && seal.size === size) {
    const bytes = await readBytesIfPresent(file);
    return Begun.safeParse(parseJson(bytes?.toString() ?? '')).data;
  }
  log.warn(`[consolidation] ${file} was not begun on this computer, so it is left as it is`);
  return undefined;
}

export async function removeBegun(trash: Trash): Promise<void> {
  await removeFile(trash.pathOf(CONSOLIDATION_FILE));
  await removeFile(trash.pathOf(CONSOLIDATION_SEAL));
}

/** A link is followed no more than anywhere else in the trash. */
async function readSeal(trash: Trash): Promise<z.infer<typeof Seal> | undefined> {
  const file = trash.pathOf(CONSOLIDATION_SEAL);
  const look = lookNow(file);
  if (look?.kind !== 'file' || look.size > MAX_SEAL_BYTES) return undefined;
  const bytes = await readBytesIfPresent(file);
  return Seal.safeParse(parseJson(bytes?.toString() ?? '')).data;
}
