// The words of a text that tell something, and whether another text has them, in another form perhaps. In scripts
// that write without spaces a word is found by its characters, wherever the other text would be cut.

import { wordsOf } from './dictionaryWords.ts';
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
/** Of Russian, where nearly every word has endings. */
const LEAST_SHARED_OF_SHORT = 0.75;

export function tellingWords(text: string): readonly Word[] {
  return wordsOf(text.normalize('NFKC')).flatMap(asWord);
}

/** Whether a word tells nothing in any of the languages. */
export function isSmallWord(word: string): boolean {
  return SMALL_WORDS.has(word.toLowerCase());
}

export function isWordIn({ terms, stem }: Word, text: Terms): boolean {
  if (stem !== undefined) return text.folded.includes(stem);
  return terms.every((term) => text.terms.has(term) || hasKin(term, text.terms));
}

/** What a text is about; of several `ORMs` it is the `ORM`. */
export function termsOf(text: string): ReadonlySet<string> {
  return contentTerms(text.replaceAll(PLURAL, ''));
}

/** None for a word that tells nothing. */
function asWord(text: string): readonly Word[] {
  const folded = text.toLowerCase().replace(ELISION, '');
  // What is denied is another question than what is told.
  if (holdsNegation(folded)) return [];
  if (UNPARTED.test(folded)) {
    const isTelling = Array.from(folded).length > 1 && !GRAMMAR.test(folded);
    return isTelling ? [{ text, terms: [], stem: folded }] : [];
  }
  if (HANGUL.test(folded)) {
    const stem = folded.replace(PARTICLE, '$<stem>');
    return stem.length > 1 && !KOREAN_COMMON.test(stem) ? [{ text, terms: [], stem }] : [];
  }
  if (Array.from(folded).length < 3 || SMALL_WORDS.has(folded)) return [];
  const terms = [...termsOf(text)];
  return terms.length > 0 ? [{ text, terms }] : [];
}

function hasKin(term: string, terms: ReadonlySet<string>): boolean {
  for (const other of terms) if (isKin(term, other)) return true;
  return false;
}

function isKin(term: string, other: string): boolean {
  if (SHORT_FORMS.has(term) && other.startsWith(term)) return true;
  if (SHORT_FORMS.has(other) && term.startsWith(other)) return true;
  if (isToolFor(term, other) || isToolFor(other, term)) return false;
  const longest = Math.max(term.length, other.length);
  const isShort = term.length < LEAST_LETTERS;
  if (isShort && !CYRILLIC.test(term)) return false;
  const shared = Math.ceil((isShort ? LEAST_SHARED_OF_SHORT : LEAST_SHARED) * longest);
  return term.slice(0, shared) === other.slice(0, shared);
}

/** `commitlint` is no form of `commit`. */
function isToolFor(term: string, other: string): boolean {
  return term.startsWith(other) && TOOL.test(term.slice(other.length));
}

/** What a tool is called by behind what it is for. */
const TOOL = /^(?:lint|izen|kit|hub|lab|base|bot|flow|pack|script|craft|bench|guard)$/;
/** Of French and Italian: `l'utilisateur`. */
const ELISION = /^(?:[cdjlmnst]|qu|dell|nell|sull|un)['’](?=\p{L}{3})/u;

/** Of nothing but capitals, which are no word to stem. */
const PLURAL = /(?<=(?<!\p{L})\p{Lu}{2,})s(?!\p{L})/gu;
/** As terms, of words that are written in full as often. */
const SHORT_FORMS: ReadonlySet<string> = new Set(
  'dev config char max min env dir dep prod doc spec param arg func admin temp app info auth'.split(
    ' ',
  ),
);

const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CYRILLIC = /^\p{Script=Cyrillic}{3,}$/u;
const HANGUL = /\p{Script=Hangul}/u;
/** Kana alone is grammar in Japanese; of the others, what stands in most memories. */
const GRAMMAR =
  /^(?:\p{Script=Hiragana}+|喜欢|喜歡|偏好|使用|用户|用戶|使用者|需要|一律|请用|請用|總是|总是|必须|必須|应该|應該|不要|不用|记住|記住|希望|所有|以及|或者|并且|而且|因为|因為|所以|如果|这个|這個|那个|我们|我們|他们|每个|每個|ユーザー?|利用者|必ず|常に|使う|好む|行う|行い|場合)$/u;
const PARTICLE =
  /^(?<stem>.+?)(?:에서는|에서|으로|에게|까지|부터|처럼|보다|하세요|합니다|하지|하여|해서|입니다|한다|하는|해요|하고|하다|은|는|이|가|을|를|에|로|와|과|도|의|만)$/u;
const KOREAN_COMMON =
  /^(?:사용|항상|선호|모든|사용자|그리고|또는|해야|한다|하지|합니다|하세요|때문|있습니다|있다|됩니다|된다)$/u;

/**
 * Grammar, and how a memory says that somebody wants something, which is told by nothing but its being there. Most of
 * English is known to the ranking.
 */
const SMALL_WORDS = new Set(
  `e.g i.e etc via since check run runs running favour favor put puts give gives provide provides follow follows
  apply applies take takes wants wanted wish wishes goes going gets happen happens see must shall may might would could
  mentioned said says told every each any around approximately roughly still just simply currently really ensure name repo
  repository project codebase themselves himself herself
  der die das den dem des ein eine einen einem einer und oder aber für mit von bei aus nach auch ist sind war wird
  werden soll immer bitte alle wir sie ich als wie auf zum zur nicht kein keine nie ohne
  benutzer nutzer anwender verwenden verwendet nutzen nutzt benutzen bevorzugt möchte will wünscht mag sollen sollte muss müssen sein haben hat gibt man sich
  dass jede jeder jedes stets projekt
  utilisateur utilisatrice utiliser utilise préfère souhaite veut aime doit doivent faut être projet chaque
  les des une est sont pour avec dans sur par que qui pas toujours tous toutes mais aux ses son nous vous jamais sans
  los las una uno unos con por para del que como siempre todos todas pero más muy son está nunca sin
  usuario usuaria usar usa utilizar utiliza prefiere quiere desea gusta debe deben hay proyecto cada este esta
  dos das uma com não sempre todos mas sem nunca
  usuário usuária prefere quer deseja gosta deve devem projeto
  gli uno della delle con per che sempre tutti non mai senza
  utente usare utilizzare preferisce vuole desidera piace deve devono ogni progetto
  пользователь пользователя предпочитает хочет нужно надо должен должны всегда каждый каждым этот для или это проект использовать использует
  het een van met voor niet altijd alle maar zijn gebruiker gebruik gebruikt wil moet moeten elke`.split(
    /\s+/,
  ),
);
