// What a project has that a memory may name: paths, package scripts, make targets. Read when first asked for, and
// once. Where it cannot be known for sure, the answer is that nothing is missing.

import path from 'node:path';
import * as z from 'zod/mini';
import { infoIfPresent, listFolder, readBytesIfPresent } from '../../base/files.ts';
import { parseJson } from '../../base/parseJson.ts';
import { walk } from '../../base/walk.ts';
import { fileKey } from '../folder/recordCache.ts';

export interface ProjectFiles {
  /** Whether a path, or one that ends in it, is there. */
  has(relativePath: string): Promise<boolean>;
  /** Whether a file or folder of this name stands at the top. */
  hasAtTop(name: string): Promise<boolean>;
  /** The scripts of every package, or undefined when there is none, or one that cannot be read. */
  scripts(): Promise<ReadonlySet<string> | undefined>;
  /** The targets of every makefile, or undefined when there is none, or one that only make understands. */
  targets(): Promise<ReadonlySet<string> | undefined>;
}

/** A project with more is not searched: what is not at the very path named may be anywhere in it. */
const MAX_FILES = 50_000;
/** Of one kind. More packages or makefiles than this are not read. */
const MAX_READ = 200;

/** Over the folders of a workspace, which count as one project. The methods throw when `signal` is aborted. */
export function projectFiles(folders: readonly string[], signal: AbortSignal): ProjectFiles {
  const listing = once(() => list(folders, signal));
  const scripts = once(async () => namesIn(await filesNamed(/^package\.json$/), scriptNames));
  const targets = once(async () => namesIn(await filesNamed(/^(?:GNU)?makefile$/i), targetNames));
  const top = once(async () => {
    const entries = await Promise.all(folders.map(listFolder));
    const names = entries.flat().map(({ name }) => fileKey(name));
    return new Set([...names, ...folders.map((folder) => fileKey(path.basename(folder)))]);
  });
  const known = new Map<string, Promise<boolean>>();

  async function filesNamed(name: RegExp): Promise<readonly string[] | undefined> {
    const all = await listing();
    return all && [...all.values()].flat().filter((file) => name.test(path.basename(file)));
  }

  async function find(relativePath: string): Promise<boolean> {
    signal.throwIfAborted();
    for (const candidate of folders.flatMap((folder) => placesOf(relativePath, folder))) {
      if (await infoIfPresent(candidate)) return true;
    }
    const all = await listing();
    if (!all) return true;
    const ending = `/${fileKey(relativePath)}`;
    const namesakes = all.get(fileKey(path.posix.basename(relativePath))) ?? [];
    return namesakes.some((file) => fileKey(file.replaceAll(path.sep, '/')).endsWith(ending));
  }

  return {
    has(relativePath) {
      const answer = known.get(relativePath) ?? find(relativePath);
      known.set(relativePath, answer);
      return answer;
    },
    hasAtTop: async (name) => (await top()).has(fileKey(name)),
    scripts,
    targets,
  };
}

/** People write paths from the top, from above it, and as an import that a package answers. */
function placesOf(relativePath: string, folder: string): readonly string[] {
  const [first] = relativePath.split('/');
  return [
    path.join(folder, relativePath),
    path.join(folder, 'node_modules', relativePath),
    ...(first === path.basename(folder) ? [path.join(path.dirname(folder), relativePath)] : []),
  ];
}

/** Absolute paths of files and folders by the key of their name, or undefined when there are too many. */
async function list(
  folders: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const byName = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const folder of folders) {
    for await (const relative of walk({ folder, rulesFrom: folder }, signal)) {
      // The file, and the folders on the way to it that are new.
      for (let at = path.join(folder, relative); at !== folder && !seen.has(at);) {
        seen.add(at);
        const key = fileKey(path.basename(at));
        const namesakes = byName.get(key);
        if (namesakes) namesakes.push(at);
        else byName.set(key, [at]);
        at = path.dirname(at);
      }
      if (seen.size > MAX_FILES) return undefined;
    }
  }
  return byName;
}

async function namesIn(
  files: readonly string[] | undefined,
  read: (text: string) => readonly string[] | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (!files || files.length === 0 || files.length > MAX_READ) return undefined;
  const names = new Set<string>();
  for (const file of files) {
    const some = read((await readBytesIfPresent(file))?.toString() ?? '');
    if (!some) return undefined;
    for (const name of some) names.add(name);
  }
  return names;
}

const Package = z.object({ scripts: z.optional(z.record(z.string(), z.unknown())) });

function scriptNames(text: string): readonly string[] | undefined {
  // A half-written package tells nothing about its scripts, and that is no fault of a memory.
  const { data } = z.safeParse(Package, parseJson(text));
  return data && Object.keys(data.scripts ?? {});
}

/** Includes, patterns and variables make targets that only make can name. */
function targetNames(text: string): readonly string[] | undefined {
  const rules = [...text.matchAll(/^([^\s#:=][^#:=\n]*):(?!=)/gm)].map(([, names]) => names ?? '');
  if (/^-?s?include\b/m.test(text) || rules.some((names) => /[%$]/.test(names))) return undefined;
  return rules.flatMap((names) => names.trim().split(/\s+/));
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
