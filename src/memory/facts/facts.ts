// What a text says that can be lost when it is written anew: numbers, names, what stands in quotation marks, what is
// forbidden, and the words that tell something. It knows words, not meanings; what it misses is for a model to name.

import { fold } from '../fieldText.ts';
import { denialIn, forbiddenIn, holdsNegation } from '../words/negation.ts';
import { statementsIn } from '../words/sentences.ts';
import {
  isSmallWord,
  isWordIn,
  tellingWords,
  termsOf,
  type Terms,
  type Word,
} from '../words/tellingWords.ts';
import { comparisonsIn, isTurned, type Comparison } from './comparisons.ts';
import { exactFactsIn, exactForm, holdsExactly } from './exactFacts.ts';
import { movedFigures } from './figures.ts';
import { movedNames } from './movedNames.ts';

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
  | { readonly kind: 'negation'; readonly text: string }
  /** Something is put before something else, which the new text turns round. */
  | { readonly kind: 'order'; readonly text: string };

/** A text as facts are looked for in it. */
export interface Reading extends Terms {
  /** With numbers and amounts in one form. */
  readonly exact: string;
  /** What its sentences deny, and what they say besides. */
  readonly sides: () => Sides;
}

interface Sides {
  readonly denied: readonly Terms[];
  readonly said: readonly Terms[];
}

/** So much of what a statement tells must stand in a text for the rest to be a rewording. */
const LEAST_KEPT = 0.6;

export function readingOf(text: string): Reading {
  const known: { terms?: ReadonlySet<string>; sides?: Sides } = {};
  return {
    folded: fold(text),
    exact: exactForm(text),
    // Many records are only looked at for a number that none of them has.
    get terms() {
      return (known.terms ??= termsOf(text));
    },
    sides: () => (known.sides ??= sidesOf(text)),
  };
}

function sidesOf(text: string): Sides {
  const parts = plainSentences(text).map(denialIn);
  return {
    denied: parts.flatMap(({ denied }) => partTerms(denied)),
    said: parts.flatMap(({ said }) => partTerms(said)),
  };
}

function partTerms(part: string): readonly Terms[] {
  return part === '' ? [] : [{ folded: fold(part), terms: termsOf(part) }];
}

/**
 * Of each statement of the texts, the oldest first, the facts that the new text lacks. Other words for the same are no loss as long as
 * the new text brings as many of its own; where it brings none, something was left out.
 */
export function lostStatements(texts: readonly string[], newText: string): readonly Statement[] {
  const after = readingOf(newText);
  const lost = texts.flatMap(plainSentences).map((text) => {
    const facts = factsOf(text);
    return { text, facts, gone: facts.filter((fact) => !isFactIn(fact, after)) };
  });
  const before = readingOf(texts.join('\n'));
  const added = tellingWords(newText).filter((word) => !isWordIn(word, before));
  const missing = lost.flatMap(({ gone }) => gone.filter(isWord).map(({ word }) => word));
  const isReworded = distinct(missing) <= distinct(added);
  const [sentences, newSentences] = [texts.flatMap(plainSentences), plainSentences(newText)];
  const moved = new Set([
    ...movedFigures(sentences, newSentences),
    ...movedNames(sentences, newSentences),
  ]);
  const rest = lost
    .map(({ text, facts, gone }) => {
      const words = facts.filter(isWord).length;
      const kept = words - gone.filter(isWord).length;
      const isSaid = isReworded && kept >= LEAST_KEPT * words;
      return { text, facts: isSaid ? gone.filter((fact) => !isWord(fact)) : gone };
    })
    .filter(({ facts }) => facts.length > 0);
  const turned = [...turnedRound(texts, newText, before), ...turnedOrders(texts, newText)];
  const bonds = [...moved].map((text) => ({ text, facts: [{ kind: 'exact' as const, text }] }));
  return [...rest, ...bonds, ...turned];
}

/** The sentences that deny nothing, of which the new text forbids all that they tell. */
function turnedRound(
  texts: readonly string[],
  newText: string,
  before: Reading,
): readonly Statement[] {
  const forbidden = plainSentences(newText).flatMap(forbiddenIn).flatMap(partTerms);
  if (forbidden.length === 0) return [];
  return texts
    .flatMap(plainSentences)
    .filter((text) => {
      const words = tellingWords(text);
      const holdsAll = (part: Terms) => words.every((word) => isWordIn(word, part));
      if (words.length === 0 || holdsNegation(text) || !forbidden.some(holdsAll)) return false;
      return !before.sides().denied.some(holdsAll);
    })
    .map((text) => ({ text, facts: [{ kind: 'negation' as const, text }] }));
}

