// Figures that have changed places: each stands in the new text, beside the words of another.

import { CLAUSE_END } from '../words/negation.ts';
import { isWordIn, tellingWords, termsOf, type Terms, type Word } from '../words/tellingWords.ts';
import { exactFactsIn, exactForm } from './exactFacts.ts';

interface Clause extends Terms {
  readonly text: string;
  readonly figures: ReadonlySet<string>;
  readonly words: readonly Word[];
}

/** The clauses whose figure stands only where the new sentences speak of what another clause was about. */
export function movedFigures(
  sentences: readonly string[],
  newSentences: readonly string[],
): readonly string[] {
  const before = clausesOf(sentences);
  const after = clausesOf(newSentences);
  const moved = before.filter((clause) =>
    [...clause.figures].some((figure) => {
      const places = after.filter(({ figures }) => figures.has(figure));
      const others = before.filter(
        (other) =>
          !other.figures.has(figure) &&
          ![...other.figures].every((each) => clause.figures.has(each)),
      );
      return places.length > 0 && others.some((other) => areMixedUp(clause, other, places));
    }),
  );
  return [...new Set(moved.map(({ text }) => text))];
}

/** Whether the places have a word that the other alone has, and none that the clause alone has. */
function areMixedUp(clause: Clause, other: Clause, places: readonly Clause[]): boolean {
  const own = clause.words.filter((word) => !isWordIn(word, other));
  const others = other.words.filter((word) => !isWordIn(word, clause));
  if (own.length === 0) return false;
  return places.every(
    (place) =>
      others.some((word) => isWordIn(word, place)) && !own.some((word) => isWordIn(word, place)),
  );
}

/** Those with a figure. */
function clausesOf(sentences: readonly string[]): readonly Clause[] {
  return sentences
    .flatMap((sentence) => sentence.split(CLAUSE_END))
    .map((text) => {
      const { found } = exactFactsIn(text);
      const figures = found.map(exactForm).filter((fact) => /\p{N}/u.test(fact));
      return {
        text: text.trim(),
        figures: new Set(figures),
        words: tellingWords(text).filter((word) => !/\p{N}/u.test(word.text)),
        folded: text.toLowerCase(),
        terms: termsOf(text),
      };
    })
    .filter(({ figures }) => figures.size > 0);
}
