// Skills by name: the lines that tell of them, and which one is meant.

import { fold, shortened } from '../memory/fieldText.ts';
import { SKILL_FILE, type Skill } from './skills.ts';

/** Together about 3,000 tokens at most, in every session of the workspace. */
const MAX_IN_PROMPT = 50;
const MAX_DESCRIPTION = 200;
/** For one look. */
const MAX_NAMES = 20;

/** For the system prompt: those that are in order, since the others say of nothing when to use them. */
export function skillIndex(skills: readonly Skill[]): string {
  const whole = skills.filter(({ problem }) => problem === undefined);
  const lines = whole.slice(0, MAX_IN_PROMPT).map((skill) => skillLine(skill, skills));
  const left = whole.length - lines.length;
  const more = left > 0 ? [`(${left} more: call load_skill without a name.)`] : [];
  return [...lines, ...more].join('\n');
}

/** The path stands beside a name that is not the only one. */
export function skillLine(skill: Skill, skills: readonly Skill[]): string {
  const { name, description, problem, shown } = skill;
  const others = skills.filter((other) => other !== skill && fold(other.name) === fold(name));
  const words = problem === undefined ? shortened(description, MAX_DESCRIPTION) : `[${problem}]`;
  return `- ${name}${others.length > 0 ? ` (${shown})` : ''} — ${words || '(no description)'}`;
}

/** By name, of which the first wins, by folder, or by path. */
export function skillNamed(skills: readonly Skill[], wanted: string): Skill | undefined {
  const place = wanted.replace(/^\.\//, '').replace(/\/+$/, '').replace(`/${SKILL_FILE}`, '');
  return (
    skills.find(({ name }) => fold(name) === fold(wanted)) ??
    skills.find(({ shown }) => shown === place || shown.endsWith(`/${place}`))
  );
}

/** Names like the one that is wanted, or else of all that there are. */
export function nearestNames(skills: readonly Skill[], wanted: string): readonly string[] {
  const names = [...new Set(skills.map(({ name }) => name))];
  const words = wordsOf(wanted);
  const near = names.filter((name) => wordsOf(name).some((word) => words.some(isLike(word))));
  return (near.length > 0 ? near : names).slice(0, MAX_NAMES);
}

function wordsOf(name: string): readonly string[] {
  return fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function isLike(word: string): (other: string) => boolean {
  return (other) => word.startsWith(other) || other.startsWith(word);
}
