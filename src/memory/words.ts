// Cuts a text into the terms that ranking compares: stemmed words, the parts of identifiers and their joined
// form, and single characters with pairs for scripts that write without spaces.

export interface Token {
  /** What is compared: lower case, stemmed. */
  readonly term: string;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

/** Either a run of a script without spaces, or one of letters, digits and joiners, which may be an identifier. */
const RUN =
  /(?<dense>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)|[[\p{L}\p{M}\p{N}_\-]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]+/gv;

/** Whether a character belongs to a script that is cut into characters and pairs rather than words. */
export function isDense(character: string): boolean {
  return DENSE.test(character);
}

const DENSE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]$/v;

/** Whether a word, in lower case, says nothing about a topic. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The parts of an identifier: `parseHTTPServer2` is parse, HTTP, Server, 2. */
const PART = /\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?(?:\p{Ll}|\p{Lo}|\p{Lm}|\p{M})+|\p{L}/gu;

/** Takes text that is already in NFKC form; positions refer to that form. Tokens come in order of `start`. */
export function analyse(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(RUN)) {
    if (match.groups?.['dense'] !== undefined) addGrams(tokens, match[0], match.index);
    else addWords(tokens, match[0], match.index);
  }
  return tokens;
}

function addGrams(tokens: Token[], run: string, offset: number): void {
  const characters = Array.from(run);
  let start = offset;
  characters.forEach((character, index) => {
    const end = start + character.length;
    const next = characters[index + 1];
    if (next !== undefined) {
      tokens.push({ term: character + next, start, end: end + next.length });
    }
    tokens.push({ term: character, start, end });
    start = end;
  });
}

function addWords(tokens: Token[], run: string, offset: number): void {
  const parts = [...run.matchAll(PART)];
  if (parts.length > 1) {
    const joined = parts
      .map((part) => part[0])
      .join('')
      .toLowerCase();
    tokens.push({ term: joined, start: offset, end: offset + run.length });
  }
  for (const part of parts) {
    const word = part[0].toLowerCase();
    if (STOP_WORDS.has(word)) continue;
    const start = offset + part.index;
    tokens.push({ term: stem(word), start, end: start + part[0].length });
  }
}

/** Endings that come off when enough of the word is left; what is left of it need not be a word. */
const ENDING =
  /^(.*?[aeiouy].*?[^aeiouy].*?)(?:ational|ation|ator|ate|ment|ness|ion|ive|able|ible|al|ly|er|or)$/;
const VERB_ENDING = /^(.*[aeiouy].*)(?:ed|ing)$/;

/** A light English stemmer. It only has to treat query and record alike, so `usag` for usage is fine. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const singular = withoutPlural(word);
  const verb = VERB_ENDING.exec(singular)?.[1];
  // `running` leaves `runn`, but `telling` and `missing` keep their pair.
  const base =
    verb === undefined || verb.length < 3 ? singular : verb.replace(/([^aeiouylsz])\1$/, '$1');
  const short = ENDING.exec(base)?.[1];
  return withoutFinalVowel(short !== undefined && short.length > 3 ? short : base);
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.slice(0, -3) + 'y';
  if (word.endsWith('sses')) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutFinalVowel(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith('e')) return word.slice(0, -1);
  return word.endsWith('y') ? word.slice(0, -1) + 'i' : word;
}

/** Words that say nothing about a topic. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be because been before being but by can could d did do does
  doing down each for from had has have having he her here hers him his how i if in into is it its just let
  ll m me more most my need no nor not now of off on once only or other our out over own please re s same she
  should so some such t than that the their them then there these they this those through to too under until
  up ve very want was we were what when where which while who whom why will with would you your`.split(
    /\s+/,
  ),
);
