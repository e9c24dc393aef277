// Cuts a text into the terms that ranking compares: stemmed words, the parts of identifiers and their joined
// form, and single characters with pairs for scripts that write without spaces.

import { englishStem } from './englishStem.ts';
import { isStopWord } from './stopWords.ts';

export { isStopWord } from './stopWords.ts';

export interface Token {
  /** What is compared: lower case, stemmed, without accents. */
  readonly term: string;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

/** Takes text that is already in NFKC form; positions refer to that form. Tokens come in order of `start`. */
export function analyse(text: string): Token[] {
  const tokens: Token[] = [];
  eachTerm(text, (term, start, end) => tokens.push({ term, start, end }));
  return tokens;
}

type Visit = (term: string, start: number, end: number) => void;

/** The same without a list, for where many texts are read. */
export function eachTerm(text: string, visit: Visit): void {
  let start = 0;
  while (start < text.length) {
    const kind = kindAt(text, start);
    let end = start + widthAt(text, start);
    if (kind !== NEITHER) {
      while (end < text.length && kindAt(text, end) === kind) end += widthAt(text, end);
    }
    if (kind === DENSE) visitGrams(text, start, end, visit);
    else if (kind === SPACED) visitWords(text.slice(start, end), start, visit);
    start = end;
  }
}

/** Whether a character belongs to a script that is cut into characters and pairs rather than words. */
export function isDense(character: string): boolean {
  return DENSE_CHARACTER.test(character);
}

const DENSE_CHARACTER =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]$/v;
/** Letters, digits and what joins them in an identifier. */
const SPACED_CHARACTER = /^[\p{L}\p{M}\p{N}_\-]$/v;

/** Kinds of characters; a run is as long as its kind lasts. */
const NEITHER = 1;
const DENSE = 2;
const SPACED = 3;

/** By code unit, 0 for one that was not met yet: asking the patterns for each character takes most of the time. */
const kinds = new Uint8Array(0x1_0000);

function kindAt(text: string, index: number): number {
  const known = kinds[text.charCodeAt(index)] ?? 0;
  if (known !== 0) return known;
  const width = widthAt(text, index);
  const kind = kindOf(text.slice(index, index + width));
  if (width === 1) kinds[text.charCodeAt(index)] = kind;
  return kind;
}

function kindOf(character: string): number {
  if (DENSE_CHARACTER.test(character)) return DENSE;
  return SPACED_CHARACTER.test(character) ? SPACED : NEITHER;
}

/** Two code units for a character beyond the first plane. */
function widthAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code < 0xdc00 && (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function visitGrams(text: string, from: number, to: number, visit: Visit): void {
  let start = from;
  while (start < to) {
    const end = start + widthAt(text, start);
    if (end < to) {
      const endOfPair = end + widthAt(text, end);
      visit(text.slice(start, endOfPair), start, endOfPair);
    }
    visit(text.slice(start, end), start, end);
    start = end;
  }
}

/** One word and nothing else, as most are: it need not be taken apart. */
const PLAIN = /^[A-Z]?[a-z]+$/;

/** The parts of an identifier: `parseHTTPServer2` is parse, HTTP, Server, 2. */
const PART = /\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?(?:\p{Ll}|\p{Lo}|\p{Lm}|\p{M})+|\p{L}/gu;

function visitWords(run: string, offset: number, visit: Visit): void {
  if (PLAIN.test(run)) {
    visitWord(run, offset, visit);
    return;
  }
  const parts = [...run.matchAll(PART)];
  if (parts.length > 1) {
    const joined = parts.map((part) => part[0]).join('');
    visit(withoutAccents(joined.toLowerCase()), offset, offset + run.length);
  }
  for (const part of parts) visitWord(part[0], offset + part.index, visit);
}

function visitWord(word: string, start: number, visit: Visit): void {
  const lower = word.toLowerCase();
  if (!isStopWord(lower)) visit(termOf(lower), start, start + word.length);
}

/** Texts share most of their words. */
const terms = new Map<string, string>();
/** More than the words of most languages that are in use; beyond, the list starts anew. */
const MAX_TERMS = 50_000;

function termOf(word: string): string {
  const known = terms.get(word);
  if (known !== undefined) return known;
  const plain = withoutAccents(word);
  const term = /^[a-z]+$/.test(plain) ? englishStem(plain) : plain;
  if (terms.size >= MAX_TERMS) terms.clear();
  terms.set(word, term);
  return term;
}

/** People leave them out when they type. Marks of other scripts, which make another letter, stay. */
function withoutAccents(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');
}
