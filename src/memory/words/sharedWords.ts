// Compares texts by the words that tell what they are about. It knows words, not meanings.

import { analyse, isDense } from './words.ts';

/** How much of a text's words must stand in another for the first to add nothing: rewording costs some. */
const NEARLY_ALL = 0.6;

/** What a text is about: no stop words, nothing that stands in most memories, no single characters of a word. */
export function contentTerms(text: string): ReadonlySet<string> {
  const terms = analyse(text.normalize('NFKC')).map(({ term }) => term);
  return new Set(terms.filter((term) => !COMMON.has(term) && !isDense(term)));
}

/** Whether nearly all that a text is about stands in the other. */
export function isCoveredBy(text: string, other: string): boolean {
  return newShare(contentTerms(text), contentTerms(other)) <= 1 - NEARLY_ALL;
}

/** The characters of the texts, where what is in several counts about once and the longest counts whole. */
export function distinctLength(texts: readonly string[]): number {
  const seen = new Set<string>();
  let length = 0;
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    const terms = contentTerms(text);
    length += text.length * (seen.size === 0 ? 1 : newShare(terms, seen));
    for (const term of terms) seen.add(term);
  }
  return Math.round(length);
}

/** The part of the terms that is not known; none of no terms. */
function newShare(terms: ReadonlySet<string>, known: ReadonlySet<string>): number {
  return terms.size === 0 ? 0 : [...terms].filter((term) => !known.has(term)).length / terms.size;
}

/** Words of nearly every memory, whatever it is about. */
const COMMON: ReadonlySet<string> = new Set(
  analyse(
    'use using used user prefer preference like want always never make please remember note memory',
  ).map(({ term }) => term),
);
