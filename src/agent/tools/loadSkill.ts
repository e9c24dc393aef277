// load_skill: one of the workspace's guides, or the list of them. It is offered wherever there is a trusted folder,
// whether or not that has skills, so that the tools of a session stay the same and a new skill can be loaded at once.

import path from 'node:path';
import * as z from 'zod/mini';
import { listFolder } from '../../base/files.ts';
import { withoutHidden } from '../../memory/hiddenText.ts';
import { readSkillFile } from '../skills/skillFile.ts';
import { nearestNames, skillLines, skillNamed } from '../skills/skillIndex.ts';
import { listSkills, SKILL_FILE, skillText, type Skill, type SkillList } from '../skills/skills.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { declareTool, implementTool } from './declareTool.ts';
import { cutLine, linesOf } from '../../base/lines.ts';
import { printable, quoted } from './places/pathProblem.ts';

export const SKILL_TOOL = 'load_skill';

/** As much as read_file gives at once. */
const MAX_CHARS = 50_000;
const MAX_FILES = 20;
/** With descriptions of the usual length as long as a skill. */
const MAX_LISTED = 200;

const loadSkillDeclaration = declareTool({
  name: SKILL_TOOL,
  description:
    "Loads a skill, the workspace's own guide for a kind of work (SKILL.md in .claude/skills or .github/skills). Load " +
    'one that fits before you begin such work. Without a name it lists all skills.',
  readOnly: true,
  input: z.strictObject({
    name: z.optional(z.string().check(z.describe('Its name, or the path of its folder.'))),
  }),
});

export function createLoadSkill(workspace: Workspace): Tool {
  return implementTool(loadSkillDeclaration, async ({ name = '' }) => {
    const list = await listSkills(workspace);
    const wanted = name.trim();
    if (wanted === '') return listing(list);
    const skill = skillNamed(list.skills, wanted);
    if (!skill) throw new Error(unknown(list, wanted));
    return loaded(skill, await skillText(workspace, skill));
  });
}

function listing({ skills, problems }: SkillList): string {
  if (skills.length === 0 && problems.length === 0) return NO_SKILLS;
  const lines = skillLines(skills.slice(0, MAX_LISTED), skills);
  const left = skills.length - lines.length;
  const more =
    left > 0 ? [`[${left} more, in the folders behind these. Use glob to find them.]`] : [];
  return [...lines, ...more, ...problems].join('\n');
}

const NO_SKILLS =
  'There are no skills. A skill is a file .claude/skills/<name>/SKILL.md or .github/skills/<name>/SKILL.md.';

function unknown({ skills, problems }: SkillList, wanted: string): string {
  const names = nearestNames(skills, wanted);
  const advice = names.length > 0 ? `Did you mean ${names.join(', ')}?` : NO_SKILLS;
  return [`There is no skill named ${quoted(wanted)}. ${advice}`, ...problems].join(' ');
}

async function loaded(skill: Skill, text: string): Promise<string> {
  const { name, shown, file, problem } = skill;
  // It instructs the model, so it may say nothing to it that the person does not see.
  const { lines, next } = portion(withoutHidden(text), problem === undefined ? bodyStart(text) : 0);
  const beside = await filesBeside(path.dirname(file));
  const notes = [
    `Skill ${name}, in ${shown}.`,
    "It is the workspace's own guide for such work: follow it as far as the person's request does not say otherwise.",
    ...(skill.onRequest ? [ON_REQUEST] : []),
    `Paths in it are relative to ${shown}: read such a file with read_file as ${shown}/<path>.`,
    ...(beside === '' ? [] : [`There are: ${beside}.`]),
    ...(problem === undefined ? [] : [`The whole file is shown: ${problem}`]),
    ...(next === undefined
      ? []
      : [`Cut here; read on with read_file, path ${shown}/${SKILL_FILE}, offset ${next}.`]),
  ];
  return `[${notes.join(' ')}]\n\n${lines.join('\n').trim() || '(The skill is empty.)'}`;
}

const ON_REQUEST = 'Its author wants it to be used only when the person asks for it.';

/** How many lines the front matter takes, and the blank ones behind it. */
function bodyStart(text: string): number {
  const { guide } = readSkillFile(text);
  const front = text.slice(0, text.length - guide.length);
  const blank = guide.slice(0, guide.search(/\S/)).replace(/[^\n]*$/, '');
  return linesOf(front + blank).length;
}

/** The lines from there that there is room for. `next` is the number of the line to read on from, if there is more. */
function portion(text: string, start: number): { lines: readonly string[]; next?: number } {
  const all = linesOf(text).slice(start);
  let room = MAX_CHARS;
  const count = all.findIndex((line) => (room -= line.length + 1) < 0);
  if (count < 0) return { lines: all };
  const lines = count > 0 ? all.slice(0, count) : all.slice(0, 1).map(cut);
  return lines.length < all.length ? { lines, next: start + lines.length + 1 } : { lines };
}

/** Nobody writes such a line, so it need not be read to its end. */
function cut(line: string): string {
  return cutLine(line, MAX_CHARS);
}

async function filesBeside(folder: string): Promise<string> {
  const entries = await listFolder(folder);
  const names = entries
    .filter(({ name }) => name !== SKILL_FILE)
    .map(({ name, kind }) => printable(name) + (kind === 'folder' ? '/' : ''))
    .toSorted();
  const more = names.length - MAX_FILES;
  return [...names.slice(0, MAX_FILES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
