// The skills of a workspace: guides for certain kinds of work, each a folder with a SKILL.md in it. They are read as
// the person sees them, unsaved text included, and nothing outside of the workspace is, links resolved.

import path from 'node:path';
import { AtMost } from '../../base/atMost.ts';
import { realPathInside } from '../../base/containment.ts';
import { infoIfPresent, listFolder } from '../../base/files.ts';
import { errorText } from '../../base/log.ts';
import { oneLine, shortened } from '../../memory/fieldText.ts';
import { withoutHidden } from '../../memory/hiddenText.ts';
import { readSkillFile } from './skillFile.ts';
import { shownPath } from '../tools/places/paths.ts';
import type { Workspace } from '../workspace.ts';

export const SKILL_FILE = 'SKILL.md';
/** Of each workspace folder, in the order in which they win where two skills have one name. */
const SKILL_FOLDERS = ['.claude/skills', '.github/skills'];
/** In one of them. Each is read to list it, and nobody keeps so many. */
const MAX_SKILLS = 500;
/** A guide that a model can follow is far smaller. */
const MAX_BYTES = 1_000_000;
const MAX_NAME = 64;
/** More would only stand in memory together. */
const READ_AT_ONCE = 8;

export interface Skill {
  /** On one line: as its front matter says, else that of its folder. Need not be the only one of that name. */
  readonly name: string;
  /** On one line. Empty when it has none. */
  readonly description: string;
  /** Of its folder, as tools name it. */
  readonly shown: string;
  /** Absolute path of its SKILL.md. */
  readonly file: string;
  /** The same with links resolved, where they lead to a place in the workspace. */
  readonly real: string;
  /** Only for when the person asks for it. */
  readonly onRequest?: true;
  /** Why it, or its front matter, cannot be read. */
  readonly problem?: string;
}

export interface SkillList {
  /** In the order in which they win. */
  readonly skills: readonly Skill[];
  /** Why a whole folder of skills is not read. */
  readonly problems: readonly string[];
}

export async function listSkills(workspace: Workspace): Promise<SkillList> {
  const roots = workspace.folders.flatMap((folder) =>
    SKILL_FOLDERS.map((place) => path.join(folder, place)),
  );
  const lists = await Promise.all(roots.map((root) => skillsIn(workspace, root)));
  return {
    skills: eachOnce(lists.flatMap(({ skills }) => skills)),
    problems: lists.flatMap(({ problems }) => problems),
  };
}

/** The text of a listed skill. Throws why it cannot be read. */
export async function skillText(workspace: Workspace, { file }: Skill): Promise<string> {
  const found = await readAt(workspace, file);
  if (!found) throw new Error(`${shownPath(workspace, file)} is not there any more.`);
  return found.text;
}

async function skillsIn(workspace: Workspace, root: string): Promise<SkillList> {
  const shown = shownPath(workspace, root);
  try {
    if ((await realPathInside(workspace.folders, root)) === undefined) throw leadsOut(shown);
    const entries = await listFolder(root);
    const names = entries
      .filter(({ kind }) => kind === 'folder' || kind === 'link')
      .map(({ name }) => name)
      .toSorted();
    const places = new AtMost(READ_AT_ONCE);
    const read = names
      .slice(0, MAX_SKILLS)
      .map((name) => places.run(() => skillAt(workspace, path.join(root, name))));
    const skills = (await Promise.all(read)).filter((skill) => skill !== undefined);
    const left = names.length - MAX_SKILLS;
    return { skills, problems: left > 0 ? [`${left} more in ${shown} are not looked at.`] : [] };
  } catch (error) {
    return { skills: [], problems: [errorText(error)] };
  }
}

/** Undefined for a folder without a SKILL.md. */
async function skillAt(workspace: Workspace, folder: string): Promise<Skill | undefined> {
  const file = path.join(folder, SKILL_FILE);
  const shown = shownPath(workspace, folder);
  const name = nameOf(path.basename(folder));
  const unread: Skill = { name, description: '', shown, file, real: file };
  try {
    const found = await readAt(workspace, file);
    if (!found) return undefined;
    const { name, description, onRequest } = readSkillFile(found.text);
    return {
      ...unread,
      real: found.real,
      name: nameOf(name) || unread.name,
      description,
      ...(onRequest ? { onRequest } : {}),
    };
  } catch (error) {
    return { ...unread, problem: oneLine(errorText(error)) };
  }
}

/** Undefined when no file stands there. Throws why one cannot be read. */
async function readAt(
  workspace: Workspace,
  file: string,
): Promise<{ readonly real: string; readonly text: string } | undefined> {
  const shown = shownPath(workspace, file);
  const real = await realPathInside(workspace.folders, file);
  if (real === undefined) throw leadsOut(shown);
  const info = await infoIfPresent(real);
  if (info?.kind !== 'file') return undefined;
  if (info.size > MAX_BYTES)
    throw new Error(`${shown} has ${info.size} bytes, too many for a skill.`);
  const text = await workspace.readText(file);
  return text === undefined ? undefined : { real, text };
}

function nameOf(value: unknown): string {
  return shortened(withoutHidden(oneLine(value)), MAX_NAME);
}

/** One folder of skills is often a link to the other. */
function eachOnce(skills: readonly Skill[]): readonly Skill[] {
  const seen = new Set<string>();
  return skills.filter(({ real }) => !seen.has(real) && seen.add(real));
}

function leadsOut(shown: string): Error {
  return new Error(`${shown} leads out of the workspace, so it is not read.`);
}
