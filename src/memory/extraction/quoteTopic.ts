// Whether a quote is about the same as the memory that is to rest on it. It knows words, not meanings, and says so
// where words cannot be compared.

import { languagesOf } from '../../base/language.ts';
import { fold } from '../fieldText.ts';
import { wordsOf } from '../words/dictionaryWords.ts';
import { contentTerms } from '../words/sharedWords.ts';
import { analyse, isStopWord } from '../words/words.ts';

/** Letters of a word that another may be a longer form of. */
const LEAST_FORM = 4;
/** So many words with hardly an English one among them are another language, and no accident. */
const FOREIGN_WORDS = 6;
/** English has twice as many stop words, other languages a few that look like them (`in`, `an`, `me`). */
const FOREIGN_STOP_WORDS = 0.2;

export type Topic = 'same' | 'other' | 'unknown';

/** `unknown` when they share no word and may be in two languages. */
export function topicOf(quote: string, text: string): Topic {
  if (shareTopic(quote, text)) return 'same';
  if (mayTranslate(quote, text)) return 'unknown';
  const words = wordsOf(fold(quote));
  const stopWords = words.filter(isStopWord).length;
  const isHardlyEnglish =
    isLatin(quote) &&
    !isForeign(quote) &&
    words.length >= FOREIGN_WORDS &&
    stopWords < FOREIGN_STOP_WORDS * words.length;
  return isHardlyEnglish ? 'unknown' : 'other';
}

/** Whether they have a word in common that tells a topic. Where words are not told apart, it may stand anywhere. */
export function shareTopic(text: string, other: string): boolean {
  const topics = topicsOf(other);
  const isTold = [...topicsOf(text)].some(
    (term) => topics.has(term) || [...topics].some((topic) => isForm(term, topic)),
  );
  return isTold || wordsOf(text).some((word) => UNPARTED.test(word) && other.includes(word));
}

/** Another script shows at once; within one, a text that is surely not English, beside one that may be. */
export function mayTranslate(text: string, other: string): boolean {
  if (isLatin(text) !== isLatin(other) || UNPARTED.test(text + other)) return true;
  return isForeign(text) && !isForeign(other);
}

/** By the larger part of its letters. */
function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 > letters.length;
}

/**
 * In Japanese what stands in Hiragana alone is mostly endings and small words, as in any sentence. Small words of other
 * languages tell nothing either.
 */
function topicsOf(text: string): ReadonlySet<string> {
  const terms = [...contentTerms(text)].filter((term) => !SMALL_WORDS.has(term));
  const telling = terms.filter((term) => !/^\p{Script=Hiragana}+$/u.test(term));
  return new Set(telling.length > 0 ? telling : terms);
}

/** Endings of other languages, and what people shorten: `prod`, `auth`. */
function isForm(term: string, other: string): boolean {
  const [short, long] = term.length < other.length ? [term, other] : [other, term];
  if (short.length < LEAST_FORM || !/^\p{Script=Latin}+$/u.test(short)) return false;
  return long.startsWith(short) || long.startsWith(short.slice(0, LEAST_FORM + 1));
}

function isForeign(quote: string): boolean {
  const languages = languagesOf(quote);
  const unsure = languages.includes('English') || languages.includes('Latin script');
  const isTold = languages.length > 0 && !unsure;
  return isLatin(quote) && (isTold || /(?!\p{ASCII})\p{L}/u.test(quote));
}

const UNPARTED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** As they are compared. The few that are also words of the trade, as `du` and `die`, seldom tell a topic alone. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  analyse(
    fold(`der die das den dem des ein eine einen einem einer und oder ist sind mit für auf bei aus nach von zu im ich du wir
    mich mir dich dir uns sie er es nicht kein keine bitte immer auch noch nur wie wenn dass
    le la les un une du et ou est sont avec pour sur dans en au aux ce cette je tu nous vous il elle ne pas que qui
    s'il te plaît toujours aussi el los las una unos unas y o es son con para por del al lo yo tú nosotros usted no que
    favor siempre también`),
  ).map(({ term }) => term),
);
