// Finds what other agents on this computer keep: files of instructions, rules and memories, each in the place its
// tool is known to use. Links are not followed, so that nothing from elsewhere is offered.

import path from 'node:path';
import { realPathInside } from '../../base/containment.ts';
import { infoIfPresent, kindIfPresent, listFolder } from '../../base/files.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import { walk } from '../../base/walk.ts';
import { claudeMemoryFolders } from './importClaudeFolder.ts';

export interface ImportSource {
  readonly kind: 'claudeMemory' | 'instructions' | 'copilot' | 'cursor' | 'chosen';
  /** Of the file, or of the folder that holds the files. */
  readonly path: string;
  /** Absolute paths, at least one, none of them empty when they were found. */
  readonly files: readonly string[];
  /** Whether it holds for one project or for all of the person's. */
  readonly scope: 'workspace' | 'personal';
}

export interface ImportPlaces {
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  readonly home: string;
  /** The folders in which the editor gives each extension a folder of its own, where it names them. */
  readonly extensionFolders?: {
    /** For all workspaces. */
    readonly global?: string | undefined;
    /** For the one that is open. */
    readonly workspace?: string | undefined;
  };
}

interface Place {
  readonly kind: ImportSource['kind'];
  readonly scope: ImportSource['scope'];
  /** What the place must stay inside when links are followed. */
  readonly root: string;
  readonly path: string;
  /** Of a folder, the files at any depth that count, by their paths in it. */
  readonly files?: RegExp;
}

/** No tool's folder has so many; a walk that went astray ends here. */
const MAX_FILES = 1000;
const MARKDOWN = /\.md$/i;

/** Only what is there and holds something, in the order of the workspace folders, then what is personal. */
export async function findImportSources(
  places: ImportPlaces,
  signal: AbortSignal,
): Promise<readonly ImportSource[]> {
  const sources: ImportSource[] = [];
  for (const place of await knownPlaces(places)) {
    const source = await sourceIn(place, signal);
    // A person may have opened their home folder.
    if (source && !sources.some(({ path }) => path === source.path)) sources.push(source);
  }
  return sources;
}

/** The source that a person chose: one file, or the Markdown files of a folder. Throws when nothing is there. */
export async function chosenSource(chosen: string): Promise<ImportSource> {
  const info = await infoIfPresent(chosen);
  if (!info)
    throw new SentenceError(
      sentence`${chosen} does not exist, so nothing can be imported from it.`,
    );
  if (info.kind !== 'folder')
    return { kind: 'chosen', path: chosen, files: [chosen], scope: 'workspace' };
  const names = (await listFolder(chosen)).map(({ name }) => name);
  const files = names.filter((name) => /^[^.].*\.mdc?$/i.test(name)).toSorted();
  if (files.length === 0)
    throw new SentenceError(
      sentence`${chosen} has no Markdown files, so nothing can be imported from it.`,
    );
  const paths = files.slice(0, MAX_FILES).map((name) => path.join(chosen, name));
  return { kind: 'chosen', path: chosen, files: paths, scope: 'workspace' };
}

async function knownPlaces(places: ImportPlaces): Promise<readonly Place[]> {
  const { folders, home, extensionFolders } = places;
  const found: Place[] = [];
  for (const folder of folders) {
    found.push(...placesIn(folder));
    const memories = await claudeMemoryFolders(folder, home);
    found.push(
      ...memories.map((path): Place => ({
        kind: 'claudeMemory',
        scope: 'workspace',
        root: home,
        path,
        files: MARKDOWN,
      })),
    );
  }
  found.push(...(await copilotPlaces(extensionFolders?.workspace, 'workspace')));
  found.push(...placesAtHome(home));
  found.push(...(await copilotPlaces(extensionFolders?.global, 'personal')));
  return found;
}

function placesIn(folder: string): readonly Place[] {
  return placesBelow(folder, 'workspace', [
    ['instructions', 'CLAUDE.md'],
    ['instructions', '.claude/CLAUDE.md'],
    ['instructions', 'CLAUDE.local.md'],
    ['instructions', 'AGENTS.md'],
    ['instructions', '.claude/rules', MARKDOWN],
    ['copilot', '.github/copilot-instructions.md'],
    ['copilot', '.github/instructions', /\.instructions\.md$/i],
    // A rule is a file, or a folder with the file RULE.md; other files there belong to a rule.
    ['cursor', '.cursor/rules', /\.mdc$|(?:^|\/)RULE\.md$/i],
    ['cursor', '.cursorrules'],
  ]);
}

function placesAtHome(home: string): readonly Place[] {
  return placesBelow(home, 'personal', [
    ['instructions', '.claude/CLAUDE.md'],
    ['instructions', '.claude/rules', MARKDOWN],
    ['instructions', '.codex/AGENTS.md'],
    ['copilot', '.copilot/copilot-instructions.md'],
    ['copilot', '.copilot/instructions', /\.instructions\.md$/i],
  ]);
}

function placesBelow(
  root: string,
  scope: Place['scope'],
  rows: readonly (readonly [Place['kind'], string, RegExp?])[],
): readonly Place[] {
  return rows.map(([kind, relative, files]) => ({
    kind,
    scope,
    root,
    path: path.join(root, relative),
    ...(files && { files }),
  }));
}

/** The notes of Copilot's memory tool. Those of single sessions stand beside and are not meant to last. */
async function copilotPlaces(
  folder: string | undefined,
  scope: Place['scope'],
): Promise<readonly Place[]> {
  if (folder === undefined) return [];
  const inside = scope === 'workspace' ? 'memory-tool/memories/repo' : 'memory-tool/memories';
  // The case of the name differs between the two folders.
  const names = (await listFolder(folder)).map(({ name }) => name);
  return names
    .filter((name) => name.toLowerCase() === 'github.copilot-chat')
    .flatMap((name) =>
      placesBelow(folder, scope, [['copilot', path.join(name, inside), MARKDOWN]]),
    );
}

async function sourceIn(place: Place, signal: AbortSignal): Promise<ImportSource | undefined> {
  const { kind, scope, root, path: target } = place;
  const present = await kindIfPresent(target);
  if (present !== (place.files ? 'folder' : 'file')) return undefined;
  if ((await realPathInside([root], target)) === undefined) return undefined;
  const files: string[] = [];
  for (const file of place.files ? await filesIn(target, place.files, signal) : [target])
    if (((await infoIfPresent(file))?.size ?? 0) > 0) files.push(file);
  return files.length > 0 ? { kind, path: target, files, scope } : undefined;
}

async function filesIn(
  folder: string,
  wanted: RegExp,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const relative of walk({ folder }, signal)) {
    if (wanted.test(relative)) files.push(path.join(folder, relative));
    if (files.length === MAX_FILES) break;
  }
  return files;
}
