// Finds in a sentence what stands as it is written or not at all: code, addresses, quoted words, names, numbers,
// versions, dates and identifiers.

import { fold } from '../fieldText.ts';
import { amountForm, takeAmounts } from './amounts.ts';

interface ExactFacts {
  /** As written, without quotation marks. */
  readonly found: readonly string[];
  /** Words with a capital letter that no beginning of a sentence asks for, and abbreviations. */
  readonly names: readonly string[];
  /** The sentence without them, so that none is found again as something less. */
  readonly rest: string;
}

export function exactFactsIn(sentence: string): ExactFacts {
  const found: string[] = [];
  const names: string[] = [];
  const written = sentence
    .replaceAll(CODE, (code) => take(code.replaceAll('`', ''), found))
    .replaceAll(ADDRESS, (address) => take(address, found))
    .replaceAll(QUOTED, (quoted) => take(quoted.slice(1, -1), found))
    // A word must be left behind, or the second of two names would seem to begin the sentence.
    .replaceAll(NAME, (name) => take(name, names, '_'))
    .replace(PERSON, (name) => take(name, names, '_'));
  const rest = takeAmounts(written, (amount) => take(amount, found)).replaceAll(TOKEN, (token) => {
    const text = token.replace(ABOUT, '').replace(PUNCTUATION, '');
    // Of several it is written with an `s`.
    if (CAPITALS.test(text)) return take(text, names);
    return isIdentifier(text) ? take(COUNTED.exec(text)?.[1] ?? text, found) : token;
  });
  return { found, names, rest };
}

/** Gives what is left in its place. */
function take(text: string, to: string[], left = ' '): string {
  if (/[\p{L}\p{N}]/u.test(text)) to.push(text);
  return left;
}

/** The form in which they are compared. */
export function exactForm(text: string): string {
  return amountForm(fold(text));
}

/** Whether one stands in a text, both in the form above, without being cut out of something longer. */
export function holdsExactly(text: string, fact: string): boolean {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at) + fact.charAt(0);
    const end = at + fact.length;
    const after = fact.charAt(fact.length - 1) + text.slice(end, end + 2);
    if (!CUT_BEFORE.test(before) && !CUT_AFTER.test(after)) return true;
  }
  return false;
}

/** Something that a word of a language would not have. */
function isIdentifier(token: string): boolean {
  return IDENTIFIER.test(token) && !ABBREVIATION.test(token);
}

const CODE = /(?<!`)`+[^`]+`+/gu;
/** Without a bound for its scheme, a long text of letters and full stops would take minutes. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>()"'`，。、]*[^\s<>()"'`，。、.,;:!?/]/giu;
const QUOTED =
  /"[^"]{2,80}"|“[^”]{2,80}”|„[^“”]{2,80}[“”]|«[^»]{2,80}»|「[^」]{2,80}」|『[^』]{2,80}』|《[^》]{1,80}》|(?<![\p{L}\p{N}])['‘][^'’]{2,80}['’](?![\p{L}\p{N}])/gu;
const NAME =
  /(?<=[\p{L}\p{N}_,;:)]\s)\p{Lu}[\p{L}\p{M}]*\p{L}(?![\p{L}\p{M}\p{N}_]|[.@/\\:+#-][\p{L}\p{N}])/gu;
/** At the beginning of a sentence, where any word has a capital: what follows is done by somebody. */
const PERSON =
  /^(?!(?:The|Who|Which|This|That|He|She|It|They|Everybody|Everyone|Nobody|Somebody|Someone|Anyone|User|Users|Team|Project|Code)\s)\p{Lu}[\p{Ll}\p{M}]+(?=\s(?:owns|maintains|reviews|approves|handles|leads|manages|prefers|wants|likes|decides|knows|merges|signs)(?!\p{L}))/u;
/** Letters and digits of scripts with spaces, and what joins them in identifiers, paths, versions and dates. */
const TOKEN =
  /(?:--?|[@#$~./]{1,2})?[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}_.,@/\\:+#%~=-]*/gu;
/** Of `~12` the number counts. */
const ABOUT = /^~(?=\p{N})/u;
const PUNCTUATION = /[.,:/\\=-]+$/u;
/** A digit, a joiner, a capital in the middle, a flag. */
const IDENTIFIER = /\p{N}|[_@/\\+#=]|[\p{L}\p{N}][.:][\p{L}\p{N}]|\p{Ll}\p{Lu}|^--?\p{L}/u;
const CAPITALS = /^\p{Lu}{2,}s?$/u;
const ABBREVIATION = /^(?:e\.g|i\.e|z\.b|d\.h|p\.ex|u\.a|and\/or|either\/or)$/iu;
/** Of `4-space` the number counts. */
const COUNTED = /^(\p{N}+)-\p{L}+$/u;

const SPACED = String.raw`[[\p{L}\p{M}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]`;
const CUT_BEFORE = new RegExp(String.raw`${SPACED}${SPACED}$|\p{N}[.,:]\p{N}$`, 'v');
const CUT_AFTER = new RegExp(String.raw`^${SPACED}${SPACED}|^\p{N}[.,:]\p{N}`, 'v');
