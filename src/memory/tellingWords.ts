// The words of a text that tell something, and whether another text has them, in another form perhaps. In scripts
// that write without spaces a word is found by its characters, wherever the other text would be cut.

import { holdsNegation } from './negation.ts';
import { contentTerms } from './sharedWords.ts';

export interface Word {
  /** As it is written. */
  readonly text: string;
  /** What is compared, of a word of spaced letters. */
  readonly terms: readonly string[];
  /** What is looked for, of any other. */
  readonly stem?: string;
}

/** A text as words are looked for in it. */
export interface Terms {
  /** In one case and one width. */
  readonly folded: string;
  readonly terms: ReadonlySet<string>;
}

/** Longer words are the same when so much of their beginning is: the ending is grammar in most languages. */
const LEAST_LETTERS = 5;
const LEAST_SHARED = 0.6;

export function tellingWords(text: string): readonly Word[] {
  const segments = SEGMENTER.segment(text.normalize('NFKC'));
  return Array.from(segments)
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => wordOf(segment));
}

export function isWordIn({ terms, stem }: Word, text: Terms): boolean {
  if (stem !== undefined) return text.folded.includes(stem);
  return terms.every((term) => text.terms.has(term) || hasKin(term, text.terms));
}

/** None for a word that tells nothing. */
function wordOf(segment: string): readonly Word[] {
  const folded = segment.toLowerCase();
  // What is denied is another question than what is told.
  if (holdsNegation(folded)) return [];
  if (UNPARTED.test(folded)) {
    const isTelling = Array.from(folded).length > 1 && !GRAMMAR.test(folded);
    return isTelling ? [{ text: segment, terms: [], stem: folded }] : [];
  }
  if (HANGUL.test(folded)) {
    const stem = folded.replace(PARTICLE, '$<stem>');
    return stem.length > 1 && !KOREAN_COMMON.test(stem) ? [{ text: segment, terms: [], stem }] : [];
  }
  if (Array.from(folded).length < 3 || SMALL_WORDS.has(folded)) return [];
  const terms = [...contentTerms(segment)];
  return terms.length > 0 ? [{ text: segment, terms }] : [];
}

function hasKin(term: string, terms: ReadonlySet<string>): boolean {
  if (term.length < LEAST_LETTERS) return false;
  for (const other of terms) {
    const longest = Math.max(term.length, other.length);
    const shared = Math.ceil(LEAST_SHARED * longest);
    if (term.slice(0, shared) === other.slice(0, shared)) return true;
  }
  return false;
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'word' });

const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HANGUL = /\p{Script=Hangul}/u;
/** Kana alone is grammar in Japanese; of the others, what stands in most memories. */
const GRAMMAR =
  /^(?:\p{Script=Hiragana}+|喜欢|喜歡|偏好|使用|用户|用戶|總是|总是|必须|必須|应该|應該|不要|不用|记住|記住|希望|所有|以及|或者|并且|而且|因为|因為|所以|如果|这个|這個|那个|我们|我們|他们|常に|使う|好む)$/u;
const PARTICLE =
  /^(?<stem>.+?)(?:에서는|에서|으로|에게|까지|부터|처럼|보다|하세요|합니다|하지|하여|해서|입니다|한다|하는|해요|하고|하다|은|는|이|가|을|를|에|로|와|과|도|의|만)$/u;
const KOREAN_COMMON = /^(?:사용|항상|선호|모든|사용자|그리고|또는|해야|한다|하지)$/u;

/** Of German, French, Spanish, Portuguese, Italian and Dutch; most of English are known to the ranking. */
const SMALL_WORDS = new Set(
  `e.g i.e etc via since
  der die das den dem des ein eine einen einem einer und oder aber für mit von bei aus nach auch ist sind war wird
  werden soll immer bitte alle wir sie ich als wie auf zum zur nicht kein keine nie ohne
  les des une est sont pour avec dans sur par que qui pas toujours tous toutes mais aux ses son nous vous jamais sans
  los las una uno unos con por para del que como siempre todos todas pero más muy son está nunca sin
  dos das uma com não sempre todos mas sem nunca
  gli uno della delle con per che sempre tutti non mai senza
  het een van met voor niet altijd alle maar zijn`.split(/\s+/),
);