/** The sentences whose comparison the new text turns round, and no later text. */
function turnedOrders(texts: readonly string[], newText: string): readonly Statement[] {
  const after = plainSentences(newText).flatMap(comparisonsIn);
  if (after.length === 0) return [];
  return texts.flatMap((text, at) => {
    const later = texts
      .slice(at + 1)
      .flatMap(plainSentences)
      .flatMap(comparisonsIn);
    return plainSentences(text)
      .filter((sentence) =>
        comparisonsIn(sentence).some(
          (comparison) => isTurnedIn(comparison, after) && !isTurnedIn(comparison, later),
        ),
      )
      .map((text) => ({ text, facts: [{ kind: 'order' as const, text }] }));
  });
}

function isTurnedIn(comparison: Comparison, others: readonly Comparison[]): boolean {
  return others.some((other) => isTurned(comparison, other));
}

/** Whether the facts of a statement stand in another text, and that is about the same. */
export function standsIn({ text, facts }: Statement, other: Reading): boolean {
  return facts.every((fact) => isFactIn(fact, other)) && isMostlyIn(text, other);
}

/** What a text brings that stands in none of some others, of what must not be made up: figures, code, addresses. */
export function inventedFacts(
  newText: string,
  some: (test: (text: Reading) => boolean) => boolean,
): readonly string[] {
  const found = plainSentences(newText).flatMap((sentence) => exactFactsIn(sentence).found);
  const isKnown = (part: string) => some(({ exact }) => holdsExactly(exact, part));
  return [...new Set(found)].filter((fact) => {
    const form = exactForm(fact);
    return !isKnown(form) && !partsOf(form).every((part) => isKnown(part));
  });
}

/** Known words may be put together anew: into a command, a path, a date. An address stands as it is. */
function partsOf(form: string): readonly string[] {
  if (/:\/\/|@|\p{L}\.\p{L}/u.test(form)) return [form];
  // The month of a date may have been a name.
  const text = form.replace(/^(\p{N}{4})-\p{N}{2}-0?(\p{N}{1,2})$/u, '$1 $2');
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether a fact is named in a text. Of a ban, what was banned is enough; of an order, what it is about. */
export function isNamedIn(fact: Fact, text: Reading): boolean {
  const isWhole = fact.kind === 'negation' || fact.kind === 'order';
  return isFactIn(fact, text) || (isWhole && isMostlyIn(fact.text, text));
}

function isFactIn(fact: Fact, reading: Reading): boolean {
  switch (fact.kind) {
    case 'exact':
      return (
        holdsExactly(reading.exact, exactForm(fact.text)) ||
        (fact.name !== undefined && isWordIn(fact.name, reading))
      );
    case 'word':
      return isWordIn(fact.word, reading);
    case 'negation':
      return isDeniedIn(fact.text, reading);
    case 'order':
      // That another text has it right does not make the new one right.
      return false;
  }
}

/**
 * Whether a text denies something of what a sentence denies, and does not say all of that elsewhere. A ban of nothing
 * that tells anything is any ban.
 */
function isDeniedIn(sentence: string, reading: Reading): boolean {
  const { said, denied } = reading.sides();
  const own = tellingWords(denialIn(sentence).denied);
  const words = own.length > 0 ? own : tellingWords(sentence);
  if (words.length === 0) return denied.length > 0;
  const holdsAll = (part: Terms) => words.every((word) => isWordIn(word, part));
  if (!denied.some((part) => words.some((word) => isWordIn(word, part)))) return false;
  return denied.some(holdsAll) || !said.some(holdsAll);
}

function isMostlyIn(sentence: string, reading: Reading): boolean {
  const words = tellingWords(sentence);
  return words.filter((word) => isWordIn(word, reading)).length >= LEAST_KEPT * words.length;
}

function plainSentences(text: string): readonly string[] {
  return statementsIn(text.normalize('NFKC').replaceAll(LIST_MARK, ''))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) => sentence.trim());
}

function factsOf(sentence: string): readonly Fact[] {
  const { found, names, rest } = exactFactsIn(sentence);
  return [
    ...found.map((text) => ({ kind: 'exact' as const, text })),
    ...names
      .filter((text) => !isSmallWord(text))
      .map((text) => ({ kind: 'exact' as const, text, name: tellingWords(text)[0] })),
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
