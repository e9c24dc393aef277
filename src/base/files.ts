// Touches the disk, as only a few of its neighbours do beside it. Writes are atomic: a reader sees the old text or the
// new, never half.

import { randomBytes } from 'node:crypto';
import { lstatSync, promises as fs, readdirSync, readFileSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { hasCode, isMissing } from './errorCode.ts';
import { retryWhileHeld } from './retryWhileHeld.ts';
import { syncFolder } from './syncFolder.ts';
import { writeError } from './writeError.ts';

/** Private to the person: memories and archives hold what they said. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** How a disk without hard links (exFAT, some network folders) says so. */
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, with fractions. */
  readonly modified: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** The bytes of a file, or undefined when there is no such file. */
export async function readBytesIfPresent(file: string): Promise<Buffer | undefined> {
  return orUndefinedWhenMissing(fs.readFile(file));
}

/** What stands at a path, links followed, or undefined when nothing does. */
export async function infoIfPresent(file: string): Promise<FileInfo | undefined> {
  const stat = await orUndefinedWhenMissing(fs.stat(file));
  if (!stat) return undefined;
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
  return { kind, size: stat.size, modified: stat.mtimeMs };
}

/** The entries of a folder, unsorted; empty when there is no such folder. */
export async function listFolder(folder: string): Promise<FolderEntry[]> {
  const entries = await orUndefinedWhenMissing(fs.readdir(folder, { withFileTypes: true }));
  return (entries ?? []).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

/** A file itself, so that a link is a link. */
export interface FileLook extends Omit<FileInfo, 'kind'> {
  readonly kind: FolderEntry['kind'];
  /** Another file at the same path has another. */
  readonly ino: number;
}

/** What stands at a path, or undefined when nothing does; at once, ten times as fast as by a promise. */
export function lookNow(file: string): FileLook | undefined {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    return stat && { kind: kindOf(stat), size: stat.size, modified: stat.mtimeMs, ino: stat.ino };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The bytes of a file at once. Throws when there is no such file. */
export function readBytesNow(file: string): Buffer {
  return readFileSync(file);
}

/** The names in a folder at once. Throws when there is no such folder. */
export function namesNow(folder: string): string[] {
  return readdirSync(folder);
}

/** What stands at a path itself, so that a link is a link, or undefined when nothing does. */
export async function kindIfPresent(file: string): Promise<FolderEntry['kind'] | undefined> {
  const stat = await orUndefinedWhenMissing(fs.lstat(file));
  return stat && kindOf(stat);
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>) {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

export async function makeFolder(folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
}

/** Makes a folder that only its owner can enter, where the system has modes. */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Alone first: with those above it, Node takes a disk that can only be read for one without the folder.
    if (!isMissing(error) && !hasCode(error, 'EEXIST')) throw writeError(folder, error);
    await fs.mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  }
}

/**
 * Writes a file through a temporary one in the same folder: exclusive create, sync, rename. The mode of an
 * existing file is kept; a new one is 0600. On failure the old file stands and the temporary one is gone.
 */
export function writeFileAtomically(file: string, data: string | Uint8Array): Promise<void> {
  return replaceFileAtomically(file, data, async () => {});
}

/**
 * Like `writeFileAtomically`, for a file that must still be the one that was seen: `check` runs last, when only
 * the rename is left to do. When it throws, the old file stands.
 */
export async function replaceFileAtomically(
  file: string,
  data: string | Uint8Array,
  check: () => Promise<unknown>,
): Promise<void> {
  const present = await orUndefinedWhenMissing(fs.stat(file));
  const temporary = await writeTemporary(file, data, present && present.mode & 0o777);
  try {
    await check();
    await retryWhileHeld(() => fs.rename(temporary, file));
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw writeError(file, error);
  }
  await syncFolder(path.dirname(file));
}

/**
 * Like `writeFileAtomically` for a file, 0600, that must not exist yet: false, and nothing written, when
 * something stands there, a link that leads nowhere included.
 */
export async function createFileAtomically(
  file: string,
  data: string | Uint8Array,
): Promise<boolean> {
  const temporary = await writeTemporary(file, data);
  try {
    if (!(await moveIfFree(temporary, file))) return false;
  } catch (error) {
    throw writeError(file, error);
  } finally {
    await fs.rm(temporary, { force: true });
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** Writes the text beside the file it is for, safe on the disk, and returns where. */
async function writeTemporary(
  file: string,
  data: string | Uint8Array,
  mode?: number,
): Promise<string> {
  const name = `.${path.basename(file).slice(0, 60)}.${randomBytes(6).toString('hex')}.tmp`;
  const temporary = path.join(path.dirname(file), name);
  try {
    const handle = await fs.open(temporary, 'wx', mode ?? PRIVATE_FILE);
    try {
      // The person's mask took bits away on opening; those of an existing file are to stay. Disks with fixed
      // modes refuse a chmod, but there nothing was taken.
      if (mode !== undefined && ((await handle.stat()).mode & 0o777) !== mode)
        await handle.chmod(mode);
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw writeError(file, error);
  }
}

/** Whether a file name is that of a temporary file, left behind by a process that was killed. */
export function isTemporary(name: string): boolean {
  return /^\..*\.[0-9a-f]{12}\.tmp$/.test(name);
}

/**
 * Gives a file a second name, never that of another: false when something stands at `to`. A copy where a disk
 * knows no second names.
 */
export async function linkIfFree(from: string, to: string): Promise<boolean> {
  return linkOr(from, to, () => copyNewFile(from, to));
}

/** Moves a file within one disk, never over another: false when something stands at `to`. */
export async function moveIfFree(from: string, to: string): Promise<boolean> {
  let isMoved = false;
  const isFree = await linkOr(from, to, async () => {
    await fs.rename(from, to);
    isMoved = true;
  });
  if (!isFree || isMoved) return isFree;
  try {
    await explained(from, fs.unlink(from));
  } catch (error) {
    // It stays where it was, and there alone.
    await fs.rm(to, { force: true });
    throw error;
  }
  return true;
}

/** A second name can only be given where there is none, whoever else is at work. `instead` is for disks without. */
async function linkOr(from: string, to: string, instead: () => Promise<void>): Promise<boolean> {
  try {
    await fs.link(from, to);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!NO_HARD_LINKS.some((code) => hasCode(error, code))) throw inWords(to, error);
    if ((await kindIfPresent(to)) !== undefined) return false;
    await explained(to, instead());
  }
  return true;
}

/** Moves a file in one step, to a name that is known to be free: what moves is what stands there at that moment. */
export function moveFile(from: string, to: string): Promise<void> {
  const move = () => fs.rename(from, to);
  return explained(from, retryWhileHeld(move));
}

/** Copies a file, mode included. Throws when something stands at `to`. */
export function copyNewFile(from: string, to: string): Promise<void> {
  return explained(to, fs.copyFile(from, to, fs.constants.COPYFILE_EXCL));
}

async function explained<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw inWords(file, error);
  }
}

/** A file that is missing may be any of those that took part, so that is left as the system says it. */
function inWords(file: string, error: unknown): unknown {
  return isMissing(error) ? error : writeError(file, error);
}

/** Adds a line to a file, 0600 when it is new. What a crash left half written stays on a line of its own. */
export function appendLine(file: string, line: string): Promise<void> {
  return explained(file, fs.appendFile(file, `\n${line}\n`, { mode: PRIVATE_FILE }));
}

/** Removes a file; nothing happens when it is already gone. */
export async function removeFile(file: string): Promise<void> {
  await fs.rm(file, { force: true });
}

/** Removes a file or a folder with all that is in it; a link itself, not what it leads to. */
export async function removeAll(target: string): Promise<void> {
  await fs.rm(target, { recursive: true, force: true });
}

/** The path with every link in it resolved, or undefined when nothing stands there. */
export function realPathIfPresent(file: string): Promise<string | undefined> {
  return orUndefinedWhenMissing(fs.realpath(file));
}

/** What a link says, or undefined when the path is no link or missing. */
export function linkTarget(file: string): Promise<string | undefined> {
  return orUndefinedWhenMissing(fs.readlink(file).catch(notALink));
}

function notALink(error: unknown): undefined {
  if (hasCode(error, 'EINVAL')) return undefined;
  throw error;
}

async function orUndefinedWhenMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
