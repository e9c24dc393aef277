// Whose words carry a memory. A model that was talked into something by a file can quote the person too, so the
// quote must say something, be about the memory, and the memory must bring no command of its own.

import { foldSentence } from '../fieldText.ts';
import { holdsNegation } from '../words/negation.ts';
import { wordsOf } from '../words/dictionaryWords.ts';
import { isDense } from '../words/words.ts';
import { isDenied } from './denial.ts';
import { isIdle } from './idleWords.ts';
import { ownWords, ownWordsFor } from './ownWords.ts';
import { onlyAsks } from './question.ts';
import { topicOf } from './quoteTopic.ts';
import { feedsShell, holdsUngiven } from './ungivenCommands.ts';

type EvidenceProblem = 'notSaid' | 'unrelated' | 'asked' | 'turned' | 'unsaidCommand';

type Evidence =
  /** With a doubt, their own words may not be about the memory. */
  | { readonly from: 'person'; readonly doubt?: 'unrelated' | 'otherLanguage' }
  | { readonly from: 'pasted' | 'assistant' }
  | { readonly problem: EvidenceProblem };

export interface Claim {
  /** Said to be somebody's own words. */
  readonly quote: string;
  /** What the memory would say. */
  readonly text: string;
  /** Each message of the person that a quote may come from, whole. */
  readonly said: readonly string[];
  /** Earlier messages of theirs, from which addresses and commands may come. */
  readonly earlier: readonly string[];
  /** What the assistant said. */
  readonly answered: readonly string[];
  /** The text that is updated, from which they may come too. */
  readonly record: string;
  /** Whether the memory may rest on what the assistant found. */
  readonly mayBeFound: boolean;
}

/** The words a claim is measured by. */
interface Words {
  readonly quoted: readonly string[];
  readonly given: readonly string[];
}

/** Three words; less stands in nearly every message: `the`, `in the`, `please`. */
const LEAST_LENGTH = 6;
/** What is done without asking is done. */
const UNASKED =
  /\b(?:without|instead|rather|ohne|statt|sans|sin|senza|sem)\b|不(?:需要?|用|必|经|經)|無需|无需|なしで|なく|없이/giu;
/** A word in characters of a script without spaces. */
const WORD_LENGTH = 2;

/** The best that the claim can rest on, or what is wrong with it. */
export function evidenceOf(claim: Claim): Evidence {
  const { said, earlier, answered, record, text, mayBeFound } = claim;
  const own = said.flatMap(ownWords);
  const problem = problemOf(claim, {
    quoted: ownWordsFor(claim.quote, own),
    given: [...own, ...earlier.flatMap(ownWords), record],
  });
  const topic = topicOf(plainQuote(claim.quote), text);
  if (!problem && topic === 'same') return { from: 'person' };
  if (!problem) return { from: 'person', doubt: topic === 'other' ? 'unrelated' : 'otherLanguage' };
  const all = [...said, ...earlier, record];
  const weaker = (words: Words) =>
    problemOf(claim, words) ?? (topic === 'other' ? 'unrelated' : undefined);
  const problemOfPasted = weaker({ quoted: said, given: all });
  if (!problemOfPasted) return { from: 'pasted' };
  const problemOfFound =
    mayBeFound && !feedsShell(text)
      ? weaker({ quoted: answered, given: [...all, ...answered] })
      : 'notSaid';
  if (!problemOfFound) return { from: 'assistant' };
  // The quote that was found tells more than those that were not.
  const problems = [problem, problemOfPasted, problemOfFound];
  return { problem: problems.find((each) => each !== 'notSaid') ?? 'notSaid' };
}

function problemOf(claim: Claim, { quoted, given }: Words): EvidenceProblem | undefined {
  const { text } = claim;
  const quote = plainQuote(claim.quote);
  const spoken = quoted.map(withoutEmphasis);
  if (!isQuoted(quote, spoken)) return 'notSaid';
  if (isIdle(quote)) return 'unrelated';
  if (onlyAsks(quote, spoken)) return 'asked';
  if (isDenied(quote, spoken) && !holdsNegation(text.replaceAll(UNASKED, ' '))) return 'turned';
  return holdsUngiven(text, given) ? 'unsaidCommand' : undefined;
}

function plainQuote(quote: string): string {
  return withoutEdges(withoutEmphasis(quote));
}

function isQuoted(quote: string, said: readonly string[]): boolean {
  const words = foldSentence(quote);
  if (!/[\p{L}\p{N}]/u.test(words)) return false;
  const telling = lengthOf(words) >= LEAST_LENGTH;
  return said
    .map((message) => foldSentence(withoutEdges(message)))
    .some((message) => message === words || (telling && holdsWhole(message, words)));
}

/** Models leave out these marks and what cannot be seen, or add them. */
function withoutEmphasis(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\*\*|\p{Default_Ignorable_Code_Point}|(?<![\p{L}\p{N}])`|`(?![\p{L}\p{N}])/gu, '');
}

/** Emoji, commas and the like, which may be left out too. What makes another thing of a word stays: `C#`, `.env`. */
function withoutEdges(text: string): string {
  return text.replaceAll(
    /^(?:[-+]\s|[^\p{L}\p{N}#$@./~_-])+|(?<![^\p{L}\p{N}#+%_])[^\p{L}\p{N}#+%_]+$/gu,
    '',
  );
}

/** Whether `words` stand in the text without being cut out of longer words. */
function holdsWhole(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const cutAtStart = isJoined(text.charAt(at - 1), words.charAt(0));
    const cutAtEnd = isJoined(words.charAt(words.length - 1), text.charAt(end));
    if (!cutAtStart && !cutAtEnd) return true;
  }
  return false;
}

function isJoined(before: string, after: string): boolean {
  return isWordLetter(before) && isWordLetter(after);
}

/** Scripts without spaces have no such bounds. */
function isWordLetter(character: string): boolean {
  return /[\p{L}\p{M}\p{N}_]/u.test(character) && !isDense(character);
}

function lengthOf(text: string): number {
  const dense = Array.from(text).filter(isDense).length;
  const spaced = wordsOf(text).filter((word) => !Array.from(word).some(isDense)).length;
  return dense + WORD_LENGTH * spaced;
}
