// Skills by name: the lines that tell of them, and which one is meant.

import { fold, shortened } from '../../memory/fieldText.ts';
import { SKILL_FILE, type Skill } from './skills.ts';

/** Of the descriptions together: about 3,000 tokens at most, in every session of the workspace. */
const MAX_CHARS = 10_000;
const MAX_IN_PROMPT = 50;
/** When to use a skill often stands at the end, so few skills are described at length. */
const MAX_DESCRIPTION = 1_000;
/** For one look. */
const MAX_NAMES = 20;

/**
 * For the system prompt: those that are in order, since the others say of nothing when to use them, and that are not
 * only for when the person asks.
 */
export function skillIndex(skills: readonly Skill[]): string {
  const offered = skills.filter(({ problem, onRequest }) => problem === undefined && !onRequest);
  const lines = skillLines(offered.slice(0, MAX_IN_PROMPT), skills);
  const left = offered.length - lines.length;
  const more = left > 0 ? [`(${left} more: call load_skill without a name.)`] : [];
  return [...lines, ...more].join('\n');
}

/** A line for each, with its path where another of `all` has its name. */
export function skillLines(skills: readonly Skill[], all: readonly Skill[]): readonly string[] {
  const labels = labelsOf(all);
  const each = Math.min(
    MAX_DESCRIPTION,
    Math.floor(MAX_CHARS / Math.min(skills.length, MAX_IN_PROMPT)),
  );
  return skills.map((skill) => {
    const { name, description, problem, onRequest } = skill;
    const words = problem === undefined ? shortened(description, each) : `[${problem}]`;
    const limit = onRequest ? ' [Only when the person asks for it.]' : '';
    return `- ${labels.get(skill) ?? name} — ${words || '(no description)'}${limit}`;
  });
}

/** By name, of which the first wins, as it is told of, by folder, or by path. */
export function skillNamed(skills: readonly Skill[], wanted: string): Skill | undefined {
  const place = placeIn(wanted);
  const labels = labelsOf(skills);
  return (
    skills.find(({ name }) => fold(name) === fold(wanted)) ??
    skills.find((skill) => fold(labels.get(skill) ?? '') === fold(wanted)) ??
    skills.find(
      ({ shown, file }) =>
        placeIn(shown) === place || placeIn(file) === place || placeIn(shown).endsWith(`/${place}`),
    )
  );
}

/** Those with names like the one that is wanted, or else all that there are, as they are told of. */
export function nearestNames(skills: readonly Skill[], wanted: string): readonly string[] {
  const labels = [...labelsOf(skills)];
  const words = wordsOf(wanted);
  const near = labels.filter(([{ name }]) =>
    wordsOf(name).some((word) => words.some(isLike(word))),
  );
  return (near.length > 0 ? near : labels).slice(0, MAX_NAMES).map(([, label]) => label);
}

/** The name, with the path beside one that is not the only one. */
function labelsOf(skills: readonly Skill[]): ReadonlyMap<Skill, string> {
  const names = new Map<string, number>();
  for (const { name } of skills) names.set(fold(name), (names.get(fold(name)) ?? 0) + 1);
  return new Map(
    skills.map((skill) => {
      const { name, shown } = skill;
      return [skill, names.get(fold(name)) === 1 ? name : `${name} (${shown})`];
    }),
  );
}

/** A folder, however it is written. */
function placeIn(written: string): string {
  return written
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/\/+$/, '')
    .replace(`/${SKILL_FILE}`, '');
}

function wordsOf(name: string): readonly string[] {
  return fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function isLike(word: string): (other: string) => boolean {
  return (other) => word.startsWith(other) || other.startsWith(word);
}
