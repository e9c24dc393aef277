// What a text gives to go by when records are ranked against it: its words, and other words that may stand in
// their place.

import type { Selection } from './recordIndex.ts';
import { isRequestWord } from './stopWords.ts';
import { ideasIn, type Idea } from './thesaurus.ts';
import { analyse } from './words.ts';

export interface Clue {
  /** Where it stands in the text. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  /** What it may look like in a record; none where no record has anything like it. */
  readonly readings: readonly Reading[];
}

export interface Reading {
  /** A record that fits has all of them. */
  readonly terms: readonly string[];
  readonly weight: number;
}

/** How much a word counts that says what is asked for more often than what it is about. */
const REQUEST_WORD = 0.5;

/** How much another word for the same idea counts: more where no record has the word that was said. */
const SAME_IDEA = 0.2;
const SAME_IDEA_FOR_UNKNOWN = 0.5;

/** How much a longer or shorter form counts in place of a word that no record has. */
const RELATED = 0.5;

/** Words for which a similar spelling is looked for; shorter ones are too near to others, longer ones are joined. */
const SIMILAR = /^[a-z]{5,16}$/;

/** Takes text in NFKC form. */
export function cluesOf(text: string, selection: Selection): readonly Clue[] {
  const tokens = analyse(text);
  const topics = tokens.filter(
    ({ start, end }) => !isRequestWord(text.slice(start, end).toLowerCase()),
  );
  const topicTerms = new Set(topics.map(({ term }) => term));
  const byTerm = Map.groupBy(tokens, ({ term }) => term);
  const words = Array.from(byTerm, ([term, spans]) => {
    const weight = topicTerms.has(term) ? 1 : REQUEST_WORD;
    return { spans, readings: readingsOf(term, weight, selection) };
  });
  const ideas = ideasIn(text, topics).map((idea) => ({
    spans: idea.said,
    readings: otherWords(idea, byTerm, selection),
  }));
  return [...words, ...ideas];
}

function readingsOf(term: string, weight: number, selection: Selection): readonly Reading[] {
  if (selection.has(term)) return [{ terms: [term], weight }];
  if (!SIMILAR.test(term)) return [];
  const [slip] = selection
    .oneSlipFrom(term)
    .toSorted((a, b) => selection.countOf(b) - selection.countOf(a) || (a < b ? -1 : 1));
  if (slip !== undefined) return [{ terms: [slip], weight }];
  // In one order always, since even the last digit of a sum must not depend on what was ranked before.
  const related = selection.relatedTo(term).toSorted();
  return related.map((form) => ({ terms: [form], weight: weight * RELATED }));
}

/** Words that the text has itself are clues of their own. */
function otherWords(
  { said, words }: Idea,
  own: ReadonlyMap<string, unknown>,
  selection: Selection,
): readonly Reading[] {
  const known = said.some(({ terms }) => terms.every((term) => selection.has(term)));
  const weight = known ? SAME_IDEA : SAME_IDEA_FOR_UNKNOWN;
  return words
    .filter((terms) => !terms.every((term) => own.has(term)))
    .filter((terms) => terms.every((term) => selection.has(term)))
    .map((terms) => ({ terms, weight }));
}
