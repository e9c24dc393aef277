// From the pattern a model wrote to a JavaScript regular expression. What other dialects write in another way is put
// into its words, where it can mean nothing else; where it can, a note tells what it was taken for.

import { errorText } from '../../../base/log.ts';
import { cutLine } from '../../../base/lines.ts';
import { quoted } from '../places/pathProblem.ts';

/** What is wrong comes with the whole pattern. */
const MAX_REASON_CHARS = 500;

export interface SearchPattern {
  readonly expression: RegExp;
  /** The same as text. */
  readonly source: string;
  /** For a search that found nothing: what in the pattern may be meant otherwise. */
  readonly doubts: readonly string[];
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: String.raw` \t`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: String.raw`\x21-\x7e`,
  lower: 'a-z',
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: String.raw`\s`,
  upper: 'A-Z',
  word: String.raw`\w`,
  xdigit: 'A-Fa-f0-9',
};

/** What JavaScript would quietly take for a letter, or not take at all. */
const ESCAPES: Readonly<Record<string, string>> = {
  A: '^',
  Z: '$',
  z: '$',
  h: String.raw`[ \t]`,
};

const UNKNOWN_ESCAPES = /^[GKQERXNC]$/;

/** Throws what to write instead of a pattern that cannot be read. */
export function readPattern(written: string, ignoreCase: boolean): SearchPattern {
  const flags = /^\(\?([imsu]+)\)/.exec(written);
  const source = translated(written.slice(flags?.[0].length ?? 0));
  const isLoose = ignoreCase || (flags?.[1]?.includes('i') ?? false);
  return { expression: compile(source, isLoose ? 'i' : ''), source, doubts: doubtsOf(source) };
}

function translated(pattern: string): string {
  let inClass = false;
  return pattern.replaceAll(
    /\\(.)|\[:(\^?)(\w+):\]|\(\?P<(\w+)>|\(\?P=(\w+)\)|\[\^?\]?|\]/gsu,
    (
      whole: string,
      character?: string,
      negated?: string,
      name?: string,
      group?: string,
      back?: string,
    ) => {
      if (character !== undefined) return inClass ? whole : escapeOf(character);
      if (name !== undefined && inClass) return classOf(whole, name, negated === '^');
      if (group !== undefined && !inClass) return `(?<${group}>`;
      if (back !== undefined && !inClass) return `\\k<${back}>`;
      if (whole === ']') {
        inClass = false;
        return whole;
      }
      if (inClass) return whole;
      inClass = whole.startsWith('[');
      // Elsewhere a bracket that comes first is one of the class.
      return whole.endsWith(']') ? `${whole.slice(0, -1)}\\]` : whole;
    },
  );
}

function escapeOf(character: string): string {
  if (UNKNOWN_ESCAPES.test(character)) {
    throw new Error(`\\${character} is not known here. ${ADVICE}`);
  }
  return ESCAPES[character] ?? `\\${character}`;
}

function classOf(whole: string, name: string, isNegated: boolean): string {
  const characters = CLASSES[name];
  if (characters === undefined || isNegated) {
    const known = Object.keys(CLASSES).join(', ');
    throw new Error(`${quoted(whole)} is not known here. The classes are: ${known}.`);
  }
  return characters;
}

const ADVICE =
  'The pattern is a JavaScript regular expression: escape brackets that are meant literally, and set ignore_case in ' +
  'place of (?i).';

/** With `u`, which knows \p{...}, unless the expression is only valid without. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `u${flags}`);
  } catch {
    // Tried again below, where a pattern that is wrong either way is reported.
  }
  let reason: string;
  try {
    return new RegExp(source, flags);
  } catch (error) {
    reason = errorText(error);
  }
  // Without its cause, which would repeat a pattern of any length.
  throw new Error(`${cutLine(reason, MAX_REASON_CHARS)}. ${ADVICE}`);
}

function doubtsOf(source: string): readonly string[] {
  const literal = source.replaceAll('\\\\', '');
  return [
    ...(/\\\|/.test(literal)
      ? [String.raw`[\| stands for the character |. Write | between alternatives.]`]
      : []),
    ...(/\\[<>]/.test(literal)
      ? [String.raw`[\< and \> stand for the characters. Write \b for the edge of a word.]`]
      : []),
    ...(/\\n|\n/.test(literal)
      ? ['[Lines are searched one by one, so a pattern never matches across them.]']
      : []),
  ];
}
