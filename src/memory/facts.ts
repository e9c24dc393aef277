// What a text says that can be lost when it is written anew: numbers, names, what stands in quotation marks, what is
// forbidden, and the words that tell something. It knows words, not meanings; what it misses is for a model to name.

import { exactFactsIn, exactForm, holdsExactly } from './exactFacts.ts';
import { holdsNegation } from './negation.ts';
import { contentTerms } from './sharedWords.ts';
import { isWordIn, tellingWords, type Terms, type Word } from './tellingWords.ts';

/** A sentence, an item of a list or a line of a text. */
export interface Statement {
  readonly text: string;
  readonly facts: readonly Fact[];
}

type Fact =
  /** Stands as it is written, or not at all. A name may have another ending. */
  | { readonly kind: 'exact'; readonly text: string; readonly name?: Word | undefined }
  | { readonly kind: 'word'; readonly text: string; readonly word: Word }
  /** The statement says what is not so, or not to be done. */
  | { readonly kind: 'negation'; readonly text: string };

/** A text as facts are looked for in it. */
export interface Reading extends Terms {
  /** Its sentences that say what is not so. */
  readonly negations: readonly string[];
}

/** So much of what a statement tells must stand in a text for the rest to be a rewording. */
const LEAST_KEPT = 0.6;

export function readingOf(text: string): Reading {
  // Many records are only looked at for a number that none of them has.
  const known: { terms?: ReadonlySet<string> } = {};
  return {
    folded: exactForm(text),
    get terms() {
      return (known.terms ??= contentTerms(text));
    },
    negations: sentencesOf(text).filter(holdsNegation),
  };
}

/**
 * Of each statement of the texts, the facts that the new text lacks. Other words for the same are no loss as long as
 * the new text brings as many of its own; where it brings none, something was left out.
 */
export function lostStatements(texts: readonly string[], newText: string): readonly Statement[] {
  const after = readingOf(newText);
  const lost = texts.flatMap(sentencesOf).map((text) => {
    const facts = factsOf(text);
    return { text, facts, gone: facts.filter((fact) => !isFactIn(fact, after)) };
  });
  const before = readingOf(texts.join('\n'));
  const added = tellingWords(newText).filter((word) => !isWordIn(word, before));
  const missing = lost.flatMap(({ gone }) => gone.filter(isWord).map(({ word }) => word));
  const isReworded = distinct(missing) <= distinct(added);
  return lost
    .map(({ text, facts, gone }) => {
      const words = facts.filter(isWord).length;
      const kept = words - gone.filter(isWord).length;
      const isSaid = isReworded && kept >= LEAST_KEPT * words;
      return { text, facts: isSaid ? gone.filter((fact) => !isWord(fact)) : gone };
    })
    .filter(({ facts }) => facts.length > 0);
}

/** Whether the facts of a statement stand in another text, and that is about the same. */
export function standsIn({ text, facts }: Statement, other: Reading): boolean {
  return facts.every((fact) => isFactIn(fact, other)) && isMostlyIn(text, other);
}

/** Whether a fact is named in a text. Of a ban, what was banned is enough. */
export function isNamedIn(fact: Fact, text: Reading): boolean {
  return isFactIn(fact, text) || (fact.kind === 'negation' && isMostlyIn(fact.text, text));
}

function isFactIn(fact: Fact, reading: Reading): boolean {
  switch (fact.kind) {
    case 'exact':
      return (
        holdsExactly(reading.folded, exactForm(fact.text)) ||
        (fact.name !== undefined && isWordIn(fact.name, reading))
      );
    case 'word':
      return isWordIn(fact.word, reading);
    case 'negation':
      return reading.negations.some((sentence) => sharesWord(fact.text, sentence));
  }
}

/** A ban of nothing that tells anything is any ban. */
function sharesWord(sentence: string, other: string): boolean {
  const words = tellingWords(sentence);
  const reading = { folded: exactForm(other), terms: contentTerms(other) };
  return words.length === 0 || words.some((word) => isWordIn(word, reading));
}

function isMostlyIn(sentence: string, reading: Reading): boolean {
  const words = tellingWords(sentence);
  return words.filter((word) => isWordIn(word, reading)).length >= LEAST_KEPT * words.length;
}

function sentencesOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .replaceAll(LIST_MARK, '')
    .split(SENTENCE_END)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) => sentence.trim());
}

function factsOf(sentence: string): readonly Fact[] {
  const { found, names, rest } = exactFactsIn(sentence);
  return [
    ...found.map((text) => ({ kind: 'exact' as const, text })),
    ...names.map((text) => ({ kind: 'exact' as const, text, name: tellingWords(text)[0] })),
    ...tellingWords(rest).map((word) => ({ kind: 'word' as const, text: word.text, word })),
    ...(holdsNegation(sentence) ? [{ kind: 'negation' as const, text: sentence }] : []),
  ];
}

function isWord(fact: Fact): fact is Fact & { readonly kind: 'word' } {
  return fact.kind === 'word';
}

function distinct(words: readonly Word[]): number {
  return new Set(words.map(({ terms, stem }) => stem ?? terms.join(' '))).size;
}

/** Of a list or a heading: its number is no fact. */
const LIST_MARK = /^[^\S\n]*(?:\p{N}+[.)]|[-*+>#]+)\s+/gmu;
const SENTENCE_END = /(?<=[.!?;])(?<!\b(?:e\.g|i\.e|etc)\.)\s+|[。！？；\n]+/u;
