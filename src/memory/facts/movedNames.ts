// Names that have changed places: each stands in the new text, but beside the words of the other.

import { CLAUSE_END } from '../words/negation.ts';
import { isSmallWord, isWordIn, tellingWords, termsOf } from '../words/tellingWords.ts';
import type { Terms, Word } from '../words/tellingWords.ts';

/** Far more than memories that belong together have; each is held against all. */
const MOST_CLAUSES = 400;
const MOST_AWAY = 60;

interface Clause extends Terms {
  readonly text: string;
  readonly names: readonly Word[];
  /** The rest of what it tells. */
  readonly words: readonly Word[];
}

/** The clauses that have given their names to each other. */
export function movedNames(
  sentences: readonly string[],
  newSentences: readonly string[],
): readonly string[] {
  const after = clausesOf(newSentences);
  const away = clausesOf(sentences)
    .map((clause) => ({ ...clause, named: clause.names.map((name) => namedIn(name, after)) }))
    .filter(isAway)
    .slice(0, MOST_AWAY);
  const moved = away.filter((clause) =>
    away.some((other) => isAtPlaceOf(other, clause) && isAtPlaceOf(clause, other)),
  );
  return [...new Set(moved.map(({ text }) => text))];
}

interface NamedClause extends Clause {
  /** Each name, with the new clauses that have it. */
  readonly named: readonly Named[];
}

interface Named {
  readonly name: Word;
  readonly places: readonly Clause[];
}

function namedIn(name: Word, after: readonly Clause[]): Named {
  return { name, places: after.filter((place) => isWordIn(name, place)) };
}

/** Most clauses stay beside their names, and need not be held against all others. */
function isAway({ named, words }: NamedClause): boolean {
  return named.some(
    ({ places }) =>
      places.length > 0 && !places.some((place) => words.every((word) => isWordIn(word, place))),
  );
}

/** Whether a name of one stands only where what the other alone was about is told, and nothing of its own. */
function isAtPlaceOf(other: NamedClause, one: NamedClause): boolean {
  const own = one.words.filter((word) => !isWordIn(word, other));
  const others = other.words.filter((word) => !isWordIn(word, one));
  const isOthers = (place: Clause) =>
    others.some((word) => isWordIn(word, place)) && !own.some((word) => isWordIn(word, place));
  return one.named.some(
    ({ name, places }) =>
      !isWordIn(name, other) && places.length > 0 && places.every((place) => isOthers(place)),
  );
}

/** Any word with a capital may be a name: that two of them change places tells it. */
function clausesOf(sentences: readonly string[]): readonly Clause[] {
  return sentences
    .flatMap((sentence) => sentence.split(CLAUSE_END))
    .slice(0, MOST_CLAUSES)
    .map((text) => {
      const words = tellingWords(text);
      return {
        text: text.trim(),
        names: words.filter(isName),
        words: words.filter((word) => !isName(word)),
        folded: text.toLowerCase(),
        terms: termsOf(text),
      };
    });
}

function isName({ text }: Word): boolean {
  return CAPITAL.test(text) && !isSmallWord(text);
}

const CAPITAL = /^\p{Lu}[\p{Ll}\p{M}]+$/u;
