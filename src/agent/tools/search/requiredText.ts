// Words of which every match of a regular expression holds one, so that most files need not be looked at line by line.
// Nothing is guessed: an expression that is not understood has none.

/** More ways to begin are as slow to look for as the expression itself. */
const MAX_WORDS = 20;
/** A single letter stands in every file. */
const MIN_CHARS = 2;

/** Whether a text may hold a match. */
export type MayHold = (text: string) => boolean;

/** `flags`: those of the expression. */
export function mayHold(pattern: string, flags: string): MayHold {
  const words = requiredWords(pattern);
  const [word] = words ?? [];
  if (!words || word === undefined) return () => true;
  if (words.length === 1 && !flags.includes('i')) return (text) => text.includes(word);
  const any = new RegExp(words.map(escaped).join('|'), flags);
  return (text) => any.test(text);
}

/** One of them stands in each match, in some case when the expression knows none. Undefined: not known. */
export function requiredWords(pattern: string): readonly string[] | undefined {
  const reader = { pattern, at: 0 };
  const words = alternatives(reader);
  // A bracket too many, or something not understood.
  if (words === NOT_UNDERSTOOD || reader.at < pattern.length) return undefined;
  return words.length > 0 && words.length <= MAX_WORDS ? words : undefined;
}

interface Reader {
  readonly pattern: string;
  at: number;
}

const NOT_UNDERSTOOD = Symbol('not understood');
/** None when nothing in particular must stand there. */
type Words = readonly string[] | typeof NOT_UNDERSTOOD;

/** Up to the end or to a closing bracket. */
function alternatives(reader: Reader): Words {
  const all: string[] = [];
  let isKnown = true;
  for (;;) {
    const words = sequence(reader);
    if (words === NOT_UNDERSTOOD) return words;
    if (words.length === 0) isKnown = false;
    all.push(...words);
    if (reader.pattern[reader.at] !== '|') return isKnown ? all : [];
    reader.at += 1;
  }
}

function sequence(reader: Reader): Words {
  let best: readonly string[] = [];
  let run = '';
  const consider = (words: readonly string[]) => {
    if (shortest(words) >= MIN_CHARS && shortest(words) > shortest(best)) best = words;
  };
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern[reader.at] ?? '')) {
    const term = readTerm(reader);
    if (term === NOT_UNDERSTOOD) return term;
    const least = readQuantifier(reader);
    if (least === NOT_UNDERSTOOD) return least;
    if (typeof term === 'string' && least !== 0) run += term;
    if (typeof term === 'string' && least === undefined) continue;
    consider([run]);
    run = '';
    if (typeof term !== 'string' && least !== 0) consider(term);
  }
  consider([run]);
  return best;
}

/** One character that stands for itself, or the words that a group or a class asks for. */
function readTerm(reader: Reader): string | Words {
  const character = String.fromCodePoint(reader.pattern.codePointAt(reader.at) ?? 0);
  switch (character) {
    case '(':
      return readGroup(reader);
    case '[':
      return readClass(reader);
    case '\\':
      return readEscape(reader);
    case '{':
    case '}':
    case ']':
    case '*':
    case '+':
    case '?':
      return NOT_UNDERSTOOD;
    default:
      reader.at += character.length;
      return /[.^$]/.test(character) ? [] : character;
  }
}

function readGroup(reader: Reader): Words {
  const [opening] = /^\((\?:|\?<?[=!]|\?<\w+>)?/.exec(reader.pattern.slice(reader.at)) ?? ['('];
  reader.at += opening.length;
  const words = alternatives(reader);
  if (words === NOT_UNDERSTOOD || reader.pattern[reader.at] !== ')') return NOT_UNDERSTOOD;
  reader.at += 1;
  // What is only looked at is no part of the match, or must not be there at all.
  return /[=!]$/.test(opening) ? [] : words;
}

function readClass(reader: Reader): Words {
  const found = /^\[(?:\\.|[^\]\\])*\]/su.exec(reader.pattern.slice(reader.at));
  if (!found) return NOT_UNDERSTOOD;
  reader.at += found[0].length;
  return [];
}

function readEscape(reader: Reader): string | Words {
  const escapedCharacter = reader.pattern[reader.at + 1] ?? '';
  reader.at += 2;
  if (/[dDwWsSbBtnrfv]/.test(escapedCharacter)) return [];
  return /[\^$\\.*+?()[\]{}|/<>"'`~!@#%&=:;, -]/.test(escapedCharacter)
    ? escapedCharacter
    : NOT_UNDERSTOOD;
}

/** How often at least; undefined when nothing is said. */
function readQuantifier(reader: Reader): number | undefined | typeof NOT_UNDERSTOOD {
  const rest = reader.pattern.slice(reader.at);
  const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(rest);
  if (!found) return rest.startsWith('{') ? NOT_UNDERSTOOD : undefined;
  reader.at += found[0].length;
  return found[1] === undefined ? (found[0].startsWith('+') ? 1 : 0) : Number(found[1]);
}

function shortest(words: readonly string[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map((word) => word.length));
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
